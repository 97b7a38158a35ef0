// Export: every format, what the puzzle lacks and what the format drops told before; beside it the pages.

import * as api from "../ask/api.js";
import { hand, stemOf } from "../ask/files.js";
import { fillRequest, request } from "../ask/questions.js";
import { makeLink } from "../ask/share.js";
import * as cards from "../model/cards.js";
import { CARDS, FACES, GROUPS, OTHER, PLAIN } from "../model/cards.js";
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
const lacking = make("p", { id: "lacking" });
const groups = make("div", { class: "groups" });
const others = make("div", { class: "card" });
const folded = make("summary", {});
const handing = make("p", { class: "summary" });
const foot = make("div", { class: "export-foot" });
const caption = make("p", { class: "summary" });
const preview = make("iframe", { id: "preview-frame" });
panel.append(
  make("div", { class: "export" }, lacking, groups, make("details", { id: "other-formats" }, folded, others), handing),
  foot,
  make("div", { class: "pages" }, caption, preview),
);

const own = track({
  card: "print",
  /** The format of the last card. */
  format: "pdf",
  paper: "a4",
  /** What was chosen on each card. @type {Record<string, import("../model/cards.js").Options>} */
  options: {},
  /** What the format of the chosen card drops. */
  losses: "",
});

/** @typedef {import("../ask/share.js").Kind} Kind */

/** How often losses and pages were asked for: an answer that a later question overtook is not shown. */
const turns = { losses: 0, pages: 0 };

/** Return the format that a card is written in. @param {string} [card] */
const formatOf = (card = own.card) => cards.formatOf(own, card);

/** What the program can draw. */
const drawings = () => state.about?.drawings ?? {};

/** Return the layout of a card. @param {string} [card] */
const layoutOf = (card = own.card) => cards.layoutOf(own, drawings(), state.style, card);

/** Draw the panel. */
export function drawExport() {
  if (state.mode !== "export") return;
  fillWith(lacking, listLacking);
  fillWith(groups, listGroups);
  say(folded, t("other_formats"));
  fillWith(others, listOthers);
  say(handing, t("drop_here"));
  fillWith(foot, listFoot);
  mark(preview, "title", t("preview"));
  preparePages();
}

const listGroups = () =>
  Object.entries(GROUPS).map(([group, names]) =>
    make(
      "fieldset",
      { class: "cards" },
      make("legend", {}, t(`export_${group}`)),
      names.map(makeCard),
      group === "share" && inTab && makeLinks(),
    ),
  );

/** Return the card of a purpose: its name, its options, and the content that its format drops. @param {string} name */
function makeCard(name) {
  const isChosen = own.card === name,
    told = isChosen && own.losses;
  return make(
    "div",
    { class: "card" },
    make(
      "label",
      { for: `purpose-${name}` },
      make("input", {
        type: "radio",
        name: "purpose",
        id: `purpose-${name}`,
        checked: isChosen,
        "aria-describedby": isChosen ? "losses" : `about-${name}`,
        onchange: () => choose(name),
      }),
      t(`purpose_${name}`),
    ),
    makeOptions(name),
    make("p", { id: `about-${name}`, class: "summary", hidden: Boolean(told) }, t(`about_${name}`)),
    isChosen && makeLosses(),
    name === "play" &&
      make(
        "details",
        { class: "embedding" },
        make("summary", {}, t("embed_how")),
        make("label", { for: "embed" }, t("embed")),
        make("textarea", { id: "embed", readonly: true, rows: "2" }, derived(embedCode)),
      ),
  );
}

const makeLosses = () => make("p", { id: "losses", class: "summary", "aria-live": "polite" }, own.losses);

/** Return the choices that a card has. @param {string} card */
function makeOptions(card) {
  const drawing = drawings()[formatOf(card)];
  if (!drawing) return false;
  const layouts = cards.listLayouts(own, drawings(), card),
    layout = layoutOf(card),
    isPlain = PLAIN.includes(layout),
    hasLayouts = layouts.length > 1 && (card === OTHER || state.style === "arrow");
  return make(
    "div",
    { class: "options" },
    hasLayouts && choice(card, "layout", layouts, layout),
    isPlain && choice(card, "face", Object.keys(FACES), cards.faceOf(own, card)),
    drawing.papers.length > 0 && layout !== "interactive" && choice(card, "paper", drawing.papers, own.paper),
    cards.hasBank(own, drawings(), state.style, card) &&
      make(
        "label",
        {},
        make("input", {
          id: `export-${card}-bank`,
          type: "checkbox",
          checked: own.options[card]?.bank === true,
          onchange: (event) => setOption(card, { bank: event.currentTarget.checked }),
        }),
        t("player_bank"),
      ),
  );
}

/** Choose an option of a card, and the card. @param {string} card @param {cards.Options} option */
function setOption(card, option) {
  own.options = { ...own.options, [card]: { ...own.options[card], ...option } };
  choose(card);
}

/** @param {string} card @param {"layout" | "face" | "paper"} name @param {readonly string[]} values @param {string} chosen */
function choice(card, name, values, chosen) {
  const id = `export-${card}-${name}`;
  return makeSelect({ id, "aria-label": t(name), title: t(name) }, values, chosen, t, (value) => {
    if (name !== "paper") return setOption(card, { [name]: value });
    own.paper = value;
    choose(card);
  });
}

/** Return what chooses any format by its name, and its options. */
function listOthers() {
  const isChosen = own.card === OTHER;
  return [
    make(
      "label",
      { for: "format" },
      t("format"),
      makeSelect({ id: "format" }, state.about?.formats ?? [], formatOf(), String, (to) => {
        own.format = to;
        choose(OTHER);
      }),
    ),
    isChosen && makeOptions(OTHER),
    isChosen && makeLosses(),
  ];
}

/** Return what hands the chosen file out, in a place of its own: nothing that comes later moves it. */
const listFoot = () => [
  make("button", { id: "download", class: "primary", onclick: download }, t("download")),
  make("span", { class: "summary" }, own.card === OTHER ? own.format : t(`purpose_${own.card}`)),
];

/** Return what hands a puzzle out by an address that holds it. */
const makeLinks = () =>
  make(
    "div",
    { class: "card" },
    make("strong", {}, t("share")),
    make("div", { class: "options" }, KINDS.map(shareButton)),
    make("p", { class: "summary" }, t("share_hint")),
    linkShown,
  );

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

const linkShown = make("output", { id: "link" });
/** @type {Kind[]} */
const KINDS = ["puzzle", "solve"];

/** @param {Kind} kind */
const shareButton = (kind) => make("button", { id: `share-${kind}`, onclick: () => share(kind) }, t(`share_${kind}`));

/** Show an address that holds the puzzle, and put it where it can be pasted. @param {Kind} kind */
async function share(kind) {
  try {
    const link = await makeLink(state.puzzle, kind);
    const field = make("input", { readonly: true, value: link, "aria-label": t("share") });
    linkShown.replaceChildren(field);
    field.select();
    await navigator.clipboard?.writeText(link).then(
      () => update({ message: "link_copied" }),
      () => {}, // not allowed; it is selected
    );
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}

/** Return what files that are handed out are called: as the puzzle is. */
const fileStem = () =>
  stemOf(`${(state.puzzle.metadata.title ?? "").slice(0, 80)}.`) || stemOf(state.name ?? "") || "puzzle";

/** Return what a web page frames the downloaded file with. */
function embedCode() {
  const title = (state.puzzle.metadata.title || fileStem()).replace(/[&"<]/g, "");
  return `<iframe src="${encodeURIComponent(fileStem())}.html" title="${title}" width="100%" height="720"></iframe>`;
}

/** Choose a card, or other options of it. @param {string} card */
function choose(card) {
  if (own.card !== card) own.losses = "";
  if (CARDS[card]) own.format = CARDS[card].to;
  own.card = card;
  update({});
}

/** Return how a drawing is to look. @param {string} [to] */
const options = (to = formatOf()) => cards.styleOf(own, drawings(), state.style, state.language, to);

/**
 * Return what is handed out, and as what. The data of another solver ask what the program's letters answer; a picture of
 * the grid alone is one of a puzzle without clues.
 * @returns {[Saved, string]}
 */
function handed() {
  const { puzzle } = state;
  if (isPainted()) return [{ ...puzzle, metadata: {}, clues: layoutOf() === "arrows" ? puzzle.clues : {} }, "svg"];
  return [formatOf().startsWith("minizinc") ? mine() : { ...puzzle, work: workHere() }, formatOf()];
}

/** Whether the browser makes PNG of an SVG: a tab has nothing else that does. */
const isPainted = () => inTab && formatOf() === "png";

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
  () => [state.puzzle, own.card, own.format, own.options, own.paper, state.style, state.language],
  () => {
    tellLosses();
    show();
  },
);

async function tellLosses() {
  const asked = ++turns.losses;
  try {
    const lost = await api.tellLosses(...handed(), options(), fillRequest());
    if (asked !== turns.losses) return; // the answer for a format chosen later came first
    const dropped = lost
      .filter((line) => line.startsWith("dropped "))
      .map((line) => tell(line.slice("dropped ".length)));
    const rest = lost.filter((line) => !line.startsWith("dropped ")).map(tell);
    tellOnCard(
      [dropped.length ? t("loses") + dropped.join(", ") : "", ...rest].filter(Boolean).join("; ") ||
        t(formatOf() === "ipuz" ? "keeps_all" : "keeps_seen"),
    );
  } catch (error) {
    if (asked === turns.losses) tellOnCard(tell(api.messageOf(error)));
  }
}

/** Show on the chosen card what its format drops. @param {string} text */
function tellOnCard(text) {
  own.losses = text;
  update({});
}

async function download() {
  try {
    const { blob, suffix } = await api.convert(...handed(), options(), fillRequest());
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
  const paged = formatOf() === "pdf" && showsPages(),
    to = paged ? "pdf" : "svg",
    asked = ++turns.pages;
  try {
    const { blob } = await api.convert(state.puzzle, to, options(to), request());
    if (asked !== turns.pages) return;
    URL.revokeObjectURL(preview.src.split("#")[0]);
    const url = URL.createObjectURL(blob);
    mark(preview, "sandbox", paged ? null : ""); // no browser shows a PDF in a sandbox; its viewer is one
    preview.src = paged ? `${url}#navpanes=0` : url;
    say(caption, formatOf() === "pdf" && !paged ? t("no_pages") : "");
  } catch (error) {
    update({ message: api.messageOf(error) });
  }
}
