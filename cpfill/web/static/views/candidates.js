// The candidates of a slot: a word a row, with its verdict, its score, and on demand how good a fill with it can be.

import { judgeWord, lettersOf, askMore } from "../ask/questions.js";
import { answerOf, findSlot, isWhole } from "../model/puzzle.js";
import { isOwn, mine, state, update } from "../model/store.js";
import { nameSlot, t } from "../model/strings.js";
import { derived, track } from "../model/tracked.js";
import { adopt } from "./actions.js";
import { closest, fillWith, isHeld, make, mark, say } from "./dom.js";

/** @import { CandidateOrder, Candidates, Child, Judged, Row, Slot } from "../../types.d.ts" */

/**
 * @typedef {ReadonlyMap<string, Judged>} Verdicts
 * @typedef {ReturnType<typeof makeRow>} DrawnRow
 */

/** No words. @type {readonly Row[]} */
const NONE = [];

const SIGNS = { yes: "✓", no: "✗", open: "?" };
const FIRST = { yes: 0, open: 1, undefined: 2, no: 3 };

/** @param {Verdicts} told @param {string} word */
const rankOf = (told, word) => FIRST[told.get(word)?.verdict ?? "undefined"];

/**
 * Return the order of two words, which are pairs with their scores.
 * @type {Record<CandidateOrder, (told: Verdicts) => (one: Row, other: Row) => number>}
 */
const ORDERS = {
  score:
    () =>
    ([, score], [, points]) =>
      points - score,
  verdict:
    (told) =>
    ([one, score], [other, points]) =>
      rankOf(told, one) - rankOf(told, other) || points - score,
  best:
    (told) =>
    ([one], [other]) =>
      (told.get(other)?.best ?? -1) - (told.get(one)?.best ?? -1),
  change:
    (told) =>
    ([one], [other]) =>
      (told.get(one)?.changes ?? Infinity) - (told.get(other)?.changes ?? Infinity) || 0,
  word:
    () =>
    ([one], [other]) =>
      one.localeCompare(other),
};

/** A word of more letters has its buttons where its score is: elsewhere they would cover it. */
const SHORT = 10;

/** The score that an entry of one's own gets at first. */
const OWN_SCORE = 50;

export const ORDER_NAMES = /** @type {CandidateOrder[]} */ (Object.keys(ORDERS));

/**
 * Return a list of candidates: its `element`, and `draw`, which takes what is known of a slot.
 * @param {{id: string, take: (word: string) => void}} how  what becomes of a word that is chosen
 */
export function makeCandidates({ id, take }) {
  const heading = make("h2", { id: `${id}-heading` });
  const summary = make("p", { class: "summary" });
  const list = make("div", { id, class: "words", role: "grid", tabindex: "0", "aria-labelledby": `${id}-heading` });
  const adding = make("p", { class: "adding" });
  /** @type {DrawnRow[]} */
  const rows = [];
  let selected = 0,
    shownOf = NONE,
    shown = NONE,
    sortedBy = "",
    sortedOf = NONE,
    known = /** @type {Verdicts} */ (new Map());

  /** @param {Slot | undefined} slot @param {Candidates} candidates */
  function draw(slot, candidates) {
    const { words, verdicts } = candidates,
      asking = candidates.state === "asking";
    say(heading, slot ? nameSlot(slot) : t("words"));
    if (slot) heading.append(make("span", { class: "pattern" }, answerOf(mine(), slot, "·")));
    // The words before stay in sight until others come, so that nothing jumps; they can be chosen no longer.
    if (words !== shownOf && !asking) {
      const grows = shownOf.length > 0 && words[0] === shownOf[0]; // others come behind those that are there
      while (rows.length < words.length) rows.push(makeRow(`${id}-${rows.length}`));
      const added = rows.slice(grows ? shownOf.length : 0, words.length).map(({ element }) => element);
      if (grows) list.append(...added);
      else list.replaceChildren(...added);
      shown = grows ? [...shown, ...words.slice(shownOf.length)] : [];
      if (sortedOf === shownOf && grows) sortedOf = words;
      shownOf = words;
    }
    known = verdicts;
    // Under the pointer, or among the keys, no row becomes another's: verdicts that come meanwhile change no order.
    const held = shown.length === words.length && sortedBy === state.order && isHeld(list);
    if (!asking && !held) {
      const selectedWord = shown[selected]?.[0];
      shown = words.toSorted(ORDERS[state.order](verdicts));
      sortedBy = state.order;
      selected = Math.max(0, words === sortedOf ? shown.findIndex(([word]) => word === selectedWord) : 0);
      sortedOf = words;
    }
    for (let at = 0; at < list.children.length; at++)
      drawRow(rows[at], asking ? null : shown[at], verdicts, at === selected);
    mark(list, "aria-busy", String(asking));
    mark(list, "aria-activedescendant", words.length ? `${id}-${selected}` : null);
    say(summary, tell(slot, candidates));
    drawOwn(slot);
  }

  /** The slot that is drawn. */
  const own = track({ slot: /** @type {Slot | undefined} */ (undefined) });

  /** Return the entry of the slot if no list has it, and whether it is one's own. */
  function tellUnlisted() {
    const { slot } = own;
    const unlisted = state.figures?.fill?.unlisted ?? [];
    if (!slot || !isWhole(mine(), slot) || !unlisted.includes(slot.name)) return { word: "", isOwned: false };
    return { word: answerOf(state.puzzle, slot), isOwned: isOwn(slot) };
  }

  /** Say of an entry that no list has whether it is one's own, and offer what it can become. @param {Slot | undefined} slot */
  function drawOwn(slot) {
    own.slot = slot;
    fillWith(adding, () => {
      const { slot } = own,
        { word, isOwned } = derived(tellUnlisted);
      if (!slot || !word) return [];
      const add = () => judgeWord({ rescore: word, score: OWN_SCORE });
      const become = isOwned
        ? make("button", { class: "small", onclick: add }, t("add_own"))
        : make("button", { class: "small", onclick: () => adopt(slot) }, t("adopt"));
      return [t(isOwned ? "own_entry" : "no_entry", { word }), " ", become];
    });
  }

  /** Draw the fill that shows a word, where the puzzle has no letters. @param {string | undefined} word */
  function showGhost(word) {
    const witness = word && known.get(word)?.witness;
    update({ ghost: witness ? lettersOf(witness) : null });
  }

  /** Return the word of a row, if it has one. @param {number} at */
  const wordAt = (at) => (at < list.children.length ? rows[at]?.element.dataset.word : undefined);

  /** @param {number} at */
  function select(at) {
    selected = Math.max(0, Math.min(list.children.length - 1, at));
    list.children[selected]?.scrollIntoView({ block: "nearest" });
    showGhost(wordAt(selected));
  }

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== list) return;
    const word = wordAt(selected);
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code); // the key: on some keyboards its digit needs Shift
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Home") select(0);
    else if (event.key === "End") select(list.children.length);
    else if (event.key === "Enter" && word) take(word);
    else if (event.key === "Delete" && word) judgeWord({ ban: word });
    else if (event.key === "s" && word) rescore(rows[selected], word, list);
    else if (digit) take(wordAt(Number(digit[1]) - 1) ?? "");
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const chosen = rows.find(({ element }) => element === closest(event, "[data-word]")),
      word = chosen?.element.dataset.word;
    if (!chosen || !word || closest(event, "input")) return;
    const what = closest(event, "[data-do]")?.dataset.do;
    if (what === "ban") judgeWord({ ban: word });
    else if (what === "rescore") rescore(chosen, word, list);
    else take(word);
  });
  list.addEventListener("scroll", () => {
    const { scrollTop, clientHeight, scrollHeight, scrollLeft, clientWidth, scrollWidth } = list;
    if (scrollTop + 2 * clientHeight > scrollHeight && scrollLeft + 2 * clientWidth > scrollWidth) askMore();
  });
  let pointed = /** @type {unknown} */ (undefined);
  // Rows that come under a pointer at rest, after a word is taken or a tab opened, propose nothing.
  list.addEventListener("pointermove", (event) => {
    const word = closest(event, "[data-word]")?.dataset.word,
      witness = known.get(word ?? "")?.witness;
    if (witness !== pointed) showGhost(word);
    pointed = witness;
  });
  list.addEventListener("pointerleave", () => {
    pointed = undefined;
    update({ ghost: null });
  });
  list.addEventListener("blur", () => update({ ghost: null }));
  return { element: make("section", { class: "candidates" }, heading, summary, adding, list), draw };
}

/**
 * Return how many words there are, by their verdicts, or why there is none.
 * @param {Slot | undefined} slot @param {Candidates} candidates
 */
function tell(slot, { words, verdicts, total, state: stage, dead }) {
  if (!slot) return t("no_slot");
  if (stage === "asking") return t("asking");
  if (dead.includes(slot.name)) return t("no_words_dead", { slots: nameDead(dead) });
  if (!words.length && stage === "judging") return t("asking"); // no fill: without what part is still to come
  if (!words.length) return stage === "none" ? "" : t("no_words");
  const without = dead.length ? ` · ${t("without_dead", { slots: nameDead(dead) })}` : "";
  return tellCounts(verdicts, total, stage) + without;
}

/** The most slots that are named of those without which words are judged. */
const NAMED = 4;

/** Return slots by their names, or how many they are. @param {readonly string[]} names */
const nameDead = (names) =>
  names.length > NAMED
    ? t("slots_many", { count: names.length })
    : names.flatMap((name) => findSlot(state.puzzle, name) ?? []).map(nameSlot).join(", "); // prettier-ignore

/** @param {Verdicts} verdicts @param {number} total @param {Candidates["state"]} stage */
function tellCounts(verdicts, total, stage) {
  const counts = { yes: 0, no: 0, open: 0 };
  for (const { verdict } of verdicts.values()) counts[verdict]++;
  if (stage === "judging" && !counts.yes) return t("none_yet", { all: total.toLocaleString(state.language) });
  return t("counted_words", { ...counts, all: total.toLocaleString(state.language) });
}

/** Return a row; what it holds changes, it stays. @param {string} id */
function makeRow(id) {
  /** @param {string} name @param {Child[]} children */
  const held = (name, ...children) => make("span", { role: "gridcell", class: name }, ...children);
  const sign = make("span", { "aria-hidden": "true" });
  const parts = { sign, told: held("sign", sign), word: held("word"), best: held("best"), score: held("score") };
  const buttons = Object.entries({ rescore: "✎", ban: "⊘" }).map(([what, icon]) =>
    make("button", { class: "small", tabindex: "-1", "data-do": what }, icon),
  );
  const { told, word, best, score } = parts;
  const element = make("div", { role: "row", id }, told, word, held("tools", buttons), best, score);
  return { ...parts, buttons, element, key: /** @type {string | null} */ (null) };
}

/** @param {DrawnRow} row @param {Row | null} shown @param {Verdicts} verdicts @param {boolean} isSelected */
function drawRow(row, shown, verdicts, isSelected) {
  const [text, points, reason] = shown ?? [null, 0];
  const { verdict, best: least, bound, changes } = (text !== null && verdicts.get(text)) || {};
  const key = [text, points, verdict, least, bound, changes, isSelected, state.language].join();
  if (row.key === key) return;
  row.key = key;
  const { element, sign, told, word, best, score, buttons } = row;
  mark(element, "data-word", text);
  mark(element, "class", `${verdict ?? "pending"}${text && text.length > SHORT ? " long" : ""}`);
  mark(element, "aria-selected", String(isSelected));
  say(sign, verdict ? SIGNS[verdict] : "·");
  mark(told, "aria-label", verdict ? t(`verdict_${verdict}`) : null);
  if (text === null) return;
  say(word, text);
  const change =
    changes === undefined ? "" : changes === 1 ? t("changes_one") : t("changes", { words: String(changes) });
  say(best, least === undefined ? (reason ? t(reason) : change) : least === bound ? `min ${least}` : `min ≥ ${least}`);
  mark(best, "title", least === undefined && change ? t("changes_hint") : null);
  mark(score, "data-band", points >= 50 ? "strong" : points >= 40 ? "fair" : "weak");
  if (!score.querySelector("input")) say(score, String(Math.round(points)));
  score.style.setProperty("--share", `${Math.min(100, points)}%`);
  for (const button of buttons) {
    const name = `${t(button.dataset.do ?? "")}: ${text}`;
    mark(button, "aria-label", name);
    mark(button, "title", name);
  }
}

/**
 * Ask for a word's new score, in the place of its score.
 * @param {DrawnRow} row @param {string} word @param {HTMLElement} list
 */
function rescore(row, word, list) {
  const { score } = row;
  const input = make("input", {
    type: "number",
    min: "0",
    max: "100",
    value: score.textContent,
    "aria-label": t("new_score", { word }),
    onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === "Enter") {
        const given = Number(input.value);
        if (input.value.trim() && given >= 0 && given <= 100) judgeWord({ rescore: word, score: given });
        else update({ message: "bad_score" });
      }
      if (event.key === "Enter" || event.key === "Escape") list.focus(); // which takes the input away
    },
    onblur: () => {
      score.replaceChildren();
      row.key = null;
      update({});
    },
  });
  score.replaceChildren(input);
  input.focus();
  input.select();
}
