// Watch: a search step by step, for those who teach it. The grid shows what stands; here it is chosen and played.

import {
  choose,
  ended,
  find,
  hop,
  HOPS,
  jumpTo,
  KINDS,
  lastStep,
  pause,
  play,
  playToEnd,
  RATES,
  SEARCHES,
  stepBy,
  stop,
  takeFill,
} from "../ask/watching.js";
import { findSlot, listSlots } from "../model/puzzle.js";
import { state } from "../model/store.js";
import { nameSlot, t } from "../model/strings.js";
import { derived, peek } from "../model/tracked.js";
import { byId, fillWith, make, makeIcon, makeSelect, mark, say } from "./dom.js";

/** @import { Attributes, SearchEngine, SearchOptions, Step, TreeNode, WatchEnd, Watching } from "../../types.d.ts" */

const ORDERS = ["mrv", "degree", "bound-degree", "static", "random"];
const LIVE_RATE = 3;
/** @type {Record<SearchEngine, (keyof typeof KINDS)[]>} */
const COUNTERS = {
  ac3: [],
  fc: ["nodes", "backtracks", "jumps"],
  "fc-cbj": ["nodes", "backtracks", "jumps"],
  mac: ["nodes", "backtracks", "restarts"],
  weave: ["nodes", "backtracks", "jumps"],
  scaffold: ["nodes", "backtracks", "jumps"],
  letters: ["nodes", "backtracks"],
};
/** The kinds of steps that have buttons to go from one to the next. @type {(keyof typeof KINDS)[]} */
const HOPPED = ["backtracks", "jumps"];
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
const transport = make("div", { class: "transport" });
const line = make("p", { id: "watch-line" });
const counters = make("dl", { id: "watch-figures" });
const revising = make("dl", { id: "watch-revising" });
const tries = make("table", { id: "watch-tries" });
const rules = drawing("path", { "vector-effect": "non-scaling-stroke" });
const curve = drawing("polyline", { "vector-effect": "non-scaling-stroke" });
const ahead = drawing("rect", { y: "0", height: "100%" });
const here = drawing("line", { y1: "0", y2: "100%", "vector-effect": "non-scaling-stroke" });
const chart = drawing("svg", { id: "depths", role: "img", preserveAspectRatio: "none" }, rules, curve, ahead, here);
const axes = make("div", { "aria-hidden": "true" });
const legend = make("figcaption", {});
const figure = make("figure", {}, legend, axes, chart);
const heading = make("h2", {});
/** A figure of a search tree: its lines, its nodes, those that are dead ends, and the node of the step shown. */
const makeTree = (/** @type {string} */ id) => {
  const parts = ["lines", "nodes", "dead", "here"].map((name) =>
      drawing("path", { class: name, "vector-effect": "non-scaling-stroke" }),
    ),
    svg = drawing("svg", { id, class: "tree", role: "img", preserveAspectRatio: "none" }, ...parts),
    legend = make("figcaption", {});
  return { parts, svg, legend, figure: make("figure", {}, legend, svg) };
};
const [treeNow, treeBefore] = [makeTree("tree"), makeTree("tree-before")];
treeNow.svg.addEventListener("click", jumpToNode);
const sizes = make("dl", { id: "watch-sizes" });
const grid = byId("grid");
panel.append(
  terms,
  transport,
  line,
  counters,
  tries,
  revising,
  figure,
  treeNow.figure,
  treeBefore.figure,
  heading,
  sizes,
);

/** Draw the panel. */
export function drawWatch() {
  if (state.mode !== "watch") {
    if (state.watching) stop();
    return;
  }
  fillWith(terms, listTerms);
  fillWith(transport, listTransport);
  drawLine();
  revising.hidden = !state.watching || state.search.engine !== "ac3";
  fillWith(revising, listRevising);
  fillWith(counters, listCounters);
  tries.hidden = !state.watching?.done?.tries;
  fillWith(tries, listTries);
  drawDepths();
  drawTree(treeNow, state.watching?.tree, state.watching?.position.at ?? 0);
  drawTree(treeBefore, state.watching?.before, 0);
  drawSizes();
}

function listTerms() {
  const { search } = state,
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
  /** @param {string} name @param {HTMLElement} control */
  const label = (name, control) => make("label", {}, t(`search_${name}`), " ", control);
  /** @param {"engine" | "order"} name @param {readonly string[]} values @param {(value: string) => string} text */
  const select = (name, values, text) =>
    label(
      name,
      makeSelect({ id: `watch-${name}` }, values, search[name], text, (value) => choose({ [name]: value })),
    );
  return [
    select("engine", Object.keys(SEARCHES), (engine) => t(`engine_${engine}`)),
    has("order") && select("order", ORDERS, (order) => t(`order_${order}`)),
    search.engine !== "ac3" &&
      label(
        "seed",
        make("input", {
          id: "watch-seed",
          type: "number",
          min: "0",
          max: "9999",
          value: String(search.seed),
          onchange: (event) => choose({ seed: Math.abs(Math.trunc(Number(event.currentTarget.value))) || 0 }),
        }),
      ),
    box("ac3"),
    box("restarts"),
    box("shuffle"),
  ];
}

/** Return how far the search is watched, and how many of its steps are there, in a list that grows. */
const placeHere = () => ({
  playing: Boolean(state.watching?.playing),
  at: state.watching?.position.at ?? 0,
  most: state.watching?.steps.length ?? 0,
  isOver: ended(),
});

/** Return the bar that plays the search: its slider, its buttons, and what leads from one event to the next. */
function listTransport() {
  const { playing, at, most, isOver } = derived(placeHere),
    { engine, speed } = state.search,
    watching = derived(() => state.watching !== null);
  /** @param {string} id @param {string} name @param {() => void} onclick @param {Attributes<HTMLButtonElement>} more */
  const button = (id, name, onclick, more) => make("button", { id: `watch-${id}`, onclick, ...more }, t(name));
  /**
   * @param {string} id @param {string} icon @param {string} name @param {() => void} onclick @param {boolean} disabled
   * @param {string} [title]
   */
  const sign = (id, icon, name, onclick, disabled, title = t(name)) =>
    make(
      "button",
      { id: `watch-${id}`, class: "icon", title, "aria-label": t(name), onclick, disabled },
      makeIcon(icon),
    );
  return [
    make("input", {
      id: "watch-at",
      type: "range",
      max: String(most),
      value: String(at),
      disabled: !most,
      "aria-label": t("counted_steps"),
      oninput: (event) => jumpTo(Number(event.currentTarget.value)),
    }),
    make(
      "div",
      { class: "buttons" },
      sign("rewind", "start", "rewind", () => jumpTo(0), !at),
      sign("back", "back", "step_back", () => stepBy(-1), !at),
      make(
        "button",
        { id: "watch-play", class: "icon primary", onclick: playing ? pause : play },
        makeIcon(playing ? "pause" : "play"),
        t(playing ? "pause" : "play"),
      ),
      sign("step", "on", "step_on", () => stepBy(1), isOver),
      sign("end", "end", "to_end", playToEnd, isOver),
      makeSelect(
        { id: "watch-speed", "aria-label": t("search_speed") },
        [...RATES.keys()],
        speed,
        (each) => t("per_second", { count: RATES[each] }),
        (value) => choose({ speed: Number(value) }),
      ),
    ),
    make(
      "div",
      { class: "buttons" },
      HOPPED.filter((kind) => COUNTERS[engine].includes(kind)).map((kind) => [
        make("span", { class: "summary" }, t(`counted_${kind}`)),
        HOPS.filter(([, each]) => each === kind).map(([key, , way, id]) => {
          const disabled = watching ? !peek(() => find(kind, way)) : way < 0;
          return sign(id, way < 0 ? "before" : "after", id, () => hop(kind, way), disabled, `${t(id)} (${key})`);
        }),
      ]),
      button("take", "take_fill", takeFill, { disabled: peek(lastStep)?.step !== "fill" }),
      button("stop", "stop", stop, { title: "Esc", disabled: !watching }),
    ),
  ];
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

/** Return what a person calls the slot of a name, and anything else as it is. @param {unknown} name */
const named = (name) => {
  const slot = typeof name === "string" && findSlot(state.puzzle, name);
  return slot ? nameSlot(slot) : name;
};

/** Return what a step did. @param {Step | undefined} step */
function tellStep(step) {
  if (!step) return t("told_sizes");
  const told = Object.fromEntries(Object.entries(step).map(([key, value]) => [key, named(value)]));
  switch (step.step) {
    case "revision":
      if (step.before === step.after) return t("told_no_removal", told);
      if (state.search.engine === "mac") return t("told_propagation", told);
      return t(step.support ? "told_revision" : "told_narrowing", told);
    case "assignment":
      return t(step.wipeout ? "told_wipeout" : "told_assignment", told);
    case "backtrack":
      if (!step.target) return t("told_nothing_left");
      return t(step.jumps ? "told_jump" : "told_backtrack", { ...told, blamed: named(step.conflicts.at(-1)) });
    case "refutation":
      return t(step.wipeout ? "told_refuted_wipeout" : "told_refuted", told);
    case "restart":
      return t("told_restart", told);
    case "letter":
      return t(step.wipeout ? "told_letter_wipeout" : "told_letter", told);
    case "no_letter":
      return t(step.depth > 1 ? "told_no_letter" : "told_nothing_left", told);
    default:
      return t("told_fill");
  }
}

/** Return how the search ended. @param {WatchEnd} end */
function tellEnd({ status, steps }) {
  if (status === "UNSATISFIABLE") return t("no_fill");
  if (state.search.engine === "ac3") return t("told_consistent");
  return status === "UNKNOWN" ? t("told_more", { steps: steps.toLocaleString(state.language) }) : "";
}

/** Return what is counted of the steps that are done. */
function figuresHere() {
  const { watching } = state,
    done = watching?.steps.slice(0, watching.position.at);
  return /** @type {[string, string | number][]} */ ([
    ["steps", done ? `${done.length} / ${watching?.steps.length}${watching?.done ? "" : " …"}` : "–"],
    ...COUNTERS[state.search.engine].map((name) => [name, done?.filter(KINDS[name]).length ?? "–"]),
  ]);
}

const listCounters = () =>
  derived(figuresHere).map(([name, figure]) =>
    make("div", {}, make("dt", {}, t(`counted_${name}`)), make("dd", { id: `watch-${name}` }, String(figure))),
  );

/** Return the steps of each word, to expect and counted: of the two methods for which there is an estimate. */
function listTries() {
  const found = derived(() => state.watching?.done?.tries ?? []),
    { language } = state,
    head = ["tries_word", "tries_expected", "counted_steps", "tries_tried"].map((name) => make("th", {}, t(name)));
  return [
    make("tr", {}, ...head),
    ...found.map(({ log10_expected: power, steps, tried }, at) => {
      const small = (10 ** (power ?? 0)).toLocaleString(language, { maximumSignificantDigits: 3 }),
        told = power === null ? "–" : power < 3 ? small : `10^${power.toFixed(1)}`,
        numbers = [at + 1, told, steps, tried].map((number) => make("td", {}, number.toLocaleString(language)));
      return make("tr", {}, ...numbers);
    }),
  ];
}

/** Return what AC-3 has still to revise, and the words that its last revision removed. */
function listRevising() {
  const { watching, language } = state,
    step = lastStep(),
    revision = step?.step === "revision" ? step : null,
    queue = revision?.queue ?? Object.keys(watching?.sizes ?? {}),
    gone = revision ? revision.before - revision.after : 0;
  return [
    make("dt", {}, t("queue", { count: queue.length })),
    make("dd", { id: "watch-queue", tabindex: "0" }, queue.map(named).join(", ") || "–"),
    make("dt", {}, t("removed", { count: gone.toLocaleString(language) })),
    make(
      "dd",
      { id: "watch-removed" },
      revision?.removed.join(", ") || "–",
      gone > (revision?.removed.length ?? 0) && " …",
    ),
  ];
}

/** Return the round numbers at an axis, about five. @param {number} most */
function ticksTo(most) {
  const by = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((by) => 5 * by >= most) ?? 1000;
  return Array.from({ length: Math.floor(most / by) + 1 }, (_, at) => at * by);
}

/**
 * Return the numbers at an axis, the last with its unit.
 * @param {"left" | "bottom"} side @param {number[]} ticks @param {number} long @param {string} unit
 */
const label = (side, ticks, long, unit) =>
  ticks.map((at, i) => {
    const said = at.toLocaleString(state.language);
    return make("span", { style: { [side]: `${(100 * at) / long}%` } }, ticks[i + 1] ? said : `${said} ${t(unit)}`);
  });

const NO_DEPTHS = { depths: [], position: { at: 0 } };

/** Return how many words all are, how many steps there are, in a list that grows, and whether others may come. */
const sidesHere = () => ({
  all:
    state.search.engine === "letters"
      ? new Set(listSlots(state.puzzle).flatMap(({ cells }) => cells)).size
      : listSlots(state.puzzle).length,
  steps: state.watching?.depths.length ?? 0,
  done: state.watching?.done,
});

/** Return for how many steps the chart has room. @param {number} steps */
const roomFor = (steps) => Math.max(steps, 60);

/** Draw the depth after each step: to the right the steps, upwards how many words stand. */
function drawDepths() {
  const { depths, position } = state.watching ?? NO_DEPTHS,
    { all, steps } = sidesHere(),
    long = roomFor(steps);
  mark(chart, "aria-label", t("depth_now", { depth: depths[position.at - 1] ?? 0, all }));
  mark(ahead, "x", String(position.at));
  mark(ahead, "width", String(long - position.at));
  for (const end of ["x1", "x2"]) mark(here, end, String(position.at));
  say(legend, t("curve_legend"));
  figure.hidden = state.search.engine === "ac3";
  fillWith(axes, () => {
    const { all, steps } = derived(sidesHere),
      long = roomFor(steps),
      high = all + 1,
      [along, up] = [long, all].map(ticksTo);
    mark(chart, "viewBox", `0 0 ${long} ${high}`);
    mark(rules, "d", [...along.map((x) => `M${x} 0V${high}`), ...up.map((y) => `M0 ${high - y}H${long}`)].join(""));
    mark(curve, "points", depths.map((depth, at) => `${at + 1},${high - depth}`).join(" "));
    return [
      label("bottom", up, high, state.search.engine === "letters" ? "unit_letters" : "unit_words"),
      label("left", along, long, "unit_steps"),
    ];
  });
}

/**
 * Draw a tree from the top down.
 * @param {ReturnType<typeof makeTree>} to @param {Watching["tree"] | null | undefined} tree @param {number} at
 */
function drawTree({ parts, svg, legend, figure }, tree, at) {
  figure.hidden = !tree?.edges;
  if (!tree?.edges) return;
  const { nodes, edges, pruned } = tree,
    name = [t(`engine_${tree.engine}`), tree.order && t(`order_${tree.order}`)].filter(Boolean).join(", "),
    dot = (/** @type {TreeNode} */ { column, depth }) => `M${column} ${depth}h0`,
    lines = nodes.map((node) => `M${nodes[node.above]?.column ?? 0} ${node.depth - 1}L${node.column} ${node.depth}`),
    live = nodes.filter((node) => !node.dead).map(dot),
    dead = nodes.filter((node) => node.dead).map(dot),
    here = nodes.filter((node) => node.at <= at).slice(-1),
    told = { name, edges: edges.toLocaleString(state.language), pruned: pruned.toLocaleString(state.language) },
    said = t(edges > nodes.length ? "tree_in_part" : "tree_whole", { ...told, drawn: nodes.length }),
    wide = Math.max(...nodes.map((node) => node.column)) + 1,
    high = Math.max(...nodes.map((node) => node.depth)) + 1;
  mark(svg, "viewBox", `-0.5 -0.5 ${wide} ${high}`);
  for (const [i, each] of [lines, live, dead, here.map(dot)].entries()) mark(parts[i], "d", each.join(""));
  mark(svg, "aria-label", said);
  say(legend, said);
}

/** Go to the step of the node that is nearest to a click. @param {MouseEvent} event */
function jumpToNode({ clientX, clientY }) {
  const nodes = state.watching?.tree.nodes ?? [],
    matrix = treeNow.svg.getScreenCTM()?.inverse();
  if (!matrix || !nodes.length) return;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix),
    far = (/** @type {TreeNode} */ { column, depth }) => Math.hypot((column - x) * matrix.d, (depth - y) * matrix.a);
  jumpTo(nodes.reduce((best, node) => (far(node) < far(best) ? node : best)).at);
}

/** Return the slots of which it is known what they have. */
const slotsLeft = () => listSlots(state.puzzle).filter(({ name }) => state.trial?.left.has(name));

/** Draw what each slot has, and leave the numbers out of cells that are too small for them. */
function drawSizes() {
  const { puzzle, trial, language } = state,
    slots = slotsLeft();
  grid.classList.toggle("cramped", grid.clientWidth < READABLE * puzzle.width);
  say(heading, t("words_left"));
  heading.hidden = !trial;
  fillWith(sizes, () =>
    derived(slotsLeft).map((slot) => make("div", {}, make("dt", {}, nameSlot(slot)), make("dd", {}))),
  );
  if (!trial) return;
  for (const [at, { name }] of slots.entries()) {
    const left = trial.left.get(name) ?? "",
      shown = sizes.children[at].lastElementChild;
    if (shown) say(shown, typeof left === "number" ? left.toLocaleString(language) : left);
  }
}
