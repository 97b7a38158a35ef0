// Check: what `cpfill check` and `cpfill stats` tell, drawn; what is named leads into the grid.

import { findSlot } from "../model/puzzle.js";
import { CRISS_CROSS, state } from "../model/store.js";
import { nameSlot, t } from "../model/strings.js";
import * as actions from "./actions.js";
import { byId, fillWith, make } from "./dom.js";
import { listFaults } from "./faults.js";
import { drawHeat } from "./heat.js";
import { forbid } from "./terms.js";

/** @import { Audit, Figures, FillFigures } from "../../types.d.ts" */
/** @import { JudgedRecord } from "../../records.d.ts" */

const panel = byId("panel-check");
const rules = make("section", { id: "audit" });
const root = make("div", {});
panel.prepend(rules, root); // what is wrong with this puzzle comes before what the lists are like

/** Draw the panel. */
export function drawCheck() {
  if (state.mode !== "check") return;
  drawHeat();
  fillWith(rules, () => {
    const { audit, figures } = state;
    return [make("h2", {}, t("audit")), audit ? tellFindings(audit, figures?.fill ?? null) : make("p", {}, "…")];
  });
  fillWith(root, () => {
    const { figures, style } = state;
    if (!figures) return [make("p", {}, "…")];
    return [
      figures.fill ? quality(figures.fill) : null,
      whole(figures),
      figures.fill ? fillOf(figures.fill) : null,
      style !== CRISS_CROSS && make("section", {}, make("h2", {}, `${t("faults")} (${t(style)})`), listFaults()),
    ];
  });
}

/**
 * Return what is wrong, each thing once and with its place: of cells that are empty how many there are.
 * @param {Audit} audit @param {FillFigures | null} fill
 */
function tellFindings({ violations, remarks }, fill) {
  const broken = violations.filter(({ rule }) => rule !== "C1" && rule !== "C5"), // words that are alike are listed below
    empty = violations.filter(({ rule }) => rule === "C1").length,
    alike = fill ? listAlike(fill) : [];
  return [
    empty ? make("p", {}, t("audit_empty", { count: empty })) : null,
    make("ul", {}, [
      ...[...broken, ...remarks].map(({ at, detail }) => make("li", {}, slotLinks(at), ` ${detail}`)),
      ...alike.map(({ slots, told, free }) =>
        make(
          "li",
          {},
          slotLinks(slots),
          ` ${told} `,
          free.map((word) => make("button", { class: "small", onclick: () => forbid(word) }, t("forbid", { word }))),
        ),
      ),
      ...(fill?.naticks ?? []).map(({ slots }) =>
        make(
          "li",
          {},
          slotLinks(slots),
          ` ${t("natick", { words: slots.map((name) => fill?.words[name]).join(", ") })}`,
        ),
      ),
    ]),
    violations.length ? null : make("p", { class: "fillable yes" }, t("audit_right")),
  ];
}

/** Return the words that are alike, and which of them may be forbidden. @param {FillFigures} fill */
function listAlike({ words, own, alike }) {
  return alike.map(({ text, slots }) => {
    const texts = [...new Set(slots.map((name) => words[name]))].sort((one, other) => one.length - other.length),
      [word, ...others] = texts,
      said = text === text.toUpperCase() ? "alike_reversal" : "alike_stem";
    const free = slots.filter((name) => !own.includes(name)).map((name) => words[name]);
    const values = { word, others: others.join(", "), words: texts.join(", "), text };
    const within = others.every((other) => other.includes(word));
    return { slots, told: t(within ? "repeats_in" : said, values), free: [...new Set(free)] };
  });
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
    fill.long ? make("p", { class: "long" }, tellLong(fill.long)) : null,
    fill.worst.length ? make("p", {}, `${t("worst")}: `, slotLinks(fill.worst)) : null,
    fill.calibrated.map((told) => make("p", {}, told)),
  );
}

/** How many long entries are phrases or names. @param {NonNullable<FillFigures["long"]>} long */
function tellLong({ words, phrases, names, published }) {
  const told = t("long_entries", { words, phrases, names });
  if (published === null) return told;
  return `${told} ${t("long_published", { share: percent((phrases + names) / words), published: percent(published) })}`;
}

/** @param {FillFigures} fill */
function fillOf(fill) {
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
  );
}

/** Return the name of a slot or cell for people. @param {string} name */
function nameOf(name) {
  const slot = findSlot(state.puzzle, name);
  return slot ? nameSlot(slot) : name;
}

/** Return the word of a slot, with its other answers if there are any. @param {{slot: string, word?: string}} told */
const wordOf = ({ slot, word }) => state.figures?.readings?.[slot]?.join("/") ?? word;

/**
 * Return links to slots, each with what is known of it beside its name.
 * @param {readonly (string | {slot: string, word?: string, score?: number | null, reason?: JudgedRecord["reason"]})[]} slots
 */
function slotLinks(slots) {
  return make(
    "span",
    { class: "links" },
    slots.map((slot) => {
      const name = typeof slot === "string" ? slot : slot.slot;
      const said =
        typeof slot === "string"
          ? nameOf(name)
          : [wordOf(slot), slot.score, slot.reason && `(${t(slot.reason)})`]
              .filter((each) => each !== null && each !== undefined)
              .join(" ");
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
