// The style criss-cross in Design: a list of one's own words with clues, and the grid that is arranged of them.

import { generating } from "../ask/questions.js";
import { findFault, readWords } from "../model/own-words.js";
import { answerOf, firstOpen, listSlots } from "../model/puzzle.js";
import { CRISS_CROSS, agree, here, improve, state, tellUndoable, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { track } from "../model/tracked.js";
import { byId, fillWith, make } from "./dom.js";
import { makeProgress } from "./progress.js";

/** @import { Clock, CrissCross, Fixed, Puzzle, Stage } from "../../types.d.ts" */
/** @import { Fault } from "../model/own-words.js" */

/** For how long an arrangement gets better. */
const ARRANGED_S = 30;

const own = track({
  /** What was looked at when its writer paused: it excludes what is half typed. */
  looked: /** @type {CrissCross | null} */ (null),
  /** Since when words are arranged. */
  clock: /** @type {Clock | null} */ (null),
  /** The cells that were arranged, and how good they are. */
  cells: /** @type {Puzzle["cells"] | null} */ (null),
  told: "",
  /** Why there is no grid. */
  refusal: "",
});

const box = make("div", { class: "own-words" }),
  making = make("div", { class: "row making" }),
  told = make("p", { id: "arranged", class: "summary", role: "status" });

export const ownWords = make("section", { hidden: true }, make("h2"), box, making, told);

/** Draw the words, and what is made of them. */
export function drawOwnWords() {
  ownWords.hidden = state.style !== CRISS_CROSS;
  if (ownWords.hidden) return;
  fillWith(/** @type {Element} */ (ownWords.firstElementChild), () => [t("own_words")]);
  fillWith(box, listFields);
  fillWith(making, listMakers);
  fillWith(told, () => [own.cells === state.puzzle.cells ? own.told : ""]);
}

/** Return the fault to tell: it was there when its writer paused, and still is. */
function faultHere() {
  const fault = findHere(state.crissCross);
  return own.looked && JSON.stringify(fault) === JSON.stringify(findHere(own.looked)) ? fault : null;
}

/** @param {CrissCross} how */
const findHere = (how) => findFault(readWords(how.text), how);

/** @param {Fault | null} fault */
const tell = (fault) => (fault ? t(fault.name, fault.values) : own.refusal);

function listFields() {
  const { text, rows, columns, most } = state.crissCross,
    words = readWords(text),
    clues = words.filter(({ clue }) => clue).length,
    fault = tell(faultHere());
  return [
    make("label", { for: "own-text" }, t("own_text")),
    make(
      "textarea",
      {
        id: "own-text",
        rows: "10",
        value: text,
        placeholder: t("own_hint"),
        autocomplete: "off",
        "aria-describedby": "own-count own-fault",
        "aria-invalid": String(Boolean(fault)),
        oninput: (event) => change({ text: event.currentTarget.value }),
        onchange: look,
      },
      text, // which is its value; the attribute tells that it is another
    ),
    make("p", { id: "own-count", class: "summary" }, t("own_count", { words: words.length, clues })),
    make("p", { id: "own-fault", class: "fault", role: "alert" }, fault),
    make(
      "div",
      { class: "row" },
      make(
        "span",
        { class: "labelled" },
        make("label", { for: "own-rows" }, t("own_size")),
        make("span", { class: "sides" }, side("rows", rows), "×", side("columns", columns)),
      ),
      make(
        "label",
        {},
        make("input", {
          id: "own-most",
          type: "checkbox",
          checked: most,
          onchange: (event) => change({ most: event.currentTarget.checked }),
        }),
        t("own_most"),
      ),
    ),
  ];
}

/** @param {"rows" | "columns"} name @param {string} value */
const side = (name, value) =>
  make("input", {
    id: `own-${name}`,
    type: "number",
    min: "1",
    max: "255",
    value,
    placeholder: t("own_any"),
    "aria-label": t(name),
    oninput: (event) => change({ [name]: event.currentTarget.value }),
    onchange: look,
  });

/** @param {Partial<CrissCross>} how */
function change(how) {
  own.refusal = "";
  agree({ crissCross: { ...state.crissCross, ...how } });
}

function look() {
  own.looked = state.crissCross;
  update({});
}

function listMakers() {
  const { clock } = own;
  if (clock)
    return [makeProgress({ id: "stop-arranging", stop: () => generating.stop(), tried: t("arranging"), clock })];
  return [make("button", { id: "arrange", class: "primary", onclick: arrange }, t("arrange"))];
}

/** Return the words with their clues; a word without a clue takes that of its entry in the grid, if it stands there. */
function listClues() {
  const { puzzle, crissCross } = state,
    standing = new Map(listSlots(puzzle).map((slot) => [answerOf(puzzle, slot), puzzle.clues[slot.name] ?? ""]));
  return readWords(crissCross.text).map(({ word, letters, clue }) => [word, clue || (standing.get(letters) ?? "")]);
}

/** Arrange the words: the best grid so far stands in the place of the one before, and one undo brings that back. */
async function arrange() {
  const { rows, columns, most } = state.crissCross;
  look();
  own.refusal = "";
  if (faultHere()) return byId("own-text").focus();
  own.clock = { since: performance.now(), most: ARRANGED_S };
  update({ message: "" });
  const past = [...state.past, here()],
    asked = {
      request: { words: state.words },
      style: CRISS_CROSS,
      clues: listClues(),
      seed: Math.floor(Math.random() * 2 ** 31),
      seconds: ARRANGED_S,
      ...(rows && { size: [Number(rows), Number(columns)] }),
      ...(most && { most }),
    };
  await generating.ask("generate", asked, (line) => {
    if (line.puzzle) take(line.puzzle, line.arrangement?.told ?? "", past);
    else if (line.done && !line.grids) own.refusal = tellNone(line);
  });
  if (generating.isRunning) return; // others are arranged in their place
  own.clock = null;
  if (own.cells === state.puzzle.cells) tellUndoable(own.told);
  update({});
  byId("grid").scrollIntoView({ block: "nearest" }); // a phone has it above what was pressed
}

/** Return why there is no grid. @param {Fixed<{status: string, why?: string}>} end */
const tellNone = ({ status, why }) => why?.split(";")[0] || t(status === "UNSATISFIABLE" ? "own_unfit" : "own_unfound");

/** Put an arrangement in the place of the grid. @param {Puzzle} puzzle @param {string} text @param {readonly Stage[]} past */
function take(puzzle, text, past) {
  own.cells = puzzle.cells;
  own.told = text;
  improve({ ...puzzle, metadata: state.puzzle.metadata }, past);
  if (puzzle.cells[state.cursor] === null) update({ cursor: firstOpen(puzzle) });
}
