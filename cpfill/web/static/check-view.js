// Check: what `cpfill check` and `cpfill stats` tell, drawn; what is named leads into the grid.

import * as actions from "./actions.js";
import { byId, fillWith, make } from "./dom.js";
import { listFaults } from "./faults-view.js";
import { drawHeat } from "./heat-view.js";
import { answerOf, listSlots } from "./model.js";
import { state } from "./store.js";
import { t, tell } from "./strings.js";

/** @import { Audit, Figures, FillFigures, Slot } from "../types.d.ts" */

const panel = byId("panel-check");
const rules = make("section", { id: "audit" });
const root = make("div", {});
panel.prepend(rules, root); // what is wrong with this puzzle comes before what the lists are like

/** Draw the panel. */
export function drawCheck() {
  if (state.mode !== "check") return;
  drawHeat();
  const { audit, figures, language, style } = state;
  fillWith(rules, JSON.stringify([audit, language]), () => [
    make("h2", {}, t("audit")),
    ...(audit ? tellAudit(audit.violations) : [make("p", {}, "…")]),
  ]);
  fillWith(root, figures ? JSON.stringify([figures, language, style]) : `none ${language}`, () =>
    figures
      ? [
          figures.fill ? quality(figures.fill) : null,
          whole(figures),
          figures.fill ? fillOf(figures.fill) : null,
          make("section", {}, make("h2", {}, `${t("faults")} (${t(style)})`), listFaults()),
        ]
      : [make("p", {}, "…")],
  );
}

/**
 * Return what is wrong, each thing once: of cells that are empty how many there are.
 * @param {Audit["violations"]} violations
 */
function tellAudit(violations) {
  const broken = violations.filter(({ rule }) => rule !== "C1"),
    empty = violations.length - broken.length;
  return [
    empty ? make("p", {}, t("audit_empty", { count: empty })) : null,
    broken.length
      ? make(
          "ul",
          {},
          broken.map(({ rule, detail }) =>
            make(
              "li",
              {},
              `${rule} `,
              make("button", { class: "link", onclick: () => goToPlace(detail) }, tell(detail)),
            ),
          ),
        )
      : null,
    violations.length ? null : make("p", { class: "fillable yes" }, t("audit_right")),
  ];
}

/** Go to the place that a line of the audit names first: `WORD in row 3`, `row 3, column 4`. @param {string} detail */
function goToPlace(detail) {
  const [, row, column] = /row (\d+), column (\d+)/.exec(detail) ?? [];
  if (row) return actions.goTo(`R${row}C${column}`);
  const [, word, line, number] = /(\S+) (?:stands )?in (row|column) (\d+)/.exec(detail) ?? [],
    { puzzle } = state;
  /** @param {Slot} slot */
  const at = (slot) => (line === "row" ? Math.floor(slot.cells[0] / puzzle.width) : slot.cells[0] % puzzle.width) + 1;
  const found = listSlots(puzzle).find(
    (slot) =>
      slot.direction === (line === "row" ? "Across" : "Down") &&
      at(slot) === Number(number) &&
      answerOf(puzzle, slot, "?") === word,
  );
  if (found) actions.goToSlot(found);
}

/** @param {Figures} figures */
function whole(figures) {
  /** @type {[string, unknown][]} */
  const rows = [
    ["figure_words", figures.words],
    ["figure_average", round(figures.average_length)],
    ["figure_blocks", `${figures.blocks} (${percent(figures.block_share)})`],
    ["figure_open", figures.open],
    ["figure_checked", percent(figures.checked_share)],
    ["figure_cheaters", figures.cheaters.length],
  ];
  return make(
    "section",
    {},
    make("h2", {}, t("grid")),
    make(
      "dl",
      { class: "figures" },
      rows.map(([key, value]) => [make("dt", {}, t(key)), make("dd", {}, String(value ?? "–"))]),
    ),
    make("h2", {}, t("lengths")),
    bars(Object.entries(figures.lengths)),
  );
}

/** How good the words are, at a glance. @param {FillFigures} fill */
function quality(fill) {
  return make(
    "section",
    {},
    make("h2", {}, t("quality")),
    fill.bands.strong === undefined ? null : make("p", { class: "bands" }, t("bands", fill.bands)),
    make("p", {}, `${t("worst")}: `, slotLinks(fill.worst)),
  );
}

/** @param {FillFigures} fill */
function fillOf(fill) {
  const groups = /** @type {const} */ (["repeats", "shared_stems", "shared_runs"]);
  return make(
    "section",
    {},
    make("h2", {}, t("scores")),
    fill.mean_score === null
      ? null
      : make("p", {}, t("mean", { mean: round(fill.mean_score), median: round(fill.median_score) })),
    bars(fill.histogram.map(({ low, high, words }) => [`${low}–${high}`, words])),
    fill.unlisted.length ? [make("h2", {}, t("unlisted")), slotLinks(fill.unlisted)] : null,
    make("h2", {}, t("letters")),
    bars(Object.entries(fill.letters).sort()),
    fill.pangram ? make("p", {}, t("pangram")) : null,
    groups
      .filter((key) => fill[key].length)
      .map((key) => [
        make("h2", {}, t(key)),
        make(
          "ul",
          {},
          fill[key].map((link) => make("li", {}, `${link.text}: `, slotLinks(link.slots))),
        ),
      ]),
  );
}

/**
 * Return links to slots, each with what is known of it beside its name.
 * @param {readonly (string | {slot: string, word?: string, score?: number | null})[]} slots
 */
function slotLinks(slots) {
  return make(
    "span",
    { class: "links" },
    slots.map((slot) => {
      const name = typeof slot === "string" ? slot : slot.slot;
      const said =
        typeof slot === "string"
          ? name
          : [slot.word, slot.score].filter((each) => each !== null && each !== undefined).join(" ");
      return make("button", { class: "link", onclick: () => actions.goTo(name) }, said);
    }),
  );
}

/** Return a bar for each pair of a name and a number. @param {[string, number][]} pairs */
function bars(pairs) {
  const most = Math.max(1, ...pairs.map(([, count]) => count));
  return make(
    "ul",
    { class: "bars" },
    pairs.map(([name, count]) =>
      make(
        "li",
        {},
        make("span", { class: "bar-name" }, String(name)),
        make("meter", { min: "0", max: String(most), value: String(count), "aria-label": `${name}: ${count}` }),
        make("span", { class: "bar-count" }, String(count)),
      ),
    ),
  );
}

/** @param {number | null | undefined} value */
const round = (value) =>
  value === null || value === undefined ? "–" : (Math.round(value * 100) / 100).toLocaleString(state.language);
/** @param {number | null | undefined} share */
const percent = (share) =>
  share === null || share === undefined ? "–" : `${(Math.round(share * 1000) / 10).toLocaleString(state.language)} %`;
