// Fill: what fills the grid, and the candidates of the two slots at the cursor, side by side.

import { askBest, best, count, crossingSlot, currentSlot, setFilter, stopFilling } from "../ask/questions.js";
import { ORDER_NAMES } from "../model/order.js";
import { answerOf, listSlots } from "../model/puzzle.js";
import { isOwn, prefer, state } from "../model/store.js";
import { t, tellAnswers, tellStanding } from "../model/strings.js";
import { derived, peek } from "../model/tracked.js";
import * as actions from "./actions.js";
import { makeCandidates } from "./candidates.js";
import { byId, closest, fillWith, make, makeSelect, mark, say } from "./dom.js";
import { makeEdits } from "./edits.js";
import { focusGrid } from "./grid.js";
import { drawLetterRules, letterRules } from "./letter-rules.js";
import { makeProgress } from "./progress.js";
import { drawTerms, openedSlots, terms } from "./terms.js";

/** @import { CandidateOrder, Slot, State } from "../../types.d.ts" */

const panel = byId("panel-fill");
const words = makeCandidates({ id: "words", take: (word) => take(word, currentSlot()) });
const crossing = makeCandidates({ id: "crossing-words", take: (word) => take(word, crossingSlot()) });
const sieve = make("div", { class: "row sieve" });
const verdict = make("p", { id: "fillable", class: "fillable" });
const reasons = make("div");
const edits = makeEdits("ask-edits");
/** Why there is no fill, and what would help. */
const conflict = make("div", { class: "reasons" }, reasons, edits.element);
const controls = make("div", { class: "controls" });
const progress = make("p", { class: "progress" });
/** Makes the candidates, a row below the grid on a phone, a sheet over the keys. */
const unfold = make("button", { id: "all-words", class: "icon", "aria-expanded": "false", onclick: unfoldWords }, "▴");
const both = make("div", { class: "both" }, words.element, crossing.element, unfold);
const ownEntries = make("p", { id: "own-entries", class: "links" });
panel.append(
  make("div", { class: "row" }, verdict, progress),
  controls, // above what comes later, which would move it from under the hand
  conflict,
  terms,
  letterRules,
  openedSlots,
  ownEntries,
  sieve,
  both,
);

/** From how many letters on one list stands above the other on a narrow page, and on any. */
const STACKED = 11,
  ALWAYS_STACKED = 16;

/** Take a word, and go on in the grid. @param {string} word @param {Slot | undefined} slot */
function take(word, slot) {
  actions.take(word, slot);
  focusGrid();
}

function unfoldWords() {
  const open = both.classList.toggle("sheet");
  mark(unfold, "aria-expanded", String(open));
  say(unfold, open ? "▾" : "▴");
}

/** Draw the panel. */
export function drawFill() {
  if (state.mode !== "fill") return;
  mark(unfold, "aria-label", t("all_words"));
  drawVerdict();
  drawControls();
  drawTerms();
  drawLetterRules();
  fillWith(sieve, listSieve);
  const slot = currentSlot(),
    crossed = crossingSlot(),
    longest = Math.max(slot?.cells.length ?? 0, crossed?.cells.length ?? 0);
  words.draw(slot, state.candidates);
  crossing.draw(crossed, state.crossing);
  both.classList.toggle("stacked", longest >= STACKED);
  both.classList.toggle("always", longest >= ALWAYS_STACKED);
  if (words.isPointedAt() || crossing.isPointedAt()) return;
  drawReasons();
  drawOwnEntries();
  words.drawNotes(slot, state.candidates);
  crossing.drawNotes(crossed, state.crossing);
}

/** Name the entries of one's own that are locked, or in no list. */
function drawOwnEntries() {
  fillWith(ownEntries, () => {
    const named = derived(nameOwn);
    return [
      named.length ? `${t("own_named")} ` : null,
      named.map(([name, word]) => make("button", { class: "link", onclick: () => actions.goTo(name) }, word)),
    ];
  });
}

/** Return the slots and words of entries of one's own that are locked, or in no list. */
function nameOwn() {
  const { puzzle, locked, unlisted } = state;
  const named = listSlots(puzzle)
    .filter(isOwn)
    .filter((slot) => slot.cells.every((cell) => locked.has(cell)) || unlisted.includes(answerOf(puzzle, slot)));
  return named.map((slot) => /** @type {const} */ ([slot.name, tellAnswers(slot)]));
}

/** Return what says which candidates are shown, and in which order. */
function listSieve() {
  const { weighing } = state;
  return [
    make("input", {
      id: "filter",
      type: "search",
      value: peek(() => state.filter), // which this field alone changes: its letters stay as they are typed
      placeholder: t("filter"),
      "aria-label": t("filter"),
      title: t("filter_hint"),
      autocomplete: "off",
      oninput: (event) => setFilter(event.currentTarget.value),
    }),
    makeSelect(
      { id: "order", "aria-label": t("order") },
      ORDER_NAMES,
      state.order,
      (name) => t(`order_${name}`),
      (name) => prefer({ order: /** @type {CandidateOrder} */ (name) }),
    ),
    weighing
      ? makeProgress({ id: "ask-best", stop: () => best.stop(), clock: weighing, share: weighing })
      : make("button", { id: "ask-best", title: t("ask_best_hint"), onclick: askBest }, t("ask_best")),
  ];
}

/** Say how the grid stands. */
function drawVerdict() {
  say(verdict, tellStanding());
  mark(verdict, "class", `fillable ${state.fillable}`);
}

/** Draw why there is no fill, unless there is one. */
function drawReasons() {
  conflict.hidden = !state.explanation;
  edits.draw();
  fillWith(reasons, listReasons);
}

/** Return why there is no fill, and what would mend it. */
function listReasons() {
  const { explanation } = state;
  if (!explanation) return [];
  const repairs = explanation.repairs ?? [];
  return [
    make("h2", {}, t("why")),
    make("p", {}, told(explanation.text[0] ?? "…")),
    repairs.length ? make("h2", {}, t("repair")) : null,
    make(
      "ul",
      { class: "repairs" },
      repairs.map(({ free, reads, text }) =>
        make("li", {}, make("button", { onclick: () => actions.repair(free, reads) }, told(text))),
      ),
    ),
    explanation.finished ? null : make("p", { class: "summary" }, t("looking_for_repairs")),
  ];
}

/** Return a sentence, its patterns of letters as such: the server sets them in backticks. @param {string} text */
const told = (text) =>
  text.split("`").map((part, at) => (at % 2 ? make("span", { class: "pattern" }, part.replaceAll("?", "·")) : part));

function drawControls() {
  const { filling, anchor, counting } = state;
  // A button that is replaced while it is pressed hears no click: what a region changes is its name alone.
  fillWith(controls, () =>
    state.filling || state.counting?.running
      ? [makeProgress({ id: "stop", stop: stopFilling, tried: tellSearch(), clock: state.filling ?? state.counting })]
      : [
          make("button", { id: "autofill", class: "primary", title: "Ctrl-Enter", onclick: () => actions.fill() }),
          make("button", { id: "another", onclick: () => actions.fill("good", true) }, t("another")),
          make("button", { id: "best", onclick: () => actions.fill("min") }, t("best")),
          make(
            "details",
            { class: "menu", id: "rare", onclick: shutMenu },
            make("summary", { id: "more" }, t("more")),
            make(
              "div",
              {},
              make("button", { id: "tightest", title: "!", onclick: actions.goToTightest }, t("tightest")),
              make("button", { id: "lock", title: "=", onclick: actions.lock }, t("lock")),
              make("button", { id: "count", onclick: count }, t("count")),
              make("button", { id: "keep-all", title: ":", onclick: () => actions.keep(true) }, t("keep_all")),
              make("button", { id: "clear", onclick: () => actions.clear(false) }, t("clear")),
              make("button", { id: "clear-all", onclick: () => actions.clear(true) }, t("clear_all")),
            ),
          ),
        ],
  );
  const autofill = controls.querySelector("#autofill");
  if (autofill) say(autofill, t(anchor === null ? "autofill" : "fill_region"));
  say(progress, counting && !counting.running && !filling ? tellCount(counting) : "");
}

/** Return how the fill or the count gets on. */
function tellSearch() {
  const { filling, counting } = state;
  return [filling && tellFilling(filling), counting?.running && tellCount(counting)].filter(Boolean).join("; ");
}

/**
 * Return how a search gets on: of its value the theme comes first, if there is one.
 * @param {NonNullable<State["filling"]>} filling
 */
function tellFilling({ objective, value, bound }) {
  const names = [...(state.pool.length ? ["filling_pool"] : []), ...(objective === "min" ? ["filling_best"] : [])];
  const [values, bounds] = [value, bound].map((each) => [each ?? []].flat());
  return (
    names.map((name, at) => t(name, { value: values[at] ?? "–", bound: bounds[at] ?? "–" })).join("; ") || t("filling")
  );
}

/** @param {NonNullable<State["counting"]>} counting */
function tellCount({ fills, exact, running }) {
  const number = fills.toLocaleString(state.language);
  if (exact) return t(fills === 1 ? "exactly_one" : "exactly", { fills: number });
  return fills ? t("at_least", { fills: number }) + (running ? " …" : "") : t(running ? "counting" : "none_counted");
}

/**
 * Shut a menu when one of its buttons was pressed.
 * @param {MouseEvent & {currentTarget: HTMLDetailsElement}} event
 */
function shutMenu(event) {
  if (closest(event, "button")) event.currentTarget.open = false;
}
