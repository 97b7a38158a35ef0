// The page: reads what there is, opens a puzzle, and has the views drawn.

import { get, messageOf } from "./ask/api.js";
import * as files from "./ask/files.js";
import { judge } from "./ask/questions.js";
import { readLink } from "./ask/share.js";
import { idle, whileBusy } from "./model/idle.js";
import { dismiss, keepTab, notePlace, onEdit, prefer, state, travel, update, watch } from "./model/store.js";
import { t, tell } from "./model/strings.js";
import { derived } from "./model/tracked.js";
import { inTab } from "./tab/tab.js";
import * as actions from "./views/actions.js";
import { drawCheck } from "./views/check.js";
import { drawClues } from "./views/clues.js";
import { drawDesign } from "./views/design.js";
import { byId, fillWith, make, makeIcon, makeSelect, mark, say } from "./views/dom.js";
import { drawExport } from "./views/export.js";
import { showFile } from "./views/files.js";
import { drawFill } from "./views/fill.js";
import { drawGrid, focusGrid } from "./views/grid.js";
import { drawHelp } from "./views/help.js";
import { drawHints } from "./views/hints.js";
import { drawKeypad } from "./views/keypad.js";
import { hearAll, hearGrid } from "./views/keys.js";
import { makeOpener } from "./views/puzzles.js";
import { drawSolve } from "./views/solve.js";
import { drawStatus } from "./views/status.js";
import { showList } from "./views/terms.js";
import { drawWatch } from "./views/watch.js";

/** @import { Attributes, Mode } from "../types.d.ts" */

/** @type {Record<string, string>} */
const LANGUAGES = { en: "English", fr: "Français" };
/** @type {Mode[]} */
const MODES = ["design", "fill", "clues", "check", "solve", "watch", "export"];

/**
 * Return a button of the header, which is but its icon where there is no room for words.
 * @param {string} id @param {Attributes<HTMLButtonElement>} attributes
 */
const tool = (id, attributes) =>
  make(
    "button",
    { id, class: "icon", "aria-label": t(id), title: t(id), ...attributes },
    makeIcon(id),
    make("span", { class: "name" }, t(id)),
  );

function drawFrame() {
  mark(document.documentElement, "lang", state.language); // to set it, even to the same, styles the whole page anew
  mark(document.documentElement, "data-theme", state.theme === "auto" ? null : state.theme);
  const title = `${state.puzzle.metadata.title || state.name || "cpfill"} · cpfill`;
  if (document.title !== title) document.title = title;
  fillWith(byId("modes"), () =>
    MODES.map((mode) =>
      make(
        "button",
        {
          role: "tab",
          id: `tab-${mode}`,
          "aria-selected": String(mode === state.mode),
          "aria-controls": `panel-${mode}`,
          tabindex: mode === state.mode ? "0" : "-1",
          onclick: () => actions.goToMode(mode),
        },
        t(mode),
      ),
    ),
  );
  for (const mode of MODES) byId(`panel-${mode}`).hidden = mode !== state.mode;
  fillWith(byId("file"), () => [
    makeOpener(openNamed),
    tool("new", { onclick: files.newPuzzle }),
    tool("import", { title: t("import_hint"), onclick: () => byId("import-file").click() }),
    tool("manage", { title: t("manage_hint"), disabled: !state.name, onclick: showFile }),
  ]);
  fillWith(byId("tools"), () => {
    const [undoes, redoes] = derived(() => [state.past.length > 0, state.future.length > 0]);
    return [
      tool("undo", { title: `${t("undo")} (Ctrl-Z)`, disabled: !undoes, onclick: () => travel("past") }),
      tool("redo", { title: `${t("redo")} (Ctrl-Y)`, disabled: !redoes, onclick: () => travel("future") }),
      tool("help", { title: `${t("help")} (?)`, onclick: () => byId("help-dialog", HTMLDialogElement).showModal() }),
      make(
        "details",
        { class: "menu", id: "settings" },
        make("summary", { "aria-label": t("settings"), title: t("settings") }, makeIcon("settings")),
        make(
          "div",
          {},
          makeSelect(
            { id: "language", "aria-label": t("language") },
            Object.keys(LANGUAGES),
            state.language,
            (language) => LANGUAGES[language],
            speak,
          ),
          makeSelect(
            { id: "theme", "aria-label": t("theme") },
            ["auto", "light", "dark"],
            state.theme,
            (theme) => t(`theme_${theme}`),
            (theme) => prefer({ theme }),
          ),
          make(
            "label",
            {},
            make("input", {
              type: "checkbox",
              id: "tint",
              checked: state.tint,
              onchange: (event) => prefer({ tint: event.currentTarget.checked }),
            }),
            ` ${t("tint")}`,
          ),
          make(
            "label",
            { title: t("still_hint") },
            make("input", {
              type: "checkbox",
              id: "still",
              checked: state.still,
              onchange: (event) => {
                prefer({ still: event.currentTarget.checked });
                judge();
              },
            }),
            ` ${t("still")}`,
          ),
        ),
      ),
    ];
  });
  drawSaving();
  fillWith(byId("message"), () => {
    const { message, offer, about } = state;
    return [
      tell(message),
      offer &&
        offer.message === message && [
          " ",
          make("button", { id: "offer", class: "small", onclick: offer.act }, t(offer.name)),
        ],
      about && message.startsWith(about.personal) && showList(),
    ];
  });
  for (const each of document.querySelectorAll("[data-label]"))
    mark(each, "aria-label", t(each.getAttribute("data-label") ?? ""));
  byId("conflict-dialog", HTMLDialogElement).open = state.saving === "conflict"; // so, it takes no focus and no key
  drawDialogs();
}

/** Say whether what is here is in a file. None is open where none could be read. */
function drawSaving() {
  const { name, past, saving, kept } = state,
    status = name ? saving : past.length ? "unsaved" : "",
    lost = status === "saved" && !kept;
  say(byId("saving"), status && t(lost ? "only_here" : status));
  mark(byId("saving"), "class", lost ? "unsaved" : status);
}

function drawDialogs() {
  drawHelp();
  fillWith(byId("rebus-dialog"), () => [
    make(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          actions.rebus(byId("rebus-text", HTMLInputElement).value);
          byId("rebus-text", HTMLInputElement).value = "";
          focusGrid();
        },
      },
      make("label", { for: "rebus-text" }, t("rebus_text")),
      make("input", { id: "rebus-text", type: "text", maxlength: "12", autocomplete: "off" }),
      make("button", {}, t("ok")),
    ),
  ]);
  fillWith(byId("letters-dialog"), () => [
    make(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          actions.limit(byId("letters-text", HTMLInputElement).value);
          focusGrid();
        },
      },
      make("label", { for: "letters-text" }, t("letters_text")),
      make("input", { id: "letters-text", type: "text", maxlength: "60", autocomplete: "off" }),
      make("button", {}, t("ok")),
    ),
  ]);
  fillWith(byId("conflict-dialog"), () => {
    const kind = derived(nameConflict);
    return [
      make("p", { role: "alert" }, t(`conflict_${kind}`)),
      make("button", { id: "keep-mine", onclick: () => settle(true) }, t(`mine_${kind}`)),
      make("button", { id: "take-theirs", onclick: () => settle(false) }, t(`theirs_${kind}`)),
    ];
  });
}

/** Return what has become of the file. */
function nameConflict() {
  if (!state.theirs || state.theirs.puzzle) return "changed";
  return state.theirs.etag ? "unreadable" : "gone";
}

/** Say all in another language, and have the server say again what it said. @param {string} language */
function speak(language) {
  prefer({ language });
  judge();
}

/** Settle a conflict, and go on in the grid. @param {boolean} mine */
function settle(mine) {
  focusGrid();
  files.settleConflict(mine);
}

/** See what other tabs and programs have put beside the puzzle that is open. */
function lookAgain() {
  if (state.name) files.refresh().catch(() => {}); // the next save says if the server has gone
}

/** See what others did meanwhile, where somebody comes back to this tab. */
function comeBack() {
  lookAgain();
  if (state.name) files.takeNewer().catch(() => {}); // likewise
}

/** Open a puzzle, or stay in the one that is open. @param {string} name */
function openNamed(name) {
  if (name === state.name) files.stay();
  else files.openPuzzle(name).catch(tellError);
}

byId("modes").addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : -1;
  if (step < 0 && event.key !== "ArrowLeft") return;
  event.preventDefault();
  actions.goToMode(MODES[(MODES.indexOf(state.mode) + step + MODES.length) % MODES.length]);
  requestAnimationFrame(() => byId(`tab-${state.mode}`).focus());
});
const importing = byId("import-file", HTMLInputElement);
importing.addEventListener("change", () => {
  files.importFiles([...(importing.files ?? [])]);
  importing.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  files.importFiles([...(event.dataTransfer?.files ?? [])]);
});
byId("message").addEventListener("click", dismiss);
let noted = "";
watch(({ name }) => {
  if (name !== noted) notePlace();
  noted = name ?? "";
});
addEventListener("pagehide", () => {
  notePlace();
  keepTab();
});
/** Shut the menus that are open, but for the one in which something is done. @param {EventTarget | null} [within] */
function shutMenus(within) {
  const open = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".menu[open]"));
  for (const menu of open) if (!(within instanceof Node && menu.contains(within))) menu.open = false;
}
addEventListener("pointerdown", ({ target }) => shutMenus(target));
addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !document.querySelector(".menu[open]")) return;
    event.stopPropagation(); // it does nothing else then
    shutMenus();
    focusWork();
  },
  { capture: true },
);
addEventListener("focus", comeBack);
for (const opening of ["pointerenter", "focusin"]) byId("file").addEventListener(opening, lookAgain);
addEventListener("beforeunload", (event) => {
  files.flush();
  if (state.saving !== "saved" || !state.kept) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return comeBack();
  // Phones leave without a word.
  files.flush();
  notePlace();
});

for (const view of [
  drawFrame,
  drawGrid,
  drawStatus,
  drawHints,
  drawKeypad,
  drawFill,
  drawDesign,
  drawClues,
  drawCheck,
  drawSolve,
  drawWatch,
  drawExport,
])
  watch(view);
onEdit((now, typed) => {
  if (typed || now.past.length || now.future.length) files.saveSoon();
});
hearGrid(byId("grid"));
hearAll();

/** Have the next key go to the grid, or to the first control of a mode that shows none. */
function focusWork() {
  focusGrid();
  requestAnimationFrame(() => {
    if (byId("grid").checkVisibility()) return;
    const panel = byId(`panel-${state.mode}`),
      first = panel.querySelector(".field") ?? panel.querySelector("button, input, select");
    if (first instanceof HTMLElement) first.focus();
  });
}

/** Have the grid and the panels take clicks and keys, or none. @param {boolean} ready */
function letUse(ready) {
  for (const each of document.querySelectorAll(".board, .panel")) each.toggleAttribute("inert", !ready);
}

async function begin() {
  if (inTab) update({ message: "starting" });
  letUse(false); // what is written before the puzzle is there would go with the grid that stands in its place
  try {
    const [about, directory] = await Promise.all([get("about"), files.refresh()]);
    update({ about });
    dismiss();
    await files.openFirst(directory);
    await openLink();
  } finally {
    letUse(true);
    addEventListener("hashchange", () => openLink().catch(tellError).finally(focusWork)); // pasted into the address
    focusWork();
  }
}

/** Open the puzzle that the address holds, if it holds one. */
async function openLink() {
  const shared = await readLink();
  if (!shared) return;
  actions.goToMode(shared.mode);
  await files.importFiles([shared.file]);
}

/** @param {unknown} error */
function tellError(error) {
  update({ message: messageOf(error) });
}

whileBusy(begin().catch(tellError));
update({});
Object.assign(window, { cpfill: { idle } }); // for whoever drives the page, as its tests do
// What the page is made of is kept for when there is no network; puzzles are kept in any case.
if (inTab) navigator.serviceWorker?.register("./service.js").catch(() => {});
