// Watch: a search step by step, for those who teach it. The grid shows what stands; here is how it is chosen and played.

import { fillWith, make, mark, say } from "./dom.js";
import { findSlot, listSlots } from "./model.js";
import { state } from "./store.js";
import { nameSlot, t } from "./strings.js";
import { choose, ended, lastStep, pause, play, playToEnd, RATES, rewind, stepBy, stop } from "./watching.js";

const ENGINES = ["fc", "fc-cbj"];
const ORDERS = ["mrv", "degree", "bound-degree", "static", "random"];
const LIVE_RATE = 3;
const COUNTERS = ["nodes", "backtracks", "jumps"];

const drawing = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const panel = document.getElementById("panel-watch");
const terms = make("div", { class: "terms" });
const controls = make("div", { class: "controls" });
const line = make("p", { id: "watch-line" });
const counters = make("dl", { class: "figures" });
const curve = drawing("polyline", { "vector-effect": "non-scaling-stroke" });
const chart = drawing("svg", { id: "depths", role: "img", preserveAspectRatio: "none" }, curve);
panel.append(terms, controls, line, counters, chart);

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
}

function drawTerms() {
  const { search, language } = state;
  const select = (name, values, text) =>
    make("label", {}, t(`search_${name}`), " ", make("select", { id: `watch-${name}`, onchange: (event) => choose({ [name]: event.target.value }) }, values.map((value) => make("option", { value, selected: value === search[name] }, text(value)))));
  fillWith(terms, JSON.stringify([search, language]), () => [
    select("engine", ENGINES, (engine) => t(`engine_${engine}`)),
    make("label", {}, make("input", { id: "watch-ac3", type: "checkbox", checked: search.ac3, onchange: (event) => choose({ ac3: event.target.checked }) }), ` ${t("search_ac3")}`),
    select("order", ORDERS, (order) => t(`order_${order}`)),
    make("label", {}, t("search_speed"), " ", make("select", { id: "watch-speed", onchange: (event) => choose({ speed: Number(event.target.value) }) }, RATES.map((count, speed) => make("option", { value: String(speed), selected: speed === search.speed }, t("per_second", { count }))))),
  ]);
}

function drawControls() {
  const { watching, language } = state, playing = Boolean(watching?.playing), at = watching?.position.at ?? 0;
  fillWith(controls, JSON.stringify([playing, at > 0, watching === null, ended(), language]), () => [
    make("button", { id: "watch-play", class: "primary", onclick: playing ? pause : play }, t(playing ? "pause" : "play")),
    make("button", { id: "watch-back", disabled: !at, onclick: () => stepBy(-1) }, t("step_back")),
    make("button", { id: "watch-step", disabled: ended(), onclick: () => stepBy(1) }, t("step_on")),
    make("button", { id: "watch-end", disabled: ended(), onclick: playToEnd }, t("to_end")),
    make("button", { id: "watch-rewind", disabled: !at, onclick: rewind }, t("rewind")),
    make("button", { id: "watch-stop", title: "Esc", disabled: watching === null, onclick: stop }, t("stop")),
  ]);
}

function drawLine() {
  const { watching } = state, fast = watching?.playing && (watching.hurried || RATES[state.search.speed] > LIVE_RATE);
  mark(line, "aria-live", fast ? "off" : "polite");
  say(line, !watching ? t("watch_idle") : ended() ? [tellStep(lastStep()), tellEnd(watching.done)].filter(Boolean).join(" ") : tellStep(lastStep()));
}

const named = (name) => {
  const slot = findSlot(state.puzzle, name);
  return slot ? nameSlot(slot) : name;
};

function tellStep(step) {
  switch (step?.step) {
    case "revision":
      return t(step.support ? "told_revision" : "told_narrowing", { ...step, slot: named(step.slot), support: named(step.support) });
    case "assignment":
      return t(step.wipeout ? "told_wipeout" : "told_assignment", { ...step, slot: named(step.slot), wipeout: named(step.wipeout) });
    case "backtrack":
      if (!step.target) return t("told_nothing_left");
      return t(step.jumps ? "told_jump" : "told_backtrack", { ...step, slot: named(step.slot), blamed: named(step.conflicts.at(-1)) });
    case "fill":
      return t("told_fill");
    default:
      return t("told_sizes");
  }
}

function tellEnd({ status, steps }) {
  if (status === "UNSATISFIABLE") return t("no_fill");
  return status === "UNKNOWN" ? t("told_more", { steps: steps.toLocaleString(state.language) }) : "";
}

function drawCounters() {
  const { watching, language } = state, position = watching?.position;
  const figures = [["steps", position ? `${position.at} / ${watching.steps.length}${watching.done ? "" : " …"}` : "–"], ...COUNTERS.map((name) => [name, position?.[name] ?? "–"])];
  fillWith(counters, JSON.stringify([figures, language]), () =>
    figures.map(([name, figure]) => [make("dt", {}, t(`counted_${name}`)), make("dd", { id: `watch-${name}` }, String(figure))]));
}

let drawn = 0;
let drawnOf = null;

/** Draw the depth after each step: to the right the steps, upwards how many words stand. */
function drawDepths() {
  const { watching } = state, depths = watching?.position.depths ?? [], high = listSlots(state.puzzle).length + 1;
  mark(chart, "aria-label", t("depth_now", { depth: depths.at(-1) ?? 0, all: high - 1 }));
  if (drawnOf === watching && drawn === depths.length) return;
  [drawnOf, drawn] = [watching, depths.length];
  mark(chart, "viewBox", `0 0 ${Math.max(depths.length, 60)} ${high}`);
  mark(curve, "points", depths.map((depth, at) => `${at + 1},${high - depth - 0.5}`).join(" "));
}
