// The list of puzzles: a dialog that opens one. Each has its title, a small picture, its date and its progress.

import { get, messageOf } from "../ask/api.js";
import { stemOf } from "../ask/files.js";
import { findListed, inPlace, placesToDraw, shareOf } from "../model/previews.js";
import { state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import { derived, track } from "../model/tracked.js";
import { byId, dress, fillWith, make, makeIcon, mark, say } from "./dom.js";
import { drawThumbnail } from "./thumbnails.js";

/** @import { Listed, Preview } from "../../types.d.ts" */

/** More puzzles than these get a field to find one. */
const MANY = 8;
/** The height of a card, in rem. */
const CARD = 4.25;
/** The most cards that are in sight before the height of the list is known. */
const FEW = 8;

const heading = make("h2", { id: "puzzles-heading" });
const head = make("div", { class: "row" });
const list = make("ul", { class: "shelf", style: { "--card": `${CARD}rem` }, onkeydown: step, onscroll: look });
/** Actions that the header of a phone has no room for. */
const foot = make("div", { class: "row" });
const dialog = make(
  "dialog",
  { id: "puzzles-dialog", "aria-labelledby": "puzzles-heading" },
  heading,
  head,
  list,
  foot,
);
document.body.append(dialog);

const own = track({
  /** The puzzles, the last saved first; null until the server has listed them. */
  listed: /** @type {readonly Listed[] | null} */ (null),
  /** The text that the listed puzzles have in their names. */
  sought: "",
  /** The name of the puzzle to which Tab leads. */
  entry: "",
  /** The part of the list that is in sight, in cards. */
  sight: { top: 0, height: FEW },
  /** Opens a puzzle. */
  open: /** @type {((name: string) => void) | null} */ (null),
});

/** Return the name of the puzzle that is open, as people know it. */
const nameHere = () => state.puzzle.metadata.title || stemOf(state.name ?? "") || t("puzzles");

/** Return the button that shows the puzzles. @param {(name: string) => void} open  Opens one. */
export function makeOpener(open) {
  const name = derived(nameHere);
  return make(
    "button",
    {
      id: "puzzles",
      "aria-haspopup": "dialog",
      "aria-label": t("puzzles_open", { name }),
      title: state.name ?? "",
      "data-name": state.name,
      onclick: () => show(open),
    },
    make("span", {}, name),
  );
}

/** Show the puzzles. @param {(name: string) => void} open */
async function show(open) {
  Object.assign(own, { listed: null, sought: "", entry: state.name ?? "", open });
  draw();
  dialog.showModal();
  let unread = await read();
  if (document.activeElement?.id !== "find-puzzle") goTo(placeOf(listShown()));
  while (unread && dialog.open) unread = await read();
}

/** Ask for the puzzles. Resolves to the number of files that the server has still to read. */
async function read() {
  try {
    const { puzzles, unread } = await get("previews");
    own.listed = inPlace(puzzles, own.listed ?? []);
    draw();
    return unread;
  } catch (error) {
    own.listed ??= state.puzzles.map((name) => ({ name, saved: 0, preview: null }));
    update({ message: messageOf(error) });
    draw();
    return 0;
  }
}

function draw() {
  say(heading, t("puzzles"));
  fillWith(head, () => [
    (own.listed?.length ?? 0) > MANY &&
      make("input", {
        id: "find-puzzle",
        type: "search",
        value: own.sought,
        placeholder: t("puzzles_find"),
        "aria-label": t("puzzles_find"),
        autocomplete: "off",
        oninput: (event) => {
          own.sought = event.currentTarget.value;
          list.scrollTop = 0;
          draw();
        },
        onkeydown: (event) => {
          // Enter would press the button that has the focus once the dialog is closed.
          if (event.key === "ArrowDown" || event.key === "Enter") event.preventDefault();
          if (event.key === "ArrowDown") goTo(0);
          const [first] = listShown();
          if (event.key === "Enter" && first) choose(first.name);
        },
      }),
    make(
      "button",
      { id: "close-puzzles", class: "icon", "aria-label": t("close"), onclick: () => dialog.close() },
      makeIcon("close"),
    ),
  ]);
  fillWith(foot, () =>
    ["new", "import"].map((name) => make("button", { "data-tool": name, onclick: () => press(name) }, t(name))),
  );
  fillWith(list, listCards);
  dress(list, "--count", String(listShown().length || 1));
}

/** Return the puzzles that are found. */
const listShown = () => findListed(own.listed ?? [], own.sought);

/** Return the place among them to which Tab leads. @param {readonly Listed[]} shown */
const placeOf = (shown) =>
  Math.max(
    0,
    shown.findIndex(({ name }) => name === own.entry),
  );

function listCards() {
  if (!own.listed) return [make("li", { class: "summary" }, "…")];
  const shown = listShown(),
    entry = placeOf(shown);
  if (!shown.length) return [make("li", { class: "summary" }, t("puzzles_none"))];
  return placesToDraw(own.sight, shown.length, entry).map((at) => {
    const row = findRow(shown[at]);
    mark(row, "aria-setsize", String(shown.length));
    mark(row, "aria-posinset", String(at + 1));
    dress(row, "--at", String(at));
    mark(/** @type {Element} */ (row.firstElementChild), "tabindex", at === entry ? "0" : "-1");
    return row;
  });
}

/** The rows that were drawn. @type {WeakMap<Listed, HTMLElement>} */
const rows = new WeakMap();

/** Return the row of a puzzle, which remains the same as long as the puzzle does. @param {Listed} listed */
function findRow(listed) {
  const row = rows.get(listed) ?? make("li", {}, makeCard(listed));
  rows.set(listed, row);
  return row;
}

/** See which part of the list is in sight, and draw its cards; a dialog that is closed has none. */
function look() {
  if (!dialog.open) return;
  const height_px = CARD * parseFloat(getComputedStyle(document.documentElement).fontSize),
    [top, height] = [list.scrollTop, list.clientHeight].map((px) => Math.round(px / height_px));
  if (top !== own.sight.top || height !== own.sight.height) own.sight = { top, height };
  draw();
}
new ResizeObserver(look).observe(list);

/** Go to the card at a place of the list. @param {number} at */
function goTo(at) {
  const name = listShown()[at]?.name;
  if (name === undefined) return;
  own.entry = name;
  draw();
  byId(`card-${name}`).focus();
}

/** @param {Listed} listed */
function makeCard({ name, saved, preview }) {
  const title = preview?.title;
  return make(
    "button",
    {
      id: `card-${name}`,
      "data-puzzle": name,
      title: name,
      "aria-current": name === state.name && "true",
      onclick: () => choose(name),
    },
    make("span", { class: "picture" }, preview && drawThumbnail(preview.picture, preview.bars)),
    make("strong", {}, title || stemOf(name)),
    make("span", { class: "file" }, title ? name : ""),
    make("span", { class: "date" }, saved ? tellDate(saved) : ""),
    make("span", { class: "done" }, preview ? tellDone(preview) : ""),
    make("span", {
      class: "share",
      hidden: !preview || !shareOf(preview),
      style: { "--share": `${preview ? shareOf(preview) : 0}%` },
    }),
  );
}

/** Press a button of the header. @param {string} tool */
function press(tool) {
  dialog.close();
  byId(tool).click();
}

/** @param {string} name */
function choose(name) {
  dialog.close();
  own.open?.(name);
}

/** Return when a puzzle was saved: today its time, else the day. @param {number} saved */
function tellDate(saved) {
  const date = new Date(saved),
    isToday = date.toDateString() === new Date().toDateString(),
    place = navigator.languages.find((each) => each.startsWith(state.language)) ?? state.language;
  return isToday
    ? date.toLocaleTimeString(place, { timeStyle: "short" })
    : date.toLocaleDateString(place, { dateStyle: "medium" });
}

/** Return how far a puzzle is: the share of its letters and the number of its clues. @param {Preview} preview */
function tellDone({ picture, cells, letters, slots, clues }) {
  const size = `${picture.length} × ${picture[0]?.length ?? 0}`;
  if (!letters && !clues) return [size, t("puzzle_empty")].join(" · ");
  const share = (letters / cells).toLocaleString(state.language, { style: "percent" });
  return [size, t("puzzle_letters", { share }), t("puzzle_clues", { clues, slots })].join(" · ");
}

/** Go along the puzzles by arrows; a letter goes to the field that finds one. @param {KeyboardEvent} event */
function step(event) {
  const shown = listShown(),
    at = placeOf(shown),
    last = shown.length - 1,
    to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    if (to < 0) document.getElementById("find-puzzle")?.focus();
    else goTo(Math.min(to, last));
  } else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey)
    document.getElementById("find-puzzle")?.focus();
}
