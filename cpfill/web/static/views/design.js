// Design: size, style, symmetry, blocks, bars and marks; grids that are generated.

import { askFigures, generating, judge, offering, rate, request } from "../ask/questions.js";
import { foreignIn, lettersIn } from "../model/own-words.js";
import { SYMMETRIES, listSlots, pairLengths } from "../model/puzzle.js";
import { CRISS_CROSS, agree, listOf, mine, prefer, state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived, peek, track, whenChanged } from "../model/tracked.js";
import { inTab } from "../tab/tab.js";
import * as actions from "./actions.js";
import { DRAGGED_WORD, TAP_MS, byId, closest, fillWith, isHeld, make, makeIcon, makeSelect, say } from "./dom.js";
import { makeEdits } from "./edits.js";
import { listFaults } from "./faults.js";
import { focusGrid } from "./grid.js";
import { drawOwnWords, ownWords } from "./own-words.js";
import { makeProgress } from "./progress.js";
import { makePool } from "./terms.js";
import { drawThumbnail, rowsOf } from "./thumbnails.js";

/** @import { Asked } from "./actions.js" */
/** @import { Child, FillFigures, Improved, Pattern, Symmetry } from "../../types.d.ts" */

/** The most rows or columns of a grid, as the server has it. */
const MOST = 255;

const panel = byId("panel-design");
const controls = make("div", { class: "controls" });
const options = make("div", { class: "options" });
const starters = make("div", { id: "starters" });
const seeds = make("fieldset", { id: "seeds" });
const pairing = make("p", { id: "pairing", class: "summary" });
const goals = make("div", { class: "goals" });
const pool = make("div", { class: "terms" });
const makers = make("div", { class: "makers" });
const faults = make("div", { class: "faults" });
const edits = makeEdits("ask-edits-design");
const checks = make("section", {}, faults, edits.element);
const status = make("p", { class: "summary", role: "status" });
const patterns = make("div", { id: "patterns", class: "patterns" });
/** The headings of the groups, by the names of their texts. */
const headings = { grid: make("h2"), group_theme: make("h2"), group_make: make("h2") };
/** The groups that a grid with rules for blocks has. */
const others = [
  make("section", {}, headings.group_theme, seeds, pairing),
  make("section", {}, headings.group_make, make("div", { class: "row making" }, makers, goals), pool, status, patterns),
];
panel.append(make("section", {}, headings.grid, options, controls, starters), ...others, ownWords, checks);

/** How many patterns are suggested, and how many are offered where the grid is empty. */
const PATTERNS = 8;
const STARTERS = 4;
/** The shortest and the longest side of a grid for which patterns are offered unasked, and for how long they are sought. */
const [SHORT, LONG] = [9, 25];
const STARTERS_S = 5;
/** The fewest letters of an entry in every style. */
const SHORTEST = 3;
/** What grids are filled with; an improving one gets better until it is stopped, or its time is over. */
const GOALS = ["goal_good", "goal_blocks", "goal_theme"];
const [FILLED_S, IMPROVED_S] = [60, 600];
const own = track({
  /** What is known of the grids that are made: since when, which entries do not pair up, how many were tried. */
  generating: /** @type {{since: number, most: number, unpaired?: string, tried?: number} | null} */ (null),
  /** The goal that was chosen; without one, the puzzle suggests it. */
  goal: "",
  /** Whether the patterns are still to take their order. */
  unranked: false,
  /** The patterns to begin with, of which size and style they are, and whether more may come. */
  starters: /** @type {Pattern[]} */ ([]),
  startersOf: "",
  seeking: false,
});
/** Return the goals that there are: bars are not improved. */
const goalsHere = () => (state.style === "barred" ? GOALS.slice(0, 1) : GOALS);
/** Return the goal that is chosen: a puzzle that has theme words is to have many of them. */
const goalHere = () => {
  const goal = own.goal || (state.pool.length ? "goal_theme" : "goal_good");
  return goalsHere().includes(goal) ? goal : "goal_good";
};

/** Draw the panel. */
export function drawDesign() {
  if (state.mode !== "design") return;
  for (const [name, heading] of Object.entries(headings)) say(heading, t(name));
  askStarters();
  fillWith(options, listOptions);
  fillWith(controls, listControls);
  drawOwnWords();
  for (const each of others) each.hidden = state.style === CRISS_CROSS;
  fillWith(starters, listStarters);
  fillWith(seeds, listSeeds);
  say(pairing, tellPairing());
  fillWith(makers, listMakers);
  fillWith(goals, () => choice("goal", goalsHere(), goalHere(), chooseGoal));
  fillWith(pool, () => (goalHere() === "goal_theme" ? [makePool("grid-pool")] : []));
  fillWith(status, listStatus);
  fillWith(patterns, () => {
    const [height, width] = derived(sidesHere);
    const found = state.patterns.filter(({ puzzle }) => puzzle.height === height && puzzle.width === width);
    return found.map((pattern) => makeThumbnail(pattern, actions.takePattern, tellRating(pattern)));
  });
  checks.hidden = state.style === CRISS_CROSS || isBlank();
  fillWith(faults, () => [make("h2", {}, t("faults")), listFaults()]);
  edits.draw();
}

/** Return how many rows and columns there are. */
const sidesHere = () => [state.puzzle.height, state.puzzle.width];

function listOptions() {
  const { about, style, symmetry } = state,
    [height, width] = derived(sidesHere),
    styles = choice("style", [...Object.keys(about?.styles ?? { american: "" }), CRISS_CROSS], style, chooseStyle);
  if (style === CRISS_CROSS) return [make("div", { class: "row" }, styles)];
  return [
    make(
      "form",
      { class: "row", onsubmit: changeSize },
      make(
        "span",
        { class: "labelled" },
        make("label", { for: "rows" }, t("size")),
        make(
          "span",
          { class: "sides" },
          side("rows", height),
          "×",
          side("columns", width),
          make("button", { id: "resize" }, t("resize")),
        ),
      ),
      styles,
      choice("symmetry", SYMMETRIES, symmetry, (chosen) => prefer({ symmetry: /** @type {Symmetry} */ (chosen) })),
    ),
  ];
}

function listSeeds() {
  const most = Math.max(...derived(sidesHere));
  return [make("legend", { class: "spoken" }, t("seeds")), seedRows().map((word, at) => makeSeed(word, at, most))];
}

/** @param {string} goal */
function chooseGoal(goal) {
  own.goal = goal;
  update({});
}

/** Return the news of the search for screen readers: entries without a partner, and how good the grid so far is. */
function listStatus() {
  if (!own.generating) return [];
  const notes = [own.generating.unpaired, state.patterns[0]?.told].filter(Boolean).join(" ");
  return [make("span", { class: "spoken" }, t("generating")), notes && ` ${notes}`];
}

function listMakers() {
  const known = own.generating;
  if (known) {
    const { tried } = known,
      told = tried ? t("generating_tried", { tried: tried.toLocaleString(state.language) }) : t("generating");
    return [makeProgress({ id: "stop-generating", stop: () => generating.stop(), tried: told, clock: known })];
  }
  return [
    make("button", { id: "generate-filled", class: "primary", onclick: () => fill(false) }, t("generate_filled")),
    make(
      "details",
      {
        class: "menu",
        id: "other-ways",
        onclick: shutMenu,
        ontoggle: (event) => event.currentTarget.lastElementChild?.scrollIntoView({ block: "nearest" }),
      },
      make("summary", {}, t("other_ways")),
      make(
        "div",
        {},
        make("button", { id: "suggest", onclick: suggest }, t("suggest")),
        make("button", { id: "generate", onclick: () => run({ number: 1 }) }, t("generate")),
        make("button", { id: "complete", onclick: () => fill(true) }, t("complete")),
      ),
    ),
  ];
}

/**
 * Shut the menu when one of its buttons was pressed.
 * @param {MouseEvent & {currentTarget: HTMLDetailsElement}} event
 */
function shutMenu(event) {
  if (closest(event, "button")) event.currentTarget.open = false;
}

/** Whether there is a grid of no blocks, bars or letters, of a size for which patterns are offered. */
function isBlank() {
  const { name, about, puzzle } = state,
    sides = sidesHere();
  if (!name || !about || state.style === CRISS_CROSS || (inTab && state.style === "barred")) return false;
  if (Math.min(...sides) < SHORT || Math.max(...sides) > LONG) return false;
  return !puzzle.bars.length && puzzle.cells.every((cell) => cell === "");
}

/** Return the size and style of the patterns to offer, or an empty text. */
const startersHere = () => (isBlank() ? [...sidesHere(), state.style, state.symmetry].join(" ") : "");

/** Seek patterns as soon as the grid is empty, and again when its size or style changes. */
const askStarters = whenChanged(
  () => derived(startersHere),
  () => {
    const wanted = startersHere();
    if (!wanted) offering.end();
    else if (wanted !== own.startersOf) seekStarters();
  },
);

/** Seek patterns to begin with. */
async function seekStarters() {
  Object.assign(own, { starters: [], startersOf: startersHere(), seeking: true });
  update({});
  const record = { ...askedHere(STARTERS_S), puzzle: mine(), number: STARTERS };
  const whole = await offering.ask("generate", record, ({ puzzle, theme }) => {
    if (puzzle && theme) own.starters = [...own.starters, { puzzle, theme }];
    update({});
  });
  if (offering.isRunning) return; // others are sought in their place
  own.seeking = false;
  if (!whole) own.startersOf = "";
  update({});
}

/** Take a pattern to begin with. The grid gets the focus, because the button disappears. @param {Pattern} pattern */
function begin(pattern) {
  actions.takePattern(pattern);
  focusGrid();
}

/** Return the patterns to begin with, and empty places for those that are still sought. */
function listStarters() {
  if (!derived(isBlank) || (!own.starters.length && !own.seeking)) return [];
  const places = Array.from({ length: STARTERS - own.starters.length }, () => make("div", { class: "thumbnail" }));
  return [
    make(
      "div",
      { class: "row" },
      make("h3", { id: "starters-heading" }, t("starters")),
      make("button", { id: "other-starters", class: "link", onclick: seekStarters }, t("starters_other")),
    ),
    make(
      "div",
      { class: "patterns", role: "group", "aria-labelledby": "starters-heading" },
      own.starters.map((pattern) => makeThumbnail(pattern, begin)),
      own.seeking && places,
    ),
  ];
}

/** Return the actions on cells, in groups; each button's title has its key. */
function listControls() {
  /** @param {string} id @param {string} icon @param {string | null} key @param {() => void} act */
  const action = (id, icon, key, act) => {
    const name = id.replaceAll("-", "_");
    return make(
      "button",
      { id, class: "icon", title: key ? `${t(name)} (${key})` : t(name), "aria-label": t(name), onclick: act },
      makeIcon(icon),
    );
  };
  const askRebus = () => byId("rebus-dialog", HTMLDialogElement).showModal();
  const colour = make("input", {
    id: "shade-colour",
    type: "color",
    value: peek(() => state.shade), // which this field alone changes
    "aria-label": t("shade_colour"),
    onchange: (event) => prefer({ shade: event.currentTarget.value }),
  });
  const marks = group(
    "group_marks",
    action("toggle-circle", "circle", "@", actions.circle),
    make("span", { class: "shading" }, action("toggle-shade", "shade", "`", actions.shade), colour),
    action("toggle-rebus", "rebus", "+", askRebus),
  );
  if (state.style === CRISS_CROSS) return [marks];
  return [
    group(
      "group_squares",
      make(
        "button",
        {
          id: "paint",
          class: "icon",
          "aria-pressed": String(state.painting),
          "aria-label": t("paint"),
          title: t("paint_hint"),
          onclick: () => update({ painting: !state.painting }),
        },
        makeIcon("paint"),
      ),
      action("toggle-block", "block", ".", actions.block),
      action("toggle-bar-right", "bar-right", ",", () => actions.bar("Across")),
      action("toggle-bar-below", "bar-below", "_", () => actions.bar("Down")),
    ),
    marks,
    group(
      "group_letters",
      action("limit-letters", "limit", "[", actions.askLimit),
      action("toggle-lock", "lock", "=", actions.lock),
      action("toggle-given", "given", null, actions.give),
    ),
  ];
}

/** @param {string} name @param {Child[]} buttons */
const group = (name, ...buttons) => make("fieldset", {}, make("legend", {}, t(name)), buttons);

/** @param {string} id @param {number} value */
const side = (id, value) =>
  make("input", { id, type: "number", min: "1", max: String(MOST), value: String(value), "aria-label": t(id) });

/** Return the entries around which a grid is made, as they are typed, the last one empty. */
const seedRows = () => (state.seeds.at(-1) === "" ? state.seeds : [...state.seeds, ""]);

/**
 * Return the row of an entry: what it is, how long, and whether it can stand in this grid.
 * @param {string} word @param {number} at @param {number} most
 */
function makeSeed(word, at, most) {
  const letters = lettersIn(word),
    hidden = !letters || letters.length > most;
  return make(
    "div",
    { class: "row seed" },
    make(
      "span",
      {
        class: "handle",
        draggable: "true",
        hidden,
        title: t("drag_hint"),
        "aria-hidden": "true",
        ondragstart: (event) => event.dataTransfer?.setData(DRAGGED_WORD, letters),
      },
      "⠿",
    ),
    make("input", {
      id: `seed-${at}`,
      type: "text",
      value: word,
      "aria-label": t("seed", { number: at + 1 }),
      placeholder: at ? "" : t("seed_hint"),
      autocomplete: "off",
      oninput: (event) => agree({ seeds: seedRows().with(at, event.currentTarget.value) }),
      onkeydown: (event) => {
        if (event.key === "Enter" && event.currentTarget.value.trim()) goToSeed(at + 1);
      },
      onpaste: (event) => pasteSeeds(event, at),
    }),
    make("span", { class: "summary" }, tellEntry(word, letters.length, most)),
    make(
      "button",
      { class: "small", hidden, title: t("place_hint"), onclick: () => actions.place(letters) },
      t("place"),
    ),
  );
}

/** Return how the lengths of the entries pair up, as a half turn has it. */
function tellPairing() {
  const [height, width] = sidesHere(),
    most = Math.max(height, width),
    lengths = seedWords().flatMap((word) => (foreignIn(word) ? [] : [lettersIn(word).length])),
    fitting = lengths.filter((length) => length >= SHORTEST && length <= most);
  if (state.symmetry !== "rotate" || fitting.length < 2) return "";
  const { pairs, middle, alone } = pairLengths(fitting, height, width);
  return [
    pairs.length && t("pair_pairs", { pairs: pairs.map((length) => `${length} + ${length}`).join(", ") }),
    middle && t("pair_middle", { length: middle }),
    alone.length && t("pair_alone", { lengths: alone.join(", ") }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Go to an entry, at once: the next key is for it. @param {number} at */
function goToSeed(at) {
  drawDesign();
  const field = byId(`seed-${at}`, HTMLInputElement);
  field.focus();
  field.select();
}

/**
 * Have each line that is pasted into an entry as an entry, the first where it was pasted.
 * @param {ClipboardEvent & {currentTarget: HTMLInputElement}} event @param {number} at
 */
function pasteSeeds(event, at) {
  const lines = (event.clipboardData?.getData("text") ?? "").split(/[\r\n]+/).filter((line) => line.trim());
  if (lines.length < 2) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget,
    [first, ...others] = lines;
  const written = value.slice(0, selectionStart ?? 0) + first + value.slice(selectionEnd ?? value.length);
  agree({ seeds: seedRows().toSpliced(at, 1, written, ...others) });
  goToSeed(at + lines.length);
}

/**
 * Return why an entry cannot stand in the grid, or how long it is.
 * @param {string} word @param {number} length @param {number} most
 */
function tellEntry(word, length, most) {
  const signs = foreignIn(word);
  if (signs) return t("seed_foreign", { signs });
  if (length > most) return t("seed_too_long", { length, most });
  if (length > 0 && length < SHORTEST) return t("seed_too_short", { length });
  return length ? t("seed_length", { length }) : "";
}

/**
 * Return a pattern as a small picture that puts it in the place of the grid.
 * @param {Pattern} pattern @param {(pattern: Pattern) => void} take @param {string} [rating]
 */
function makeThumbnail(pattern, take, rating) {
  const { puzzle } = pattern,
    told = tellPattern(puzzle);
  return make(
    "button",
    { class: "thumbnail", title: told, onclick: () => take(pattern) },
    drawThumbnail(rowsOf(puzzle), puzzle.bars),
    make("span", {}, told),
    rating && make("span", {}, rating),
  );
}

/** Return how well a pattern fills, as far as that is known. The status line rates a pattern that improves. @param {Pattern} pattern */
function tellRating({ scores, told }) {
  if (told !== undefined) return "";
  if (scores === null) return t("pattern_unfilled");
  return scores ? tellScores(scores) : "…";
}

/** @param {Pattern["puzzle"]} puzzle */
const tellPattern = (puzzle) =>
  t("pattern", { words: listSlots(puzzle).length, blocks: puzzle.cells.filter((cell) => cell === null).length });

/** @param {FillFigures} scores */
const tellScores = ({ mean_score, worst }) =>
  t("pattern_scores", { mean: Math.round(mean_score ?? 0), lowest: Math.round(worst[0]?.score ?? 0) });

/**
 * Offer patterns of this size and style, around the entries if there are any; a click takes one. Each is filled to see
 * how well it fills; they take their order when all are.
 */
async function suggest() {
  own.unranked = false;
  update({ patterns: [] });
  await run({ number: PATTERNS, fillable: seedWords().length > 0 }, (pattern) =>
    update({ patterns: [...state.patterns, pattern] }),
  );
  for (const pattern of state.patterns) {
    const scores = await rate(pattern.puzzle),
      at = state.patterns.indexOf(pattern);
    if (scores === undefined || at < 0) return; // others are offered, or another puzzle was opened
    update({ patterns: state.patterns.with(at, { ...pattern, scores }) });
  }
  own.unranked = true;
  rank();
}

/** Order the patterns, as soon as none would move under the pointer or the focus. */
function rank() {
  if (!own.unranked || isHeld(patterns)) return;
  own.unranked = false;
  const meanOf = (/** @type {Pattern} */ { scores }) => scores?.mean_score ?? 0;
  update({ patterns: state.patterns.toSorted((one, other) => meanOf(other) - meanOf(one)) });
}
for (const left of ["pointerleave", "focusout"]) patterns.addEventListener(left, () => setTimeout(rank, 2 * TAP_MS));

const seedWords = () => state.seeds.map((word) => word.trim()).filter(Boolean);

/**
 * @param {string} name @param {readonly string[]} values @param {string} chosen @param {(value: string) => void} choose
 */
const choice = (name, values, chosen, choose) => [
  make(
    "span",
    { class: "labelled" },
    make("label", { for: name }, t(name)),
    makeSelect({ id: name }, values, chosen, t, choose),
  ),
];

/** Choose a style, which brings its symmetry, and its list unless another was chosen. @param {string} style */
function chooseStyle(style) {
  const usual = state.words.join() === listOf();
  if (state.style === CRISS_CROSS) generating.stop(); // its grid so far stays
  const symmetry = style === CRISS_CROSS ? "none" : state.about?.styles[style];
  prefer({ style, symmetry: symmetry ?? state.symmetry });
  if (!usual || state.words[0] === listOf()) return askFigures();
  agree({ words: [listOf()] });
  update({ message: t("style_list", { name: listOf() }) });
  judge();
}

/** @param {SubmitEvent} event */
function changeSize(event) {
  event.preventDefault();
  const [height, width] = ["rows", "columns"].map((id) =>
    Math.max(1, Math.min(MOST, Number(byId(id, HTMLInputElement).value) || 15)),
  );
  actions.changeSize(height, width);
}

/**
 * Ask for a filled grid, or with `around` for one that keeps what stands. One that gets better is shown beside, and takes
 * the place of the grid when the search ends, unless something else has.
 * @param {boolean} around
 */
async function fill(around) {
  const goal = goalHere(),
    { past, pool } = state;
  if (goal === "goal_good" || (goal === "goal_theme" && !pool.length))
    return run({ number: 1, around, ...(around ? { fillable: true } : { filled: true }) });
  const how = goal === "goal_blocks" ? { fewest_blocks: true } : { filled: true, theme: pool };
  update({ patterns: [] });
  await run({ number: 1, around, ...how, seconds: IMPROVED_S }, (pattern) =>
    update({ patterns: [{ ...pattern, around, told: tellImproved(pattern, goal === "goal_blocks") }] }),
  );
  const [best] = state.patterns;
  update({ patterns: [] });
  if (best && state.past === past) actions.takePattern(best);
}

/** Return how good a grid is, and what is proved. @param {Improved} pattern @param {boolean} few */
function tellImproved({ puzzle, entries, value, bound, proved }, few) {
  const [values, bounds] = [value, bound].map((each) => Number(each).toLocaleString(state.language));
  if (few && !bound) return tellPattern(puzzle);
  if (few) return t(proved ? "improved_least" : "improved_blocks", { value: values, bound: bounds });
  const seeds = new Set(seedWords().map(lettersIn)),
    words = entries.filter((word) => !seeds.has(word)),
    counted = value === words.length ? "improved_words" : "improved_weight",
    told = t(counted, { words: words.length, value: values, bound: bounds });
  return words.length ? `${told}: ${words.join(", ")}` : told;
}

/**
 * Ask for grids of this size and style; each one takes the place of the grid, or goes to `each`.
 * @param {Partial<Asked> & {number: number, theme?: readonly string[]}} asked
 * @param {(pattern: Improved) => void} [each]
 */
async function run({ theme = [], seconds = FILLED_S, ...asked }, each) {
  if (inTab && state.style === "barred") return update({ message: "barred_tab" });
  own.generating = { since: performance.now(), most: seconds };
  update({ message: "" });
  const here = askedHere(seconds);
  await actions.generate(
    { ...here, seed_words: seedWords(), ...asked, request: { ...here.request, theme } },
    each,
    (line) => {
      if (own.generating) Object.assign(own.generating, line);
    },
  );
  own.generating = null;
  update({});
}

/** Return what is asked of every grid: its size and style. @param {number} seconds */
function askedHere(seconds) {
  const [height, width] = sidesHere();
  return {
    size: /** @type {[number, number]} */ ([height, width]),
    style: state.style,
    symmetry: state.about?.symmetries.includes(state.symmetry) ? state.symmetry : undefined,
    seed: Math.floor(Math.random() * 2 ** 31),
    seconds,
    request: { ...request(), theme: [] },
  };
}
