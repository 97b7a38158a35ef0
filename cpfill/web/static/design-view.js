// Design: size, style, symmetry, blocks, bars and marks; grids that are generated.

import * as actions from "./actions.js";
import { fillWith, make, makeSelect, say } from "./dom.js";
import { listFaults } from "./faults-view.js";
import { SYMMETRIES } from "./model.js";
import { askFigures, end } from "./questions.js";
import { prefer, state, update } from "./store.js";
import { t } from "./strings.js";

const panel = document.getElementById("panel-design");
const controls = make("div", { class: "controls" });
const options = make("div", { class: "options" });
const faults = make("div", { class: "faults" });
const status = make("p", { class: "progress" });
panel.append(options, controls, status, faults);

let generating = false;

/** Draw the panel. */
export function drawDesign() {
  if (state.mode !== "design") return;
  const { puzzle, style, symmetry, about, language } = state;
  fillWith(
    options,
    JSON.stringify([puzzle.height, puzzle.width, style, symmetry, about?.styles, language, generating]),
    () => [
      make(
        "form",
        { class: "row", onsubmit: changeSize },
        make("label", { for: "rows" }, t("size")),
        make("input", { id: "rows", type: "number", min: "2", max: "50", value: String(puzzle.height) }),
        "×",
        make("input", {
          id: "columns",
          type: "number",
          min: "2",
          max: "50",
          value: String(puzzle.width),
          "aria-label": t("size"),
        }),
        make("button", { id: "resize" }, t("resize")),
      ),
      choice("style", about?.styles ?? ["american"], style, chooseStyle),
      choice("symmetry", SYMMETRIES, symmetry, (chosen) => prefer({ symmetry: chosen })),
      make(
        "div",
        { class: "row" },
        make("label", { for: "seed-words" }, t("seed_words")),
        make("input", { id: "seed-words", type: "text" }),
      ),
      make(
        "div",
        { class: "row" },
        generating
          ? make("button", { id: "stop-generating", class: "primary", onclick: () => end("generating") }, t("stop"))
          : [
              make("button", { id: "generate", class: "primary", onclick: () => start(false) }, t("generate")),
              make("button", { id: "generate-filled", onclick: () => start(true) }, t("generate_filled")),
              make("button", { id: "complete", onclick: () => start(false, true) }, t("complete")),
            ],
      ),
    ],
  );
  fillWith(controls, language, () => [
    make("button", { id: "toggle-block", onclick: actions.block }, t("toggle_block")),
    make("button", { id: "toggle-bar-right", onclick: () => actions.bar("Across") }, t("toggle_bar_right")),
    make("button", { id: "toggle-bar-below", onclick: () => actions.bar("Down") }, t("toggle_bar_below")),
    make("button", { id: "toggle-circle", onclick: actions.circle }, t("toggle_circle")),
    make(
      "span",
      { class: "shading" },
      make("button", { id: "toggle-shade", onclick: actions.shade }, t("toggle_shade")),
      make("input", {
        id: "shade-colour",
        type: "color",
        value: state.shade,
        "aria-label": t("shade_colour"),
        onchange: (event) => prefer({ shade: event.target.value }),
      }),
    ),
    make(
      "button",
      { id: "toggle-rebus", onclick: () => document.getElementById("rebus-dialog").showModal() },
      t("toggle_rebus"),
    ),
    make("button", { id: "limit-letters", onclick: actions.askLimit }, t("limit_letters")),
    make("button", { id: "toggle-given", onclick: actions.give }, t("toggle_given")),
    make("button", { id: "toggle-lock", onclick: actions.lock }, t("toggle_lock")),
  ]);
  fillWith(faults, JSON.stringify([state.figures?.faults[style], language]), () => [
    make("h2", {}, t("faults")),
    listFaults(),
  ]);
}

function choice(name, values, chosen, choose) {
  return make(
    "div",
    { class: "row" },
    make("label", { for: name }, t(name)),
    makeSelect({ id: name }, values, chosen, t, choose),
  );
}

function chooseStyle(style) {
  prefer({ style });
  askFigures();
}

function changeSize(event) {
  event.preventDefault();
  const [height, width] = ["rows", "columns"].map((id) =>
    Math.max(2, Math.min(50, Number(document.getElementById(id).value) || 15)),
  );
  actions.changeSize(height, width);
}

async function start(filled, around = false) {
  const words = document
    .getElementById("seed-words")
    .value.split(/[,\s]+/)
    .filter(Boolean);
  const { height, width } = state.puzzle;
  generating = true;
  update({ message: "" });
  say(status, t("generating"));
  await actions.generate({
    size: [height, width],
    style: state.style,
    symmetry: state.about?.symmetries.includes(state.symmetry) ? state.symmetry : undefined,
    filled,
    fillable: around,
    around,
    seed_words: words,
    number: 1,
    seed: Math.floor(Math.random() * 2 ** 31),
  });
  generating = false;
  say(status, "");
  update({});
}
