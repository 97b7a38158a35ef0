// Export: every format, what the puzzle lacks and what the format drops told before; beside it the pages.

import * as api from "../ask/api.js";
import { hand, stemOf } from "../ask/files.js";
import { request } from "../ask/questions.js";
import { makeLink } from "../ask/share.js";
import { listSlots } from "../model/puzzle.js";
import { mine, state, update, workHere } from "../model/store.js";
import { t, tell } from "../model/strings.js";
import { derived, track, whenChanged } from "../model/tracked.js";
import { inTab } from "../tab/tab.js";
import * as actions from "./actions.js";
import { byId, fillWith, make, makeSelect, mark, say } from "./dom.js";
import { focusGrid } from "./grid.js";

/** @import { Saved } from "../../types.d.ts" */

const panel = byId("panel-export");
const controls = make("div", { class: "controls" });
const lacking = make("p", { id: "lacking" });
const losses = make("p", { id: "losses", class: "summary", "aria-live": "polite" });
const handing = make("div", {});
const caption = make("p", { class: "summary" });
const preview = make("iframe", { id: "preview-frame" });
panel.append(
  make("div", { class: "export" }, controls, lacking, losses, handing),
  make("div", { class: "pages" }, caption, preview),
);

/** Whether each has the solution; null has both. @type {Record<string, boolean | null>} */
const FACES = { puzzle_and_solution: null, puzzle_alone: false, solution_alone: true };

/**
 * @typedef {{to: string, face: string, paper: string, layout: string}} Choice
 * @typedef {import("../ask/share.js").Kind} Kind
 */

/** What constructors send, and in which form; each has a name of its own. @type {Record<string, Partial<Choice>>} */
const PURPOSES = {
  print: { to: "pdf", layout: "", face: "puzzle_and_solution" },
  manuscript: { to: "pdf", layout: "submission" },
  across_lite: { to: "puz" },
  ipuz: { to: "ipuz" },
  picture: { to: "svg", layout: "", face: "puzzle_alone" },
  play: { to: "html", layout: "interactive" },
  web: { to: "html", layout: "", face: "puzzle_and_solution" },
};

const own = track({
  /** Without a layout it is that of the style. @type {Choice} */
  chosen: { to: "pdf", face: "puzzle_and_solution", paper: "a4", layout: "" },
});

/** How often losses and pages were asked for: an answer that a later question overtook is not shown. */
const turns = { losses: 0, pages: 0 };

/** Return how a puzzle of this style is laid out in a format. @param {string} layout @param {string} [to] */
function layoutOf(layout, to = own.chosen.to) {
  const wanted = layout || (state.style === "arrow" ? "arrows" : "");
  return state.about?.drawings[to]?.layouts.find((each) => each === wanted) ?? "newspaper";
}

/** Draw the panel. */
export function drawExport() {
  if (state.mode !== "export") return;
  fillWith(controls, listControls);
  fillWith(lacking, listLacking);
  fillWith(handing, listWays);
  mark(preview, "title", t("preview"));
  preparePages();
}

function listControls() {
  const drawing = state.about?.drawings[own.chosen.to];
  return [
    make("div", { class: "purposes", role: "group", "aria-label": t("purpose") }, Object.keys(PURPOSES).map(purpose)),
    make(
      "div",
      { class: "row" },
      make("label", { for: "format" }, t("format")),
      makeSelect({ id: "format" }, state.about?.formats ?? [], own.chosen.to, String, (to) => choose({ to })),
    ),
    drawing && drawing.layouts.length > 1 && choice("layout", drawing.layouts),
    drawing &&
      !["submission", "interactive"].includes(layoutOf(own.chosen.layout)) &&
      choice("face", Object.keys(FACES)),
    drawing && drawing.papers.length > 0 && own.chosen.layout !== "interactive" && choice("paper", drawing.papers),
    // Above the losses, which come later and would move it from under the hand.
    make("button", { id: "download", class: "primary", onclick: download }, t("download")),
  ];
}

/** Return the other ways to hand a puzzle out: an address that holds it, and what a web page frames it with. */
function listWays() {
  return [
    make("p", {}, t("drop_here")),
    inTab && [
      make("h2", {}, t("share")),
      make("p", {}, t("share_hint")),
      make("div", { class: "row" }, KINDS.map(shareButton)),
      make("output", { id: "link" }),
    ],
    own.chosen.layout === "interactive" && [
      make("label", { for: "embed" }, t("embed")),
      make("textarea", { id: "embed", readonly: true, rows: "2" }, derived(embedCode)),
    ],
  ];
}

/** Return what is to be done to the puzzle yet, each with a link to its place. */
function listLacking() {
  const { puzzle, pencilled } = state,
    slots = listSlots(puzzle),
    unwritten = slots.filter((slot) => !puzzle.clues[slot.name]),
    clues = t("missing", { count: unwritten.length, all: slots.length }),
    empty = [...puzzle.cells.keys()].filter((cell) => puzzle.cells[cell] === "");
  const lacks = /** @type {[boolean, string, string | number][]} */ ([
    [!puzzle.metadata.title, t("title"), "meta-title"],
    [!puzzle.metadata.author, t("author"), "meta-author"],
    [unwritten.length > 0, clues, `clue-${unwritten[0]?.name}`],
    [empty.length > 0, t("audit_empty", { count: empty.length }), empty[0]],
    [pencilled.size > 0, t("lacks_pencilled", { count: pencilled.size }), Math.min(...pencilled)],
  ]).filter(([lacked]) => lacked);
  return [
    t(lacks.length ? "lacks" : "lacks_nothing"),
    lacks.map(([, name, place], at) => [
      at ? " · " : " ",
      make("button", { class: "link", onclick: () => visit(place) }, name),
    ]),
  ];
}

/** Go to a cell, or to a field among the clues. @param {string | number} place */
function visit(place) {
  actions.goToMode(typeof place === "number" ? "fill" : "clues");
  if (typeof place === "number") actions.moveTo(place);
  requestAnimationFrame(typeof place === "number" ? focusGrid : () => byId(place).focus()); // once it is drawn
}

/** @type {Kind[]} */
const KINDS = ["puzzle", "solve"];

/** @param {Kind} kind */
const shareButton = (kind) => make("button", { id: `share-${kind}`, onclick: () => share(kind) }, t(`share_${kind}`));

/** Show an address that holds the puzzle, and put it where it can be pasted. @param {Kind} kind */
async function share(kind) {
  try {
    const link = await makeLink(state.puzzle, kind);
    const field = make("input", { readonly: true, value: link, "aria-label": t("share") });
    byId("link").replaceChildren(field);
    field.select();
    await navigator.clipboard?.writeText(link).then(
      () => update({ message: "link_copied" }),
      () => {}, // not allowed; it is selected
    );
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}

/** @param {string} name */
function purpose(name) {
  const wanted = PURPOSES[name],
    names = /** @type {(keyof Choice)[]} */ (Object.keys(wanted));
  const same = names.every((key) => key === "layout" || own.chosen[key] === wanted[key]);
  const pressed = same && (wanted.layout === undefined || layoutOf(wanted.layout) === layoutOf(own.chosen.layout));
  return make(
    "button",
    { id: `purpose-${name}`, "aria-pressed": String(pressed), onclick: () => choose(wanted) },
    t(`purpose_${name}`),
  );
}

/** @param {"layout" | "face" | "paper"} name @param {readonly string[]} values */
function choice(name, values) {
  return make(
    "div",
    { class: "row" },
    make("label", { for: `export-${name}` }, t(name)),
    makeSelect(
      { id: `export-${name}` },
      values,
      name === "layout" ? layoutOf(own.chosen.layout) : own.chosen[name],
      t,
      (value) => choose({ [name]: value }),
    ),
  );
}

/** Return what files that are handed out are called: as the puzzle is. */
const fileStem = () =>
  stemOf(`${(state.puzzle.metadata.title ?? "").slice(0, 80)}.`) || stemOf(state.name ?? "") || "puzzle";

/** Return what a web page frames the downloaded file with. */
function embedCode() {
  const title = (state.puzzle.metadata.title || fileStem()).replace(/[&"<]/g, "");
  return `<iframe src="${encodeURIComponent(fileStem())}.html" title="${title}" width="100%" height="720"></iframe>`;
}

/** @param {Partial<Choice>} change */
function choose(change) {
  const chosen = { ...own.chosen, ...change };
  if (!state.about?.drawings[chosen.to]?.layouts.some((each) => each === chosen.layout)) chosen.layout = "";
  own.chosen = chosen;
  update({});
}

/** Return how a drawing is to look, nothing for other formats. @param {string} [to] */
function options(to = own.chosen.to) {
  const drawing = state.about?.drawings[to];
  if (!drawing) return {};
  const paper = drawing.papers.includes(own.chosen.paper) ? own.chosen.paper : undefined;
  const layout = layoutOf(own.chosen.layout, to);
  if (layout === "interactive") return { layout };
  if (layout === "submission") return { paper, layout };
  return { paper, layout, solution: FACES[own.chosen.face], french: state.language === "fr" };
}

/**
 * Return what is handed out, and as what. The data of another solver ask what the program's letters answer; a picture of
 * the grid alone is one of a puzzle without clues.
 * @returns {[Saved, string]}
 */
function handed() {
  const { puzzle } = state;
  if (isPainted())
    return [{ ...puzzle, metadata: {}, clues: layoutOf(own.chosen.layout) === "arrows" ? puzzle.clues : {} }, "svg"];
  return [own.chosen.to.startsWith("minizinc") ? mine() : { ...puzzle, work: workHere() }, own.chosen.to];
}

/** Whether the browser makes PNG of an SVG: a tab has nothing else that does. */
const isPainted = () => inTab && own.chosen.to === "png";

/** Return a drawing as PNG, twice as large, so that it can be printed. @param {Blob} svg @returns {Promise<Blob>} */
async function paint(svg) {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(await svg.text())}`;
  await picture.decode();
  const by = Math.min(2, 4096 / Math.max(picture.width, picture.height)),
    canvas = new OffscreenCanvas(picture.width * by, picture.height * by);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob();
}

/** Say what the format drops, and show the pages, anew when the puzzle or what is chosen is another. */
const preparePages = whenChanged(
  () => [state.puzzle, own.chosen, state.style, state.language],
  () => {
    tellLosses();
    show();
  },
);

async function tellLosses() {
  const asked = ++turns.losses;
  try {
    const lost = await api.tellLosses(...handed(), options(), request());
    if (asked !== turns.losses) return; // the answer for a format chosen later came first
    const dropped = lost
      .filter((line) => line.startsWith("dropped "))
      .map((line) => tell(line.slice("dropped ".length)));
    const others = lost.filter((line) => !line.startsWith("dropped ")).map(tell);
    say(
      losses,
      [dropped.length ? t("loses") + dropped.join(", ") : "", ...others].filter(Boolean).join("; ") ||
        t(own.chosen.to === "ipuz" ? "keeps_all" : "keeps_seen"),
    );
  } catch (error) {
    if (asked === turns.losses) say(losses, tell(api.messageOf(error)));
  }
}

async function download() {
  try {
    const { blob, suffix } = await api.convert(...handed(), options(), request());
    if (isPainted()) hand(await paint(blob), `${fileStem()}.png`);
    else hand(blob, fileStem() + suffix);
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}

/** Return whether the browser shows a PDF itself, as it prints; some, mostly on phones, do not. */
const showsPages = () => navigator.pdfViewerEnabled !== false;

/** Show the very pages of a PDF, and of other formats a picture of the puzzle. */
async function show() {
  const paged = own.chosen.to === "pdf" && showsPages(),
    to = paged ? "pdf" : "svg",
    asked = ++turns.pages;
  try {
    const { blob } = await api.convert(state.puzzle, to, options(to), request());
    if (asked !== turns.pages) return;
    URL.revokeObjectURL(preview.src.split("#")[0]);
    const url = URL.createObjectURL(blob);
    mark(preview, "sandbox", paged ? null : ""); // no browser shows a PDF in a sandbox; its viewer is one
    preview.src = paged ? `${url}#navpanes=0` : url;
    say(caption, own.chosen.to === "pdf" && !paged ? t("no_pages") : "");
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}
