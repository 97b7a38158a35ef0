// Export: every format, what it drops told before; a preview; and files that are brought in.

import * as api from "./api.js";
import { fillWith, make, say } from "./dom.js";
import { state, update } from "./store.js";
import { t } from "./strings.js";

/** Formats that are drawings: with or without the solution, in French or not. */
const DRAWINGS = new Set(["svg", "html", "latex", "pdf", "png"]);
const panel = document.getElementById("panel-export");
const controls = make("div", { class: "controls" });
const losses = make("p", { class: "summary", "aria-live": "polite" });
const preview = make("iframe", { title: "preview", sandbox: "", hidden: true });
panel.append(controls, losses, preview);

let chosen = { to: "pdf", solution: false };
let told = { puzzle: null, to: "", solution: null };

/** Draw the panel. */
export function drawExport() {
  if (state.mode !== "export") return;
  fillWith(controls, JSON.stringify([state.about?.formats.write, chosen, state.language]), () => [
    make("div", { class: "row" }, make("label", { for: "format" }, t("format")),
      make("select", { id: "format", onchange: (event) => choose({ to: event.target.value }) }, (state.about?.formats.write ?? []).map((name) => make("option", { value: name, selected: name === chosen.to }, name)))),
    DRAWINGS.has(chosen.to) && make("label", {}, make("input", { id: "with-solution", type: "checkbox", checked: chosen.solution, onchange: (event) => choose({ solution: event.target.checked }) }), ` ${t("solution")}`),
    make("div", { class: "row" }, make("button", { id: "download", class: "primary", onclick: download }, t("download")), make("button", { id: "preview", onclick: show }, t("preview"))),
    make("p", {}, t("drop_here")),
  ]);
  if (told.puzzle !== state.puzzle || told.to !== chosen.to || told.solution !== chosen.solution) tellLosses();
}

function choose(change) {
  chosen = { ...chosen, ...change };
  preview.hidden = true;
  update({});
}

const options = (to = chosen.to) => (DRAWINGS.has(to) ? { solution: chosen.solution, french: state.language === "fr" } : {});

async function tellLosses() {
  told = { puzzle: state.puzzle, ...chosen };
  try {
    const lost = await api.tellLosses(state.puzzle, chosen.to, options());
    say(losses, lost.length ? t("loses") + lost.join(", ") : t("keeps_all"));
  } catch (error) {
    say(losses, error.message);
  }
}

async function download() {
  try {
    const { blob, suffix } = await api.convert(state.puzzle, chosen.to, options());
    const stem = (state.name ?? "puzzle").replace(/\.[^.]*$/, ""), url = URL.createObjectURL(blob);
    make("a", { href: url, download: stem + suffix }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    update({ message: error.message });
  }
}

async function show() {
  try {
    const { blob } = await api.convert(state.puzzle, "svg", options("svg")), url = URL.createObjectURL(blob);
    preview.hidden = false;
    preview.src = url;
  } catch (error) {
    update({ message: error.message });
  }
}
