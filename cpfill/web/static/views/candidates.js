// The candidates of a slot: a word a row, with its verdict, its score and what its fill brings, under column heads.

import { judgeWord, lettersOf, askMore } from "../ask/questions.js";
import { arrange } from "../model/order.js";
import { answerOf, findSlot, isWhole } from "../model/puzzle.js";
import { isOwn, mine, state, update } from "../model/store.js";
import { nameSlot, t, tellAnswers } from "../model/strings.js";
import { derived, track } from "../model/tracked.js";
import { adopt } from "./actions.js";
import { closest, fillWith, isHeld, make, mark, say } from "./dom.js";

/** @import { CandidateOrder, Candidates, Child, Puzzle, Row, Slot } from "../../types.d.ts" */

/**
 * @typedef {Candidates["verdicts"]} Verdicts
 * @typedef {ReturnType<typeof makeRow>} DrawnRow
 */

const SIGNS = { yes: "✓", no: "✗", open: "?" };

/** The columns that have a head, and the order in which each is sorted, if by one. @type {[string, CandidateOrder | null, "ascending" | "descending"][]} */
const COLUMNS = [
  ["sign", "verdict", "descending"],
  ["name", "word", "ascending"],
  ["score", "score", "descending"],
  ["changes", "change", "ascending"],
  ["best", "best", "descending"],
];

/** From how many letters on a list needs more room, and still more. */
const LONG = 6,
  LONGER = 11;

/** The score that an entry of one's own gets at first. */
const OWN_SCORE = 50;

/**
 * Return a list of candidates: its `element`, and `draw`, which takes what is known of a slot.
 * @param {{id: string, take: (word: string) => void}} how  what becomes of a word that is chosen
 */
export function makeCandidates({ id, take }) {
  const heading = make("h2", { id: `${id}-heading` });
  const summary = make("p", { class: "summary" });
  const list = make("div", { id, class: "words", role: "grid", tabindex: "0", "aria-labelledby": `${id}-heading` });
  const heads = make("div", { role: "row", class: "heads" });
  /** Why words are judged without a part, and what an entry of one's own can become. */
  const adding = make("p", { class: "adding" });
  list.append(heads);
  /** @type {DrawnRow[]} */
  const rows = [];
  let selected = 0,
    known = /** @type {Verdicts} */ (new Map()),
    shown = /** @type {(Row | null)[]} */ ([]),
    pointed = /** @type {unknown} */ (undefined);
  /** Of which question the words are that are shown, and by what they are sorted. */
  const asked = { slot: "", filter: "", puzzle: /** @type {Puzzle | null} */ (null), order: "" };

  /** Whether the words answer the same question as those that are shown. @param {string} slot */
  const isSame = (slot) => asked.slot === slot && asked.filter === state.filter && asked.puzzle === mine();

  /** @param {Slot | undefined} slot @param {Candidates} candidates */
  function draw(slot, candidates) {
    const { words, verdicts } = candidates,
      asking = candidates.state === "asking",
      letters = slot?.cells.length ?? 0;
    say(heading, slot ? nameSlot(slot) : t("words"));
    if (slot)
      heading.append(
        make("span", { class: "pattern" }, isWhole(mine(), slot) ? tellAnswers(slot) : answerOf(mine(), slot, "·")),
      );
    fillWith(heads, listHeads);
    list.classList.toggle("long", letters >= LONG);
    list.classList.toggle("longer", letters >= LONGER);
    list.classList.toggle("by-change", state.order === "change");
    list.style.setProperty("--letters", String(letters));
    known = verdicts;
    // The words before stay in sight until others come, so that nothing jumps; they can be chosen no longer.
    if (asking) pointed = undefined;
    else arrangeRows(candidates);
    for (let at = 0; at < shown.length; at++) drawRow(rows[at], asking ? null : shown[at], verdicts, at === selected);
    mark(list, "aria-busy", String(asking));
    mark(list, "aria-activedescendant", words.length ? `${id}-${selected}` : null);
    say(summary, tell(slot, candidates));
  }

  /**
   * Put the words in their order. Under the pointer, or among the keys, no row becomes another's or moves.
   * @param {Candidates} candidates
   */
  function arrangeRows({ slot, words, verdicts }) {
    const same = isSame(slot),
      held = same && asked.order === state.order && isHeld(list),
      chosen = shown[selected]?.[0];
    shown = arrange(words, verdicts, state.order, held ? shown : null);
    if (!held) selected = same ? Math.max(0, shown.findIndex((row) => row?.[0] === chosen)) : 0; // prettier-ignore
    Object.assign(asked, { slot, filter: state.filter, puzzle: mine(), order: state.order });
    while (rows.length < shown.length) rows.push(makeRow(`${id}-${rows.length}`));
    const there = list.childElementCount - 1; // without the heads
    list.append(...rows.slice(there, shown.length).map(({ element }) => element));
    for (const { element } of rows.slice(shown.length, there)) element.remove();
    heads.hidden = shown.length === 0;
  }

  /** The slot that is drawn. */
  const own = track({
    slot: /** @type {Slot | undefined} */ (undefined),
    without: /** @type {readonly string[]} */ ([]),
  });

  /** Return the entry of the slot if no list has it, and whether it is one's own. */
  function tellUnlisted() {
    const { slot } = own;
    const unlisted = state.figures?.fill?.unlisted ?? [];
    if (!slot || !isWhole(mine(), slot) || !unlisted.includes(slot.name)) return { word: "", isOwned: false };
    return { word: answerOf(state.puzzle, slot), isOwned: isOwn(slot) };
  }

  /**
   * Say without which part words are judged, and of an entry that no list has whether it is one's own, and what it can
   * become.
   * @param {Slot | undefined} slot @param {Candidates} candidates
   */
  function drawNotes(slot, { dead }) {
    own.slot = slot;
    own.without = slot && !dead.includes(slot.name) ? dead : [];
    fillWith(adding, () => {
      const { slot, without } = own,
        { word, isOwned } = derived(tellUnlisted),
        judged = without.length > 0 && t("without_dead", { slots: nameDead(without) });
      if (!slot || !word) return [judged];
      const add = () => judgeWord({ rescore: word, score: OWN_SCORE });
      const become = isOwned
        ? make("button", { class: "small", onclick: add }, t("add_own"))
        : make("button", { class: "small", onclick: () => adopt(slot) }, t("adopt"));
      return [judged, " ", t(isOwned ? "own_entry" : "no_entry", { word }), " ", become];
    });
  }

  /** Draw the fill that shows a word, where the puzzle has no letters. @param {string | undefined} word */
  function showGhost(word) {
    const witness = word && known.get(word)?.witness;
    update({ ghost: witness ? lettersOf(witness) : null });
  }

  /** Return the word of a row, if it has one. @param {number} at */
  const wordAt = (at) => (at < shown.length ? rows[at]?.element.dataset.word : undefined);

  /** @param {number} at */
  function select(at) {
    selected = Math.max(0, Math.min(shown.length - 1, at));
    rows[selected]?.element.scrollIntoView({ block: "nearest" });
    showGhost(wordAt(selected));
  }

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== list) return;
    const word = wordAt(selected);
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code); // the key: on some keyboards its digit needs Shift
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Home") select(0);
    else if (event.key === "End") select(shown.length);
    else if (event.key === "Enter" && word) take(word);
    else if (event.key === "Delete" && word) judgeWord({ ban: word }, scoreOf(word));
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
    if (what === "ban") {
      list.focus(); // its button goes
      judgeWord({ ban: word }, scoreOf(word));
    } else if (what === "rescore") rescore(chosen, word, list);
    else take(word);
  });
  list.addEventListener("scroll", () => {
    const { scrollTop, clientHeight, scrollHeight, scrollLeft, clientWidth, scrollWidth } = list;
    if (scrollTop + 2 * clientHeight > scrollHeight && scrollLeft + 2 * clientWidth > scrollWidth) askMore();
  });
  // Rows that come under a pointer at rest, after a word is taken or a tab opened, propose nothing.
  list.addEventListener("pointermove", (event) => {
    const word = closest(event, "[data-word]")?.dataset.word,
      witness = known.get(word ?? "")?.witness;
    if (witness !== pointed) showGhost(word);
    pointed = witness ?? null;
  });
  list.addEventListener("pointerleave", () => {
    pointed = undefined;
    update({ ghost: null });
  });
  list.addEventListener("blur", () => update({ ghost: null }));
  const element = make("section", { class: "candidates" }, heading, summary, adding, list);
  // Beside a pointer that moves to a word nothing comes that would move the rows.
  const isPointedAt = () => pointed !== undefined && isHeld(list);
  return { element, draw, drawNotes, isPointedAt };

  /** Return the score that a word has here. @param {string} word */
  function scoreOf(word) {
    return shown.find((row) => row?.[0] === word)?.[1];
  }
}

/** Return the heads of the columns; the one that the rows are sorted by says so. */
const listHeads = () =>
  COLUMNS.map(([name, order, way]) => {
    const sorted = { "aria-sort": order === state.order ? way : null, title: t(`column_${name}_hint`) };
    const text = make("span", { class: name === "sign" && "spoken" }, t(`column_${name}`));
    return make("span", { role: "columnheader", class: name, ...sorted }, text);
  });

/**
 * Return how many words there are, by their verdicts, or why there is none.
 * @param {Slot | undefined} slot @param {Candidates} candidates
 */
function tell(slot, { words, verdicts, total, state: stage, dead }) {
  if (!slot) return t("no_slot");
  if (stage === "asking") return t("asking");
  if (dead.includes(slot.name)) return t("no_words_dead", { slots: nameDead(dead) });
  if (!words.length && stage === "judging") return t("asking"); // no fill: without what part is still to come
  if (!words.length && stage === "none") return "";
  if (!words.length) return state.minScore ? t("no_words_from", { score: state.minScore }) : t("no_words");
  return tellCounts(verdicts, total, stage);
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
  const counts = { yes: 0, no: 0, open: 0 },
    all = total.toLocaleString(state.language);
  for (const { verdict } of verdicts.values()) counts[verdict]++;
  if (stage === "judging" && !counts.yes) return t("none_yet", { all });
  const told = Object.entries(counts).filter(([verdict, count]) => count > 0 || verdict === "yes");
  const parts = told.map(([verdict, count]) => t(`count_${verdict}${count === 1 ? "_one" : ""}`, { count }));
  return `${parts.join(", ")} ${t("count_of", { all })}`;
}

/** Return a row; what it holds changes, it stays. @param {string} id */
function makeRow(id) {
  /** @param {string} name @param {Child[]} children */
  const held = (name, ...children) => make("span", { role: "gridcell", class: name }, ...children);
  const sign = make("span", { "aria-hidden": "true" }),
    word = make("span", { class: "word" }),
    reason = make("span", { class: "reason" }),
    least = make("span", {}),
    weakest = make("span", {});
  const told = held("sign", sign),
    score = held("score"),
    changes = held("changes"),
    best = held("best", reason, least, weakest);
  const buttons = Object.entries({ rescore: "✎", ban: "⊘" }).map(([what, icon]) =>
    make("button", { class: "small", tabindex: "-1", "data-do": what }, icon),
  );
  const cells = [told, held("name", word), score, changes, best, held("tools", buttons)];
  const element = make("div", { role: "row", id }, cells),
    parts = { sign, told, word, score, changes, best, reason, least, weakest };
  return { ...parts, buttons, element, key: /** @type {string | null} */ (null) };
}

/** @param {DrawnRow} row @param {Row | null} shown @param {Verdicts} verdicts @param {boolean} isSelected */
function drawRow(row, shown, verdicts, isSelected) {
  const [text, points, , reason] = shown ?? [null, 0, 0];
  const judged = (text !== null && verdicts.get(text)) || undefined,
    { verdict, best: reached, bound, changes, weakest } = judged ?? {};
  const key = [text, points, verdict, reached, bound, changes, weakest?.word, isSelected, state.language].join();
  if (row.key === key) return;
  row.key = key;
  const { element, sign, told, word, score, best, buttons } = row;
  mark(element, "data-word", text);
  mark(element, "class", verdict ?? "pending");
  mark(element, "aria-selected", String(isSelected));
  say(sign, verdict ? SIGNS[verdict] : "·");
  mark(told, "aria-label", verdict ? t(`verdict_${verdict}`) : null);
  if (text === null) return;
  say(word, text);
  say(row.changes, changes === undefined ? "" : String(changes));
  say(row.reason, reason ? t(reason) : "");
  if (reached === undefined) {
    say(row.least, weakest ? String(weakest.score) : "");
    say(row.weakest, weakest?.word ?? "");
  } else {
    say(row.least, `min ${reached === bound ? "" : "≥ "}${reached}`);
    say(row.weakest, "");
  }
  mark(best, "title", weakest ? t("weakest_of", weakest) : null);
  mark(score, "data-band", points >= 50 ? "strong" : points >= 40 ? "fair" : "weak");
  if (!score.querySelector("input")) say(score, String(Math.round(points)));
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
  const { score } = row,
    before = Number(score.textContent);
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
        if (input.value.trim() && given >= 0 && given <= 100) judgeWord({ rescore: word, score: given }, before);
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
