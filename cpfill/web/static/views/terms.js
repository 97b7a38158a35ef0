// What words a fill may have: lists, several together, the least score, and a theme.

import { deleteList, messageOf, readList } from "../ask/api.js";
import * as files from "../ask/files.js";
import { judge } from "../ask/questions.js";
import { agree, state, update } from "../model/store.js";
import { t } from "../model/strings.js";
import * as actions from "./actions.js";
import { byId, fillWith, make, say } from "./dom.js";

/** @import { Terms } from "../../types.d.ts" */

const fields = make("div", { class: "terms" });
const line = make("summary", {});
export const terms = make("details", { id: "terms" }, line, fields);
export const openedSlots = make("div", { class: "row opened" });
const file = make("input", {
  id: "list-file",
  type: "file",
  accept: ".txt,.tsv,.csv,.dict,.gz",
  hidden: true,
  multiple: true,
  "aria-hidden": "true",
  tabindex: "-1",
});
const dialog = make("dialog", { id: "own-dialog", "aria-labelledby": "own-heading" });
document.body.append(file, dialog);
/** How many characters of the personal list are shown. */
const SHOWN = 200_000;

/** Draw them. */
export function drawTerms() {
  drawOpened();
  const { words, minScore, personal, pool } = state;
  const listed = [...words, ...(personal ? [t("own_list")] : [])].join(" + ");
  const themed = pool.length ? ` · ${t("themed", { count: pool.length })}` : "";
  say(line, `${listed} · ${t("scores_from", { score: minScore })}${themed}`);
  fillWith(fields, () => {
    const { about, lists, words, minScore, noShared, personal, frank } = state;
    return [
      make(
        "fieldset",
        { id: "lists", ondrop: takeFiles },
        make("legend", {}, t("lists")),
        [...(about?.lists ?? []), ...lists].map((name) =>
          box(
            `list-${name}`,
            name,
            words.includes(name),
            (on) => choose("words", name, on),
            words.length === 1 && words[0] === name,
          ),
        ),
        box("personal", t("personal"), personal, (on) => set({ personal: on }), false, about?.personal),
        showList(),
        make(
          "button",
          { id: "add-list", class: "small", title: t("list_hint"), onclick: () => file.click() },
          t("add_list"),
        ),
        box("frank", t("frank"), frank, (on) => set({ frank: on }), false, t("frank_hint")),
      ),
      make(
        "label",
        { class: "score" },
        t("min_score"),
        make("input", {
          id: "min-score",
          type: "range",
          min: "0",
          max: "100",
          step: "5",
          value: String(minScore),
          oninput: (event) => say(byId("min-score-shown"), event.currentTarget.value),
          onchange: (event) => set({ minScore: Number(event.currentTarget.value) }),
        }),
        make("output", { id: "min-score-shown" }, String(minScore)),
      ),
      box("no-shared", t("no_shared"), noShared, (on) => set({ noShared: on })),
      makePool("pool"),
    ];
  });
}

/** Return the fields of the words and lists of which as many as can be are to stand. @param {string} id */
export const makePool = (id, { pool, lists } = state) =>
  make(
    "fieldset",
    {},
    make("legend", {}, t("pool")),
    make("input", {
      id: `${id}-words`,
      class: "pool-words",
      type: "text",
      value: pool.filter((each) => !lists.includes(each)).join(", "),
      "aria-label": t("pool_words"),
      placeholder: t("pool_words"),
      onchange: (event) => setPool(event.currentTarget.value),
    }),
    lists.map((name) => box(`${id}-${name}`, name, pool.includes(name), (on) => choose("pool", name, on))),
  );

/** Return a button that shows the personal list. */
export const showList = () => make("button", { class: "small show-list", onclick: openList }, t("show_list"));

/** Show the personal list, which may be deleted: one that is damaged keeps every question from its answer. */
async function openList() {
  try {
    const text = await readList();
    dialog.replaceChildren(
      make("h2", { id: "own-heading" }, t("personal")),
      make("p", { class: "summary" }, state.about?.personal ?? ""),
      text ? make("pre", { tabindex: "0" }, text.slice(0, SHOWN)) : make("p", {}, t("list_empty")),
      make(
        "div",
        { class: "row" },
        text && make("button", { onclick: () => files.hand(new Blob([text]), "words.txt") }, t("download")),
        text !== null && make("button", { id: "delete-list", onclick: askDeletion }, t("delete_ask")),
        make("button", { onclick: () => dialog.close() }, t("close")),
      ),
    );
    dialog.showModal();
  } catch (error) {
    update({ message: messageOf(error) });
  }
}

/** Ask whether the personal list is to be deleted. */
function askDeletion() {
  const cancel = make("button", { class: "primary", onclick: () => dialog.close() }, t("cancel"));
  dialog.replaceChildren(
    make("h2", { id: "own-heading" }, t("personal")),
    make("p", {}, t("delete_list_sure")),
    make("div", { class: "row" }, make("button", { id: "delete-list-yes", onclick: drop }, t("delete")), cancel),
  );
  cancel.focus();
}

async function drop() {
  dialog.close();
  try {
    await deleteList();
    update({ message: "list_deleted" });
    judge();
  } catch (error) {
    update({ message: messageOf(error) });
  }
}

/** Draw the slots that take any letters, and the words that are forbidden; each may be as others again. */
function drawOpened() {
  /** @param {string} text @param {string} title @param {() => void} onclick */
  const chip = (text, title, onclick) => make("button", { class: "small", title, onclick }, `${text} ✕`);
  fillWith(openedSlots, () => [
    ...state.opened.map((name) => chip(t("opened", { slot: name }), t("close_slot"), () => actions.closeSlot(name))),
    ...state.excluded.map((word) =>
      chip(t("forbidden", { word }), t("allow"), () =>
        set({ excluded: state.excluded.filter((each) => each !== word) }),
      ),
    ),
  ]);
}

/** Let no fill of this puzzle have a word. @param {string} word */
export const forbid = (word) => set({ excluded: [...state.excluded, word] });

/**
 * Return a box to be ticked, with its name.
 * @param {string} id @param {string} name @param {boolean} checked @param {(on: boolean) => void} choose
 * @param {boolean} [disabled] @param {string | null} [title]
 */
const box = (id, name, checked, choose, disabled = false, title) =>
  make(
    "label",
    { title },
    make("input", {
      type: "checkbox",
      id,
      checked,
      disabled,
      onchange: (event) => choose(event.currentTarget.checked),
    }),
    ` ${name}`,
  );

/** @param {Partial<Terms>} change */
function set(change) {
  agree(change);
  judge();
}

/** @param {"words" | "pool"} what @param {string} name @param {boolean} on */
const choose = (what, name, on) =>
  set({ [what]: on ? [...state[what], name] : state[what].filter((each) => each !== name) });

/** Put other words into the theme; its lists stay. @param {string} text */
function setPool(text) {
  const words = text
    .split(/[,;\s]+/)
    .map((word) => word.replace(/[./]/g, ""))
    .filter(Boolean);
  set({ pool: [...state.pool.filter((each) => state.lists.includes(each)), ...words] });
}

/** Add the lists that are dropped; elsewhere files are puzzles. @param {DragEvent} event */
function takeFiles(event) {
  event.preventDefault();
  event.stopPropagation();
  addAll(event.dataTransfer?.files ?? []);
}

/** @param {Iterable<File>} dropped */
async function addAll(dropped) {
  for (const each of [...dropped]) await files.addList(each);
}

file.addEventListener("change", () => {
  addAll(file.files ?? []);
  file.value = "";
});
