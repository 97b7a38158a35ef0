// Cards of exports: the purposes of constructors, each with its format and its options.

/** @import { About } from "../../types.d.ts" */

/**
 * What is chosen: a card, the format of the last card, the paper of all, and on each card its own options.
 * @typedef {{layout?: string, face?: string, bank?: boolean}} Options
 * @typedef {Options & {to: string, layouts?: string[]}} Card
 * @typedef {{card: string, format: string, paper: string, options: Record<string, Options>}} Chosen
 * @typedef {About["drawings"]} Drawings
 */

/** Whether each has the solution; null has both. @type {Record<string, boolean | null>} */
export const FACES = { puzzle_and_solution: null, puzzle_alone: false, solution_alone: true };

/** The layouts that have a choice of faces. */
export const PLAIN = ["newspaper", "arrows"];

/** @type {Record<string, Card>} */
export const CARDS = {
  print: { to: "pdf", layouts: PLAIN },
  manuscript: { to: "pdf", layouts: ["submission"] },
  picture: { to: "svg", layouts: PLAIN, face: "puzzle_alone" },
  play: { to: "html", layouts: ["interactive"] },
  web: { to: "html", layouts: PLAIN },
  across_lite: { to: "puz" },
  ipuz: { to: "ipuz" },
};

/** @type {Record<string, string[]>} */
export const GROUPS = {
  print: ["print", "manuscript", "picture"],
  share: ["play", "web"],
  software: ["across_lite", "ipuz"],
};

/** The card of a format that is chosen by its name. */
export const OTHER = "other";

/** Return the format of a card. @param {Chosen} chosen @param {string} [card] */
export const formatOf = (chosen, card = chosen.card) => CARDS[card]?.to ?? chosen.format;

/** Return what a card includes. @param {Chosen} chosen @param {string} [card] */
export const faceOf = ({ card: current, options }, card = current) =>
  options[card]?.face ?? CARDS[card]?.face ?? "puzzle_and_solution";

/**
 * Return the layouts of a card in a format, by default its own.
 * @param {Chosen} chosen @param {Drawings} drawings @param {string} [card] @param {string} [to]
 */
export function listLayouts(chosen, drawings, card = chosen.card, to = formatOf(chosen, card)) {
  const able = drawings[to]?.layouts ?? [],
    wanted = CARDS[card]?.layouts;
  return wanted ? able.filter((each) => wanted.includes(each)) : able;
}

/**
 * Return the layout of a card in a format; unless one is chosen it is that of the grid's style.
 * @param {Chosen} chosen @param {Drawings} drawings @param {string} style @param {string} [card] @param {string} [to]
 */
export function layoutOf(chosen, drawings, style, card = chosen.card, to = formatOf(chosen, card)) {
  const able = listLayouts(chosen, drawings, card, to),
    wanted = chosen.options[card]?.layout ?? (style === "arrow" ? "arrows" : "");
  return able.find((each) => each === wanted) ?? able[0] ?? "newspaper";
}

/**
 * Whether a card may have a word bank: it stands beside a blank grid with clues.
 * @param {Chosen} chosen @param {Drawings} drawings @param {string} style @param {string} [card]
 */
export function hasBank(chosen, drawings, style, card = chosen.card) {
  const to = formatOf(chosen, card),
    isDrawn = drawings[to] !== undefined && !["png", "svg"].includes(to);
  return (
    isDrawn && layoutOf(chosen, drawings, style, card) !== "submission" && faceOf(chosen, card) !== "solution_alone"
  );
}

/**
 * Return how a drawing of the chosen card is to look, nothing for other formats.
 * @param {Chosen} chosen @param {Drawings} drawings @param {string} style @param {string} language @param {string} [to]
 */
export function styleOf(chosen, drawings, style, language, to = formatOf(chosen)) {
  const drawing = drawings[to];
  if (!drawing) return {};
  const paper = drawing.papers.includes(chosen.paper) ? chosen.paper : undefined,
    layout = layoutOf(chosen, drawings, style, chosen.card, to),
    bank = hasBank(chosen, drawings, style) && chosen.options[chosen.card]?.bank && { word_bank: true };
  if (layout === "interactive") return { layout, ...bank };
  if (layout === "submission") return { paper, layout };
  return { paper, layout, solution: FACES[faceOf(chosen)], french: language === "fr", ...bank };
}
