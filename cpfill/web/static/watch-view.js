// Watch: a search step by step, for those who teach it. The grid shows what stands; here it is chosen and played.

import { byId, fillWith, make, makeSelect, mark, say } from "./dom.js";
import { findSlot, listSlots } from "./model.js";
import { state } from "./store.js";
import { nameSlot, t } from "./strings.js";
import {
  choose,
  ended,
  lastStep,
  pause,
  play,
  playToEnd,
  RATES,
  rewind,
  SEARCHES,
  stepBy,
  stop,
  takeFill,
} from "./watching.js";

/** @import { SearchEngine, SearchOptions, Step, WatchEnd } from "../types.d.ts" */

const ORDERS = ["mrv", "degree", "bound-degree", "static", "random"];
const LIVE_RATE = 3;
/** @type {Record<SearchEngine, ("nodes" | "backtracks" | "jumps" | "restarts")[]>} */
const COUNTERS = {
  ac3: [],
  fc: ["nodes", "backtracks", "jumps"],
  "fc-cbj": ["nodes", "backtracks", "jumps"],
  mac: ["nodes", "backtracks", "restarts"],
};
/** The least width of a cell, in pixels, in which numbers can be read. */
const READABLE = 30;

/**
 * @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Record<string, string>} attributes
 * @param {Node[]} children
 */
const drawing = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const panel = byId("panel-watch");
const terms = make("div", { class: "terms" });
const controls = make("div", { class: "controls" });
const line = make("p", { id: "watch-line" });
const counters = make("dl", { class: "figures" });
const curve = drawing("polyline", { "vector-effect": "non-scaling-stroke" });
const chart = drawing("svg", { id: "depths", role: "img", preserveAspectRatio: "none" }, curve);
const heading = make("h2", {});
const sizes = make("dl", { id: "watch-sizes" });
const grid = byId("grid");
panel.append(terms, controls, line, counters, chart, heading, sizes);

/** Draw the panel. */
export function drawWatch() {
  if (state.mode !== "watch") {
    if (state.watching) stop();
    return;
  }
  drawTerms();
  drawControls();
  drawLine();
  drawCounters();
  drawDepths();
  drawSizes();
}

function drawTerms() {
  const { search, language } = state,
    has = (/** @type {keyof SearchOptions} */ option) => SEARCHES[search.engine].includes(option);
  /** @param {"ac3" | "restarts" | "shuffle"} name */
  const box = (name) =>
    has(name) &&
    make(
      "label",
      {},
      make("input", {
        id: `watch-${name}`,
        type: "checkbox",
        checked: search[name],
        onchange: (event) => choose({ [name]: event.currentTarget.checked }),
      }),
      ` ${t(`search_${name}`)}`,
    );
  /** @param {"engine" | "order"} name @param {string[]} values @param {(value: string) => string} text */
  const select = (name, values, text) =>
    make(
      "label",
      {},
      t(`search_${name}`),
      " ",
      makeSelect({ id: `watch-${name}` }, values, search[name], text, (value) => choose({ [name]: value })),
    );
  fillWith(terms, JSON.stringify([search, language]), () => [
    select("engine", Object.keys(SEARCHES), (engine) => t(`engine_${engine}`)),
    box("ac3"),
    box("restarts"),
    has("order") && select("order", ORDERS, (order) => t(`order_${order}`)),
    box("shuffle"),
    search.engine !== "ac3" &&
      make(
        "label",
        {},
        t("search_seed"),
        " ",
        make("input", {
          id: "watch-seed",
          type: "number",
          min: "0",
          max: "9999",
          value: String(search.seed),
          onchange: (event) => choose({ seed: Math.abs(Math.trunc(Number(event.currentTarget.value))) || 0 }),
        }),
      ),
    make(
      "label",
      {},
      t("search_speed"),
      " ",
      makeSelect(
        { id: "watch-speed" },
        [...RATES.keys()],
        search.speed,
        (speed) => t("per_second", { count: RATES[speed] }),
        (speed) => choose({ speed: Number(speed) }),
      ),
    ),
  ]);
}

function drawControls() {
  const { watching, language } = state,
    playing = Boolean(watching?.playing),
    at = watching?.position.at ?? 0,
    filled = lastStep()?.step === "fill";
  fillWith(controls, JSON.stringify([playing, at > 0, watching === null, ended(), filled, language]), () => [
    make(
      "button",
      { id: "watch-play", class: "primary", onclick: playing ? pause : play },
      t(playing ? "pause" : "play"),
    ),
    make("button", { id: "watch-back", disabled: !at, onclick: () => stepBy(-1) }, t("step_back")),
    make("button", { id: "watch-step", disabled: ended(), onclick: () => stepBy(1) }, t("step_on")),
    make("button", { id: "watch-end", disabled: ended(), onclick: playToEnd }, t("to_end")),
    make("button", { id: "watch-rewind", disabled: !at, onclick: rewind }, t("rewind")),
    make("button", { id: "watch-take", disabled: !filled, onclick: takeFill }, t("take_fill")),
    make("button", { id: "watch-stop", title: "Esc", disabled: watching === null, onclick: stop }, t("stop")),
  ]);
}

function drawLine() {
  const { watching } = state,
    fast = watching?.playing && (watching.hurried || RATES[state.search.speed] > LIVE_RATE);
  mark(line, "aria-live", fast ? "off" : "polite");
  say(
    line,
    !watching
      ? t("watch_idle")
      : ended()
        ? [tellStep(lastStep()), watching.done && tellEnd(watching.done)].filter(Boolean).join(" ")
        : tellStep(lastStep()),
  );
}

/** @param {string | null | undefined} name */
const named = (name) => {
  const slot = name && findSlot(state.puzzle, name);
  return slot ? nameSlot(slot) : name;
};

/** Return what a step did. @param {Step | undefined} step */
function tellStep(step) {
  switch (step?.step) {
    case "revision":
      return t(state.search.engine === "mac" ? "told_propagation" : step.support ? "told_revision" : "told_narrowing", {
        ...step,
        slot: named(step.slot),
        support: named(step.support),
      });
    case "assignment":
      return t(step.wipeout ? "told_wipeout" : "told_assignment", {
        ...step,
        slot: named(step.slot),
        wipeout: named(step.wipeout),
      });
    case "backtrack":
      if (!step.target) return t("told_nothing_left");
      return t(step.jumps ? "told_jump" : "told_backtrack", {
        ...step,
        slot: named(step.slot),
        blamed: named(step.conflicts.at(-1)),
      });
    case "refutation":
      return t(step.wipeout ? "told_refuted_wipeout" : "told_refuted", {
        ...step,
        slot: named(step.slot),
        wipeout: named(step.wipeout),
      });
    case "restart":
      return t("told_restart", step);
    case "fill":
      return t("told_fill");
    default:
      return t("told_sizes");
  }
}

/** Return how the search ended. @param {WatchEnd} end */
function tellEnd({ status, steps }) {
  if (status === "UNSATISFIABLE") return t("no_fill");
  if (state.search.engine === "ac3") return t("told_consistent");
  return status === "UNKNOWN" ? t("told_more", { steps: steps.toLocaleString(state.language) }) : "";
}

function drawCounters() {
  const { watching, language } = state,
    position = watching?.position;
  const figures = [
    ["steps", position ? `${position.at} / ${watching.steps.length}${watching.done ? "" : " …"}` : "–"],
    ...COUNTERS[state.search.engine].map((name) => [name, position?.[name] ?? "–"]),
  ];
  fillWith(counters, JSON.stringify([figures, language]), () =>
    figures.map(([name, figure]) => [
      make("dt", {}, t(`counted_${name}`)),
      make("dd", { id: `watch-${name}` }, String(figure)),
    ]),
  );
}

/** @type {readonly number[]} */
const NONE = [];
let drawn = NONE;

/** Draw the depth after each step: to the right the steps, upwards how many words stand. */
function drawDepths() {
  const { watching } = state,
    depths = watching?.position.depths ?? NONE,
    high = listSlots(state.puzzle).length + 1;
  mark(chart, "aria-label", t("depth_now", { depth: depths.at(-1) ?? 0, all: high - 1 }));
  if (drawn === depths) return;
  drawn = depths;
  mark(chart, "viewBox", `0 0 ${Math.max(depths.length, 60)} ${high}`);
  mark(curve, "points", depths.map((depth, at) => `${at + 1},${high - depth - 0.5}`).join(" "));
}

/** Draw what each slot has, and leave the numbers out of cells that are too small for them. */
function drawSizes() {
  const { puzzle, trial, language } = state;
  grid.classList.toggle("cramped", grid.clientWidth < READABLE * puzzle.width);
  say(heading, t("words_left"));
  heading.hidden = !trial;
  if (!trial) return fillWith(sizes, "", () => []);
  const slots = listSlots(puzzle).filter(({ name }) => trial.left.has(name));
  fillWith(sizes, JSON.stringify([slots.map(({ name }) => name), language]), () =>
    slots.map((slot) => make("div", {}, make("dt", {}, nameSlot(slot)), make("dd", {}))),
  );
  for (const [at, { name }] of slots.entries()) {
    const left = trial.left.get(name) ?? "",
      shown = sizes.children[at].lastElementChild;
    if (shown) say(shown, typeof left === "number" ? left.toLocaleString(language) : left);
  }
}
