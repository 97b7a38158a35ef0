// Design: size, style, symmetry, blocks, bars and marks; grids that are generated.

import * as actions from "./actions.js";
import { fillWith, make, makeSelect, say } from "./dom.js";
import { listFaults } from "./faults-view.js";
import { SYMMETRIES, listSlots } from "./model.js";
import { askFigures, end } from "./questions.js";
import { prefer, state, update } from "./store.js";
import { t } from "./strings.js";

/** The most rows or columns of a grid, as the server has it. */
const MOST = 255;
const SVG = "http://www.w3.org/2000/svg";

const panel = document.getElementById("panel-design");
const controls = make("div", { class: "controls" });
const options = make("div", { class: "options" });
const seeds = make("fieldset", { id: "seeds" });
const makers = make("div", { class: "row" });
const faults = make("div", { class: "faults" });
const status = make("p", { class: "progress", role: "status" });
const patterns = make("div", { id: "patterns", class: "patterns" });
panel.append(options, seeds, makers, status, patterns, controls, faults);

const PATTERNS = 8;
/** The entries around which a grid is made; the last row is empty. */
const words = [""];
let generating = false,
  found = [];

/** Draw the panel. */
export function drawDesign() {
  if (state.mode !== "design") return;
  const { puzzle, style, symmetry, about, language } = state;
  fillWith(options, JSON.stringify([puzzle.height, puzzle.width, style, symmetry, about?.styles, language]), () => [
    make(
      "form",
      { class: "row", onsubmit: changeSize },
      make("label", { for: "rows" }, t("size")),
      side("rows", puzzle.height),
      "×",
      side("columns", puzzle.width),
      make("button", { id: "resize" }, t("resize")),
      choice("style", about?.styles ?? ["american"], style, chooseStyle),
      choice("symmetry", SYMMETRIES, symmetry, (chosen) => prefer({ symmetry: chosen })),
    ),
  ]);
  fillWith(seeds, JSON.stringify([words.length, language]), () => [
    make("legend", {}, t("seeds")),
    words.map(makeSeed),
  ]);
  words.forEach(drawSeed);
  fillWith(makers, JSON.stringify([generating, language]), () =>
    generating
      ? [make("button", { id: "stop-generating", class: "primary", onclick: () => end("generating") }, t("stop"))]
      : [
          make("button", { id: "generate-filled", class: "primary", onclick: () => start(true) }, t("generate_filled")),
          make("button", { id: "generate", onclick: () => start(false) }, t("generate")),
          make("button", { id: "suggest", onclick: suggest }, t("suggest")),
          make("button", { id: "complete", onclick: () => start(false, true) }, t("complete")),
        ],
  );
  fillWith(patterns, JSON.stringify([found.length, language]), () => found.map(makeThumbnail));
  drawControls(language);
  fillWith(faults, JSON.stringify([state.figures?.faults[style], language]), () => [
    make("h2", {}, t("faults")),
    listFaults(),
  ]);
}

/** The actions on cells, in groups; each button's title has its key. */
function drawControls(language) {
  const action = (id, key, act, name = id.replaceAll("-", "_")) =>
    make("button", { id, title: key && `${t(name)} (${key})`, onclick: act }, t(name));
  const askRebus = () => document.getElementById("rebus-dialog").showModal();
  const colour = make("input", {
    id: "shade-colour",
    type: "color",
    value: state.shade,
    "aria-label": t("shade_colour"),
    onchange: (event) => prefer({ shade: event.target.value }),
  });
  fillWith(controls, language + state.painting, () => [
    group(
      "group_squares",
      make(
        "button",
        {
          id: "paint",
          "aria-pressed": String(state.painting),
          title: t("paint_hint"),
          onclick: () => update({ painting: !state.painting }),
        },
        t("paint"),
      ),
      action("toggle-block", ".", actions.block),
      action("toggle-bar-right", ",", () => actions.bar("Across")),
      action("toggle-bar-below", "_", () => actions.bar("Down")),
    ),
    group(
      "group_marks",
      action("toggle-circle", "@", actions.circle),
      make("span", { class: "shading" }, action("toggle-shade", "`", actions.shade), colour),
      action("toggle-rebus", "+", askRebus),
    ),
    group(
      "group_letters",
      action("limit-letters", "[", actions.askLimit),
      action("toggle-lock", "=", actions.lock),
      action("toggle-given", null, actions.give),
    ),
  ]);
}

const group = (name, ...buttons) => make("fieldset", {}, make("legend", {}, t(name)), buttons);

const side = (id, value) =>
  make("input", { id, type: "number", min: "1", max: String(MOST), value: String(value), "aria-label": t(id) });

/** Return the row of an entry: what it is, how long, and whether it can stand in this grid. */
function makeSeed(word, at) {
  const input = make("input", {
    id: `seed-${at}`,
    type: "text",
    value: word,
    "aria-label": t("seed", { number: at + 1 }),
    placeholder: at ? "" : t("seed_hint"),
    autocomplete: "off",
    oninput: () => {
      words[at] = input.value;
      if (at === words.length - 1 && input.value) words.push("");
      update({});
    },
  });
  const place = make(
    "button",
    { class: "small", title: t("place_hint"), onclick: () => actions.place(lettersIn(words[at])) },
    t("place"),
  );
  return make("div", { class: "row seed" }, input, make("span", { class: "summary" }), place);
}

const lettersIn = (word) => word.toUpperCase().replace(/[^\p{L}]/gu, "");

function drawSeed(word, at) {
  const [, told, place] = seeds.querySelectorAll(".seed")[at].children;
  const { length } = lettersIn(word),
    most = Math.max(state.puzzle.height, state.puzzle.width);
  say(told, !length ? "" : length > most ? t("seed_too_long", { length, most }) : t("seed_length", { length }));
  place.hidden = !length || length > most;
}

/** Return a pattern as a small picture that puts it in the place of the grid. */
function makeThumbnail(puzzle) {
  const { height, width, cells } = puzzle,
    picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("aria-hidden", "true");
  for (const [at, cell] of cells.entries()) {
    if (cell !== null) continue;
    const square = document.createElementNS(SVG, "rect");
    const sides = { x: at % width, y: Math.floor(at / width), width: 1, height: 1 };
    for (const [name, value] of Object.entries(sides)) square.setAttribute(name, value);
    picture.append(square);
  }
  const slots = listSlots(puzzle);
  const told = t("pattern", { words: slots.length, blocks: cells.filter((cell) => cell === null).length });
  return make(
    "button",
    { class: "thumbnail", title: told, onclick: () => actions.takePattern(puzzle) },
    picture,
    make("span", {}, told),
  );
}

/** Offer patterns of this size and style, around the entries if there are any; a click takes one. */
async function suggest() {
  found = [];
  await run({ number: PATTERNS, fillable: seedWords().length > 0 }, (puzzle) => {
    found.push(puzzle);
    update({});
  });
}

const seedWords = () => words.map((word) => word.trim()).filter(Boolean);

const choice = (name, values, chosen, choose) => [
  make("label", { for: name }, t(name)),
  makeSelect({ id: name }, values, chosen, t, choose),
];

function chooseStyle(style) {
  prefer({ style });
  askFigures();
}

function changeSize(event) {
  event.preventDefault();
  const [height, width] = ["rows", "columns"].map((id) =>
    Math.max(1, Math.min(MOST, Number(document.getElementById(id).value) || 15)),
  );
  actions.changeSize(height, width);
}

async function start(filled, around = false) {
  await run({ filled, fillable: around, around, number: 1 });
}

async function run(asked, each = null) {
  const { height, width } = state.puzzle;
  generating = true;
  update({ message: "" });
  say(status, t("generating"));
  await actions.generate(
    {
      size: [height, width],
      style: state.style,
      symmetry: state.about?.symmetries.includes(state.symmetry) ? state.symmetry : undefined,
      seed_words: seedWords(),
      seed: Math.floor(Math.random() * 2 ** 31),
      ...asked,
    },
    each,
  );
  generating = false;
  say(status, "");
  update({});
}
