// What the page says, in English and French, by the names of its catalogue.

import { TEXTS } from "../texts.js"; // made of the catalogue, cpfill/base/texts/page.toml
import { listLeft } from "./letter-rules.js";
import { answerOf, findSlot } from "./puzzle.js";
import { mine, state } from "./store.js";

/** @import { Clock, Slot, StyleFault } from "../../types.d.ts" */

/**
 * Return a text in the language of the page; `{name}` stands for a value.
 * @param {string} key @param {Readonly<Record<string, unknown>>} [values]
 */
export function t(key, values = {}) {
  const found = TEXTS[key]?.[state.language === "fr" ? 1 : 0] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Return a message: a text of ours by its name, or what the server says, which speaks the language of the page.
 * @param {string} message
 */
export function tell(message) {
  if (TEXTS[message]) return t(message);
  const personal = state.about?.personal,
    said = personal ? message.replaceAll(personal, t("list_named")) : message;
  return said.replace(FOLDERS, "");
}

/** The folders in which a file stands, from the root on: a person knows the file by its name. */
const FOLDERS = /(?<=^|[\s"'«“])(?:[A-Za-z]:)?[\\/](?:[^\s\\/:]+[\\/])+(?=[^\s\\/])/g;

/** Return how the grid stands, in words. */
export function tellStanding() {
  const { fillable, unlisted, explanation } = state,
    count = unlisted.length;
  const parts = [t(fillable === "yes" && !mine().cells.includes("") ? "fillable_full" : `fillable_${fillable}`)];
  if (fillable === "open" && listLeft(state).length) return t("fillable_lax");
  if (fillable === "yes" && count) parts.push(t(count === 1 ? "entry_unlisted" : "entries_unlisted", { count }));
  if (fillable === "no" && !explanation) parts.push(t("why_asked"));
  return parts.join("; ");
}

/** Return what is wrong with the grid, and where. @param {StyleFault} fault */
export function tellFault({ fault, at }) {
  const slot = findSlot(state.puzzle, at);
  return at === "grid" ? t(fault) : `${t(fault)}${state.language === "fr" ? " :" : ":"} ${slot ? nameSlot(slot) : at}`;
}

/** Return how long something has been sought, and how long it is sought at most. @param {Clock} clock */
export const tellSeconds = ({ since, most }) =>
  t("generating_for", { seconds: Math.floor((performance.now() - since) / 1000), most });

/** Return what stands in a slot, with a mark for empty cells, and its other answers behind it. @param {Slot} slot */
export const tellAnswers = (slot, empty = "") =>
  (state.figures?.readings?.[slot.name] ?? [answerOf(state.puzzle, slot, "?")]).join("/").replaceAll("?", empty);

/** Return the name of a slot. @param {Slot} slot */
export const nameSlot = (slot) => `${slot.number} ${t(slot.direction === "Across" ? "across_short" : "down_short")}`;
