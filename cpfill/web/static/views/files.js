// The file of this puzzle: renamed, duplicated, deleted, each in one dialog.

import * as files from "../ask/files.js";
import { state } from "../model/store.js";
import { t } from "../model/strings.js";
import { track } from "../model/tracked.js";
import { inTab } from "../tab/tab.js";
import { byId, fillWith, make } from "./dom.js";

const dialog = make("dialog", { id: "file-dialog", "aria-labelledby": "file-heading" });
document.body.append(dialog);

const own = track({
  /** Whether it is asked if the puzzle is to be deleted. */
  deleting: false,
});

/** Show what can be done with the file. */
export function showFile() {
  own.deleting = false;
  draw();
  dialog.showModal();
}

function draw() {
  /** @param {() => void} work */
  const done = (work) => () => {
    dialog.close();
    work();
  };
  fillWith(dialog, () => [
    make("h2", { id: "file-heading" }, state.name),
    ...(own.deleting
      ? [
          make("p", {}, t("delete_sure", { name: state.name })),
          make(
            "div",
            { class: "row" },
            make("button", { id: "delete-yes", onclick: done(files.deletePuzzle) }, t("delete")),
            make(
              "button",
              { id: "delete-no", class: "primary", autofocus: true, onclick: () => ask(false) },
              t("cancel"),
            ),
          ),
        ]
      : [
          make(
            "form",
            {
              method: "dialog",
              class: "row",
              onsubmit: () => files.renamePuzzle(byId("file-name", HTMLInputElement).value),
            },
            make("label", { for: "file-name" }, t("file_name")),
            make("input", {
              id: "file-name",
              type: "text",
              required: true,
              maxlength: "80",
              autocomplete: "off",
              value: files.stemOf(state.name ?? ""),
            }),
            make("button", { id: "rename" }, t("rename")),
          ),
          make(
            "div",
            { class: "row" },
            make("button", { id: "duplicate", onclick: done(files.duplicatePuzzle) }, t("duplicate")),
            make("button", { id: "delete", onclick: () => ask(true) }, t("delete_ask")),
            inTab &&
              state.kept && // or what is in memory would be out of reach
              "showDirectoryPicker" in window &&
              make(
                "button",
                { id: "open-folder", title: t("folder_hint"), onclick: done(files.openFolder) },
                t("open_folder"),
              ),
            make("button", { id: "download-all", onclick: files.downloadAll }, t("download_all")),
            make("button", { id: "close-file", onclick: () => dialog.close() }, t("close")),
          ),
        ]),
  ]);
}

/** @param {boolean} now */
function ask(now) {
  own.deleting = now;
  draw();
  byId(now ? "delete-no" : "delete").focus();
}
