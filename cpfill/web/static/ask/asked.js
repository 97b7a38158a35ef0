// Questions by their purposes: what is asked for a purpose ends what was asked for it before.

import { whileBusy } from "../model/idle.js";
import { update } from "../model/store.js";
import { awaitListener, listener, oneAtATime, STOPPED } from "../tab/tab.js";
import { ask as askServer, messageOf } from "./api.js";

/** @import { Answers, Path } from "../../types.d.ts" */

/** A search that may take longer is one that people stop. */
const STOPPABLE_SECONDS = 10;

/** The purposes for which something is asked now. @type {Set<Asked>} */
const running = new Set();

/** What is asked for one purpose. */
export class Asked {
  /** The question under way. @type {AbortController | null} */
  #own = null;

  /** Whether an answer is awaited. */
  get isRunning() {
    return this.#own !== null;
  }

  /** Whether what was asked has not been ended. */
  get isWanted() {
    return this.#own?.signal.aborted === false;
  }

  /** End it: no answer is wanted. */
  end() {
    this.#own?.abort();
  }

  /** Stop it: what was found is wanted. */
  stop() {
    this.#own?.abort(STOPPED);
  }

  /**
   * Ask a question and hand each line on. Resolves to false where it was ended in turn, or failed; then `fail` hears why.
   * @template {Path} P @param {P} path @param {Record<string, unknown> & {seconds?: number}} record
   * @param {(line: Answers[P]) => void} each @param {(message: string) => void} [fail]
   */
  ask(path, record, each, fail = (message) => update({ message })) {
    return whileBusy(this.#ask(path, record, each, fail));
  }

  /**
   * @template {Path} P @param {P} path @param {Record<string, unknown> & {seconds?: number}} record
   * @param {(line: Answers[P]) => void} each @param {(message: string) => void} fail
   */
  async #ask(path, record, each, fail) {
    this.end();
    if (listener()) filling.giveWay(this);
    const own = new AbortController();
    this.#own = own;
    running.add(this);
    const long = (record.seconds ?? 0) > STOPPABLE_SECONDS,
      ticking = long ? setInterval(() => update({}), 1000) : 0; // its seconds are shown
    try {
      if (long && oneAtATime && !listener()) await awaitListener(own.signal);
      for await (const line of askServer(path, record, own.signal)) {
        if (own.signal.aborted && own.signal.reason !== STOPPED) return false;
        each(line);
      }
      return true;
    } catch (error) {
      if (own.signal.aborted) return false;
      fail(messageOf(error));
      return false;
    } finally {
      clearInterval(ticking);
      if (this.#own === own) this.#forget();
    }
  }

  #forget() {
    this.#own = null;
    running.delete(this);
    if (!running.size) filling.goOn();
  }
}

/**
 * A search that is stopped where another question would wait for its end, one thing being done at a time, and that goes on
 * when all else is answered.
 */
class Patient extends Asked {
  /** Whether it was stopped to go on. */
  hasGivenWay = false;
  /** Has it go on. */
  goOn = () => {};

  /** Let another question be answered first. @param {Asked} other */
  giveWay(other) {
    if (other === this || !this.isWanted) return;
    this.stop();
    this.hasGivenWay = true;
  }

  /** Have it not go on. */
  endWaiting() {
    this.hasGivenWay = false;
    this.goOn();
  }

  /** Resolve when nothing is asked, or it is not to go on. @returns {Promise<void>} */
  async awaitTurn() {
    if (this.hasGivenWay && running.size) await new Promise((go) => (this.goOn = () => go(null)));
  }
}

/** A fill of the grid, which was asked for. */
export const filling = new Patient();
