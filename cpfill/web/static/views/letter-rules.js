// Rules over letters, in Fill: one field for each.

import { judge } from "../ask/questions.js";
import { LETTER_RULES, listLeft, readRules } from "../model/letter-rules.js";
import { agree, state } from "../model/store.js";
import { t, tell } from "../model/strings.js";
import { fillWith, make, say } from "./dom.js";

const line = make("summary", {}),
  fields = make("div", { class: "terms" });
export const letterRules = make("details", { id: "letter-rules" }, line, fields);

/** Draw them. */
export function drawLetterRules() {
  say(line, [t("letter_rules"), ...Object.entries(state.letterRules).map(tellRule)].join(" · "));
  fillWith(fields, () => Object.keys(LETTER_RULES).map(makeRule));
}

/** @param {[string, string | true]} chosen */
function tellRule([name, value]) {
  return value === true ? t(`rule_${name}`) : `${t(`rule_${name}`)} ${value}`;
}

/** Return the field of a rule, and below it its fault, or that no words are judged by it. @param {string} name */
function makeRule(name) {
  const fault = state.ruleFaults[name],
    isLeft = listLeft(state).includes(name);
  return make(
    "div",
    { class: "letter-rule" },
    makeField(name, fault),
    make("p", { id: `rule-${name}-fault`, class: "wrong", role: "alert" }, fault && tell(fault)),
    make("p", { class: "summary" }, !fault && isLeft && t("rule_open")),
  );
}

/** @param {string} name @param {string | undefined} fault */
function makeField(name, fault) {
  const { holds } = LETTER_RULES[name],
    chosen = String(state.letterRules[name] ?? ""),
    id = `rule-${name}`,
    looks = { id, "aria-invalid": String(Boolean(fault)), "aria-describedby": `${id}-fault` },
    label = make("label", { for: id }, t(`rule_${name}`));
  const onchange = (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget: field }) =>
    choose(name, holds ? field.checked : field.value.trim());
  if (holds) return [make("input", { ...looks, type: "checkbox", checked: Boolean(chosen), onchange }), label];
  const value = { value: chosen, placeholder: t(`rule_${name}_hint`), autocomplete: "off" };
  return [label, make("input", { ...looks, type: "text", ...value, onchange })];
}

/** Have a rule hold, or hold no longer. @param {string} name @param {string | boolean} value */
function choose(name, value) {
  agree({ letterRules: readRules({ ...state.letterRules, [name]: value }) });
  judge();
}
