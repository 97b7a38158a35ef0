// Clues: a sheet of all slots with their answers, and a look-up.

import { Asked } from "../ask/asked.js";
import { currentSlot, request } from "../ask/questions.js";
import { answerOf, DRAFT, isDraft, listSlots, unmarked } from "../model/puzzle.js";
import { prefer, state, travel, update } from "../model/store.js";
import { nameSlot, t, tellAnswers } from "../model/strings.js";
import { derived } from "../model/tracked.js";
import { inTab } from "../tab/tab.js";
import * as actions from "./actions.js";
import { drawSources, sources } from "./clue-sources.js";
import { byId, fillWith, make, makeSelect, mark, say } from "./dom.js";

/** @import { ClueOrder, FoundClue, Puzzle, Slot } from "../../types.d.ts" */

/** @typedef {Readonly<Record<string, number>>} Scores */

const panel = byId("panel-clues");
const heading = make("div", { class: "metadata" });
/** What is seldom written, and what clues are looked up in. */
const rest = make("div", { class: "metadata" });
const folded = make("summary", {});
const missing = make("p", { class: "summary" });
const progress = make("progress", { id: "clue-progress" });
const orders = make("span");
/** What is done with the clue at the cursor. */
const tools = make("div", { class: "controls" });
const sheet = make("div", { class: "sheet" });
/** What a screen reader announces when the text of the field changes. */
const spoken = make("p", { class: "spoken", "aria-live": "polite" });
const found = make("div", { class: "found", "aria-live": "polite" });
const lacking = make("p", { class: "summary", id: "no-dictionary" });
/** The sources of definitions, as their licences ask. */
const notices = make("p", { class: "summary", id: "notices" });
panel.append(
  heading,
  make("details", { id: "clue-rest" }, folded, rest, sources, lacking, notices),
  make("div", { class: "row clue-bar" }, progress, missing, orders, tools),
  spoken,
  sheet,
);
mark(missing, "id", "clue-missing");
mark(progress, "aria-labelledby", "clue-missing");
sheet.addEventListener("focusout", () => update({})); // the rows may be sorted again

const lookingUp = new Asked();

/** The texts of the puzzle that belong to no slot: the first ones every puzzle has. */
const METADATA = ["title", "author", "copyright", "notes"];

/** Return the field of such a text. @param {string} key */
function metadataRow(key) {
  const id = `meta-${key}`,
    hears = { id, oninput: hearing((text) => actions.setMetadata(key, text)), onkeydown: travels };
  return make(
    "div",
    { class: "row" },
    make("label", { for: id }, t(key)),
    key === "notes" ? make("textarea", { ...hears, rows: "2" }) : make("input", { ...hears, type: "text" }),
  );
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {string | undefined} id @returns {Field | null} */
function findField(id) {
  const field = id ? document.getElementById(id) : null;
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null;
}

/** Return the field of a slot's clue, which the sheet has once it is drawn. @param {Slot} slot */
const fieldOf = (slot) => findField(`clue-${slot.name}`);

/** The text of the puzzle that each field showed last, or that was typed there. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/** Show a text of the puzzle in its field, unless it was typed there. @param {Field | null} field @param {string} text */
function show(field, text) {
  if (!field || shown.get(field) === text) return;
  shown.set(field, text);
  field.value = text;
  fit(field);
  if (field === document.activeElement) say(spoken, text || t("empty"));
}

/**
 * Return what hears each key in a field of the puzzle.
 * @param {(text: string) => void} tell @returns {(event: Event & {currentTarget: Field}) => void}
 */
const hearing =
  (tell) =>
  ({ currentTarget: field }) => {
    const text = field.value.trim();
    shown.set(field, text);
    fit(field);
    tell(text);
  };

/** Take the mark of a draft from a clue that is being edited. @param {HTMLTextAreaElement} field */
function unmark(field) {
  if (!isDraft(field.value)) return;
  const at = Math.max(field.selectionStart - DRAFT.length, 0);
  field.value = unmarked(field.value);
  field.setSelectionRange(at, at);
}

/** Have a field as high as its text, in browsers that do not see to it themselves. @param {Field} field */
function fit(field) {
  if (!(field instanceof HTMLTextAreaElement) || CSS.supports("field-sizing", "content")) return;
  field.style.height = "0";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** The slots as they stand in the sheet, and what they are ordered by. */
const sorted = { by: "", slots: /** @type {readonly Slot[]} */ ([]) };

/**
 * Put the slots into the chosen order. Rows stay in place while someone writes a clue.
 * @param {readonly Slot[]} slots @param {Scores} scores
 */
function sort(slots, scores) {
  const { clueOrder, puzzle } = state,
    by = [clueOrder, ...slots.map(({ name }) => name)].join();
  if (by === sorted.by && sheet.contains(findField(document.activeElement?.id))) return;
  sorted.by = by;
  sorted.slots = clueOrder === "number" ? slots : slots.toSorted(ORDERS[clueOrder](puzzle, scores));
}

/** Draw the panel. */
export function drawClues() {
  if (state.mode !== "clues") return;
  drawSources();
  const { puzzle } = state,
    slots = listSlots(puzzle);
  fillWith(heading, () => METADATA.slice(0, 2).map(metadataRow));
  fillWith(rest, () => METADATA.slice(2).map(metadataRow));
  say(folded, t("clue_rest"));
  for (const key of METADATA) show(findField(`meta-${key}`), puzzle.metadata[key] ?? "");
  fillWith(orders, () => [
    makeSelect(
      { id: "clue-order", "aria-label": t("order") },
      CLUE_ORDERS,
      state.clueOrder,
      (name) => t(`clue_order_${name}`),
      (name) => prefer({ clueOrder: /** @type {ClueOrder} */ (name) }),
    ),
  ]);
  fillWith(tools, listTools);
  say(lacking, hasDictionary() ? "" : t(inTab ? "no_dictionary_tab" : "no_dictionary"));
  const told = state.about?.notices ?? [];
  say(notices, told.length ? t("definitions_from", { sources: told.join("; ") }) : "");
  const scores = state.figures?.fill?.scores ?? {};
  sort(slots, scores);
  fillWith(sheet, listLines);
  const answers = slots.map((slot) => answerOf(puzzle, slot, "·"));
  const words = new Set(answers.filter((answer) => answer.length >= SHORTEST));
  for (const slot of slots) {
    const field = fieldOf(slot),
      text = puzzle.clues[slot.name] ?? "";
    show(field, text);
    const given = text
      .toUpperCase()
      .normalize("NFD")
      .match(/[A-Z]+/g)
      ?.find((word) => words.has(word));
    if (field) {
      const draft = isDraft(text);
      mark(field, "class", given ? "gives-away" : draft ? "draft" : text ? null : "missing");
      mark(field, "title", given ? t("gives_away", { word: given }) : draft ? t("draft_clue") : null);
      const score = byId(`score-${slot.name}`);
      say(score, slot.name in scores ? String(Math.round(scores[slot.name])) : "");
    }
    drawDrafts(slot);
  }
  const unwritten = slots.filter(({ name }) => !puzzle.clues[name] || isDraft(puzzle.clues[name])).length;
  say(missing, t("missing", { count: unwritten, all: slots.length }));
  mark(progress, "max", String(slots.length));
  progress.value = slots.length - unwritten;
}

/** Return what looks up the clue at the cursor or sets it aside: one pair of buttons serves all rows. */
function listTools() {
  const slot = derived(currentSlot),
    looksUp = derived(canLookUp);
  if (!slot) return [];
  const name = nameSlot(slot);
  return [
    make("span", { class: "summary" }, name),
    looksUp &&
      make(
        "button",
        { id: "look-up", class: "small", title: `${t("look_up_hint")}: ${name}`, onclick: () => lookUp(slot) },
        t("look_up"),
      ),
    make(
      "button",
      { id: "set-aside", class: "small", title: `${t("set_aside")}: ${name}`, onclick: () => setAside(slot) },
      t("aside"),
    ),
  ];
}

/** Return the rows of the sheet: made anew when the words, their order or what they can be looked up in are others. */
function listLines() {
  const rows = derived(() => sorted.slots);
  lookingUp.end(); // what was looked up belongs to a word that may be another now
  found.replaceChildren();
  if (state.clueOrder !== "number") return rows.map(line);
  return ["Across", "Down"].map((direction) =>
    make("section", {}, make("h2", {}, t(direction)), rows.filter((slot) => slot.direction === direction).map(line)),
  );
}

/** Whether there is a dictionary or a file of clues, or it is not known yet. */
const hasDictionary = () => !state.about || state.about.dictionaries || Boolean(state.clueSources.length);

/** Whether there is anything to look clues up in: a dictionary, a file of clues, or another puzzle. */
const canLookUp = () => hasDictionary() || state.puzzles.length > 1;

/** From how many letters on a word of the grid gives itself away in a clue. */
const SHORTEST = 4;

/**
 * Orders of the clues: what compares two slots; by number they stand in two lists.
 * @type {Record<Exclude<ClueOrder, "number">, (puzzle: Puzzle, scores: Scores) => (one: Slot, other: Slot) => number>}
 */
const ORDERS = {
  missing: (puzzle) => (one, other) =>
    Number(Boolean(puzzle.clues[one.name])) - Number(Boolean(puzzle.clues[other.name])),
  score: (_, scores) => (one, other) => (scores[one.name] ?? -1) - (scores[other.name] ?? -1),
  length: () => (one, other) => other.cells.length - one.cells.length,
  word: (puzzle) => (one, other) => answerOf(puzzle, one).localeCompare(answerOf(puzzle, other)),
};

/** @type {ClueOrder[]} */
const CLUE_ORDERS = ["number", "missing", "score", "length", "word"];

/** Draw the drafts of a slot under its clue. @param {Slot} slot */
function drawDrafts(slot) {
  const list = document.getElementById(`drafts-${slot.name}`);
  /** @param {() => void} action */
  const then = (action) => () => {
    action();
    goBack(slot);
  };
  if (list)
    fillWith(list, () =>
      derived(() => state.puzzle.drafts[slot.name] ?? []).map((text, at) =>
        make(
          "li",
          {},
          button(
            "link",
            text,
            t("use_draft", { text }),
            then(() => actions.chooseDraft(slot.name, state.puzzle.clues[slot.name] ?? "", at + 1)),
          ),
          button(
            "small",
            "×",
            t("remove_draft", { text }),
            then(() => actions.removeDraft(slot.name, text)),
          ),
        ),
      ),
    );
}

/**
 * Return a button in the row of a slot, which Tab passes: keys do the same.
 * @param {string} kind @param {string} sign @param {string} title @param {() => void} onclick
 */
const button = (kind, sign, title, onclick) =>
  make("button", { class: kind, tabindex: "-1", onclick, title, "aria-label": title }, sign);

/** Return the row of a slot: its answer, its clue, and its drafts. @param {Slot} slot */
function line(slot) {
  const name = nameSlot(slot),
    answer = derived(() => tellAnswers(slot, "·"));
  return make(
    "div",
    { class: "clue" },
    make("span", { class: "number" }, String(slot.number)),
    make("button", { class: "answer", tabindex: "-1", onclick: () => actions.goToSlot(slot), title: name }, answer),
    make("span", { id: `score-${slot.name}`, class: "summary", title: t("scores") }),
    make("textarea", {
      id: `clue-${slot.name}`,
      rows: "1",
      "aria-label": `${t("clue_of", { slot: name })} ${answer.replaceAll("·", "?")}`,
      onfocus: () => actions.goToSlot(slot),
      oninput: (event) => {
        unmark(event.currentTarget);
        hearing((text) => actions.writeClue(slot.name, text.replace(/\s*\n\s*/g, " ")))(event);
      },
      onkeydown: (event) => hear(event, slot),
    }),
    make("span", { class: "enumeration" }, `(${slot.cells.length})`),
    make("ul", { class: "drafts", id: `drafts-${slot.name}`, "aria-label": t("drafts_of", { slot: name }) }),
  );
}

/** Undo or redo in a field of the puzzle as everywhere; returns whether the key asks for it. @param {KeyboardEvent} event */
function travels(event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return false;
  event.preventDefault();
  travel(key === "y" || event.shiftKey ? "future" : "past");
  drawClues(); // at once, for the next key is written into what the field has now
  return true;
}

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Enter goes to the next clue, and an arrow to a neighbour where its text has no further line; with Alt, Enter sets a
 * clue aside, the arrows go from draft to draft, and L looks clues up.
 * @param {KeyboardEvent & {currentTarget: HTMLTextAreaElement}} event @param {Slot} slot
 */
function hear(event, slot) {
  const { key, altKey, currentTarget: field } = event,
    by = STEPS[key];
  if (travels(event) || event.ctrlKey || event.metaKey) return;
  if (altKey && event.code === "KeyL" && canLookUp()) lookUp(slot);
  else if (altKey && key === "Enter") setAside(slot);
  else if (altKey && by) actions.chooseDraft(slot.name, state.puzzle.clues[slot.name] ?? "", by);
  else if (key === "Enter" || (by && !event.shiftKey && isEdge(field, by))) go(field, by ?? 1);
  else return;
  event.preventDefault();
  if (altKey) drawClues();
}

/** Whether the caret stands in the last line of a field, or with -1 in its first. @param {HTMLTextAreaElement} field @param {number} by */
function isEdge(field, by) {
  const ruler = /** @type {typeof field} */ (field.cloneNode());
  /** @param {string} text */
  const height = (text) => ((ruler.value = text), ruler.scrollHeight);
  Object.assign(ruler.style, { height: 0, minHeight: 0 });
  field.after(ruler);
  const { value, selectionStart: at } = field,
    here = height(value.slice(0, at) + /^\S*/.exec(value.slice(at))), // no line ends within a word
    edge = here === height(by > 0 ? value : "");
  ruler.remove();
  return edge;
}

/** Go to the clue so many places after that one. @param {HTMLTextAreaElement} field @param {number} by */
function go(field, by) {
  const fields = [...sheet.querySelectorAll("textarea")];
  fields[fields.indexOf(field) + by]?.focus();
}

/** Keep what stands in the field as a draft, and empty it. @param {Slot} slot */
function setAside(slot) {
  actions.setAside(slot.name, state.puzzle.clues[slot.name] ?? "");
  goBack(slot);
}

/** Take a clue that was found. @param {Slot} slot @param {string} text */
function take(slot, text) {
  actions.takeClue(slot.name, text);
  found.replaceChildren();
  goBack(slot);
}

/** Have the focus in the field of a slot, and its clue there. @param {Slot} slot */
function goBack(slot) {
  fieldOf(slot)?.focus();
  drawClues();
}

/** Look up the clues of a word, and show them to be taken. @param {Slot} slot */
async function lookUp(slot) {
  const word = answerOf(state.puzzle, slot, "");
  /** @type {FoundClue[]} */
  const texts = [];
  document.getElementById(`drafts-${slot.name}`)?.after(found); // Tab goes on to what is found
  found.replaceChildren();
  /** @param {FoundClue} clue */
  const isNew = ({ text }) => text !== state.puzzle.clues[slot.name];
  const record = { words: [word], files: state.clueSources, request: request() };
  const whole = await lookingUp.ask("clues", record, (line) => texts.push(...(line.clues ?? []).filter(isNew)));
  if (whole)
    found.replaceChildren(
      make("h2", {}, `${nameSlot(slot)} ${word}`),
      texts.length
        ? make(
            "ul",
            {},
            texts.map(({ text, source }) =>
              make(
                "li",
                {},
                make("button", { onclick: () => take(slot, text) }, text),
                source && make("span", { class: "summary" }, source),
              ),
            ),
          )
        : make("p", {}, t("no_suggestions")),
    );
}
