// Clues: a sheet of all slots with their answers, and a look-up.

import * as actions from "./actions.js";
import { drawSources, sources } from "./clue-sources.js";
import { byId, fillWith, make, makeSelect, mark, say } from "./dom.js";
import { answerOf, listSlots } from "./model.js";
import { end, inquire, request } from "./questions.js";
import { prefer, state, travel } from "./store.js";
import { nameSlot, t } from "./strings.js";

/** @import { ClueOrder, FoundClue, Puzzle, Slot } from "../types.d.ts" */

/** @typedef {Readonly<Record<string, number>>} Scores */

const panel = byId("panel-clues");
const heading = make("div", { class: "metadata" });
const missing = make("p", { class: "summary" });
const progress = make("progress", { id: "clue-progress" });
const orders = make("div", { class: "row" });
const sheet = make("div", { class: "sheet" });
/** What a screen reader announces when the text of the field changes. */
const spoken = make("p", { class: "spoken", "aria-live": "polite" });
const found = make("div", { class: "found", "aria-live": "polite" });
panel.append(heading, sources, make("div", { class: "row" }, progress, missing), orders, spoken, found, sheet);
mark(missing, "id", "clue-missing");
mark(progress, "aria-labelledby", "clue-missing");

/** Return the field of a slot's clue, which the sheet has once it is drawn. @param {Slot} slot */
const fieldOf = (slot) => {
  const field = document.getElementById(`clue-${slot.name}`);
  return field instanceof HTMLInputElement ? field : null;
};

/** Draw the panel. */
export function drawClues() {
  if (state.mode !== "clues") return;
  drawSources();
  const { puzzle, language } = state,
    slots = listSlots(puzzle);
  fillWith(heading, JSON.stringify([state.name, language, puzzle.metadata]), () =>
    ["title", "author", "copyright", "notes"].map((key) =>
      make(
        "div",
        { class: "row" },
        make("label", { for: `meta-${key}` }, t(key)),
        make("input", {
          id: `meta-${key}`,
          type: "text",
          value: puzzle.metadata[key] ?? "",
          onchange: (event) => actions.setMetadata(key, event.currentTarget.value),
        }),
      ),
    ),
  );
  const { clueOrder } = state,
    scores = state.figures?.fill?.scores ?? {};
  fillWith(orders, JSON.stringify([clueOrder, language]), () => [
    make("label", { for: "clue-order" }, t("order")),
    makeSelect(
      { id: "clue-order" },
      CLUE_ORDERS,
      clueOrder,
      (name) => t(`clue_order_${name}`),
      (name) => prefer({ clueOrder: /** @type {ClueOrder} */ (name) }),
    ),
  ]);
  const answers = slots.map((slot) => [slot.name, answerOf(puzzle, slot, "·")]);
  const sorted = clueOrder === "number" ? null : slots.toSorted(ORDERS[clueOrder](puzzle, scores));
  const shape = JSON.stringify([language, answers, sorted?.map((slot) => slot.name)]);
  fillWith(sheet, shape, () => {
    end("looking up"); // what was looked up belongs to a word that may be another now
    found.replaceChildren();
    if (sorted) return sorted.map(line);
    return ["Across", "Down"].map((direction) =>
      make("section", {}, make("h2", {}, t(direction)), slots.filter((slot) => slot.direction === direction).map(line)),
    );
  });
  const words = new Set(answers.map(([, answer]) => answer).filter((answer) => answer.length >= SHORTEST));
  for (const slot of slots) {
    const input = fieldOf(slot),
      text = puzzle.clues[slot.name] ?? "";
    if (input && input !== document.activeElement && input.value !== text) input.value = text;
    const given = text
      .toUpperCase()
      .normalize("NFD")
      .match(/[A-Z]+/g)
      ?.find((word) => words.has(word));
    if (input) {
      mark(input, "class", given ? "gives-away" : text ? null : "missing");
      mark(input, "title", given ? t("gives_away", { word: given }) : null);
      const score = byId(`score-${slot.name}`);
      say(score, slot.name in scores ? String(Math.round(scores[slot.name])) : "");
    }
    drawDrafts(slot);
  }
  const lacking = slots.filter((slot) => !puzzle.clues[slot.name]).length;
  say(missing, t("missing", { count: lacking, all: slots.length }));
  mark(progress, "max", String(slots.length));
  progress.value = slots.length - lacking;
}

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
  const list = document.getElementById(`drafts-${slot.name}`),
    drafts = state.puzzle.drafts[slot.name] ?? [];
  /** @param {() => void} action */
  const then = (action) => () => {
    action();
    goBack(slot);
  };
  if (list)
    fillWith(list, JSON.stringify(drafts), () =>
      drafts.map((text, at) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              class: "link",
              "aria-label": t("use_draft", { text }),
              onclick: then(() => actions.chooseDraft(slot.name, state.puzzle.clues[slot.name] ?? "", at + 1)),
            },
            text,
          ),
          make(
            "button",
            {
              class: "small",
              "aria-label": t("remove_draft", { text }),
              onclick: then(() => actions.removeDraft(slot.name, text)),
            },
            "×",
          ),
        ),
      ),
    );
}

/** Return the row of a slot: its answer, its clue, and its drafts. @param {Slot} slot */
function line(slot) {
  const name = nameSlot(slot);
  return make(
    "div",
    { class: "clue" },
    make("span", { class: "number" }, String(slot.number)),
    make(
      "button",
      { class: "answer link", onclick: () => actions.goToSlot(slot), title: name },
      answerOf(state.puzzle, slot, "·"),
    ),
    make("input", {
      id: `clue-${slot.name}`,
      type: "text",
      value: state.puzzle.clues[slot.name] ?? "",
      "aria-label": `${t("clue_of", { slot: name })} ${answerOf(state.puzzle, slot, "?")}`,
      onfocus: () => actions.goToSlot(slot),
      onchange: (event) => actions.writeClue(slot.name, event.currentTarget.value.trim()),
      onkeydown: (event) => hear(event, slot),
    }),
    make("span", { class: "length" }, `(${slot.cells.length})`),
    make("span", { class: "length", id: `score-${slot.name}`, title: t("scores") }),
    make(
      "button",
      { class: "small", onclick: () => lookUp(slot), "aria-label": `${t("look_up")}: ${name}` },
      t("look_up"),
    ),
    make(
      "button",
      {
        class: "small",
        onclick: () => setAside(slot),
        title: t("set_aside"),
        "aria-label": `${t("set_aside")}: ${name}`,
      },
      "+",
    ),
    make("ul", { class: "drafts", id: `drafts-${slot.name}`, "aria-label": t("drafts_of", { slot: name }) }),
  );
}

/** @type {Record<string, "past" | "future">} */
const WAYS = { z: "past", y: "future" };

/** @type {Record<string, number>} */
const STEPS = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/**
 * Enter and the arrows go from clue to clue; with Alt the one sets a clue aside, the others go from draft to draft.
 * Where nothing has been typed yet, undo and redo are those of the page.
 * @param {KeyboardEvent & {currentTarget: HTMLInputElement}} event @param {Slot} slot
 */
function hear(event, slot) {
  const field = event.currentTarget,
    way = event.ctrlKey || event.metaKey ? WAYS[event.key] : undefined;
  if (way && field.value.trim() === (state.puzzle.clues[slot.name] ?? "")) {
    event.preventDefault();
    travel(way);
    show(slot);
    return;
  }
  const by = STEPS[event.key];
  if (!by || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.altKey) {
    if (event.key === "Enter") setAside(slot);
    else actions.chooseDraft(slot.name, field.value.trim(), by);
    show(slot);
    return;
  }
  const inputs = [...sheet.querySelectorAll("input")];
  inputs[inputs.indexOf(field) + by]?.focus();
}

/** Keep what stands in the field as a draft, and empty it. @param {Slot} slot */
function setAside(slot) {
  actions.setAside(slot.name, fieldOf(slot)?.value.trim() ?? "");
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
  show(slot);
}

/** Show the clue in its field although it has the focus. @param {Slot} slot */
function show(slot) {
  const text = state.puzzle.clues[slot.name] ?? "",
    field = fieldOf(slot);
  if (field) field.value = text;
  say(spoken, text || t("empty"));
}

/** Look up the clues of a word, and show them to be taken. @param {Slot} slot */
async function lookUp(slot) {
  const word = answerOf(state.puzzle, slot, "");
  /** @type {FoundClue[]} */
  const texts = [];
  const whole = await inquire(
    "looking up",
    "clues",
    { words: [word], files: state.clueSources, request: request() },
    (line) => texts.push(...(line.clues ?? [])),
  );
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
                make("button", { class: "link", onclick: () => take(slot, text) }, text),
                source ? ` ${source}` : "",
              ),
            ),
          )
        : make("p", {}, t("no_suggestions")),
    );
}
