// Rules over letters: how each is chosen, and what a request asks for it.

/** @import { State, Terms } from "../../types.d.ts" */

/** @typedef {Terms["letterRules"]} Chosen  What is chosen for each rule that holds. */
/**
 * A rule, which has a text, or only holds or does not.
 * @typedef {object} LetterRule
 * @property {string} number  The number of the rule that its violations have.
 * @property {boolean} [holds]
 * @property {(text: string) => unknown} [ask]  Returns the field of the request, by default what is chosen.
 * @property {(text: string) => boolean} [isOpen]  Whether fills alone can be judged by it, and no words.
 */

/** The rules, in their order, by the names of their fields in a request; `rule_…` are their texts. @type {Record<string, LetterRule>} */
export const LETTER_RULES = {
  spell: { number: "C10", ask: (words) => [`circled=${words}`], isOpen: (words) => /[,@]/.test(words) },
  letter_counts: { number: "C8", ask: (limits) => limits.split(";") },
  pangram: { number: "C8", holds: true },
  no_naticks: { number: "C9", holds: true },
};

/** Return the rules that are kept with a puzzle; a file may say anything. @param {unknown} said @returns {Chosen} */
export const readRules = (said) =>
  Object.fromEntries(
    Object.entries(said ?? {}).filter(
      ([name, value]) => name in LETTER_RULES && value && (typeof value === "string" || value === true),
    ),
  );

/** Return the fields of a request for some rules. @param {Chosen} chosen @param {readonly string[]} left those left out */
export const fieldsOf = (chosen, left = []) =>
  Object.fromEntries(
    Object.entries(chosen)
      .filter(([name]) => !left.includes(name))
      .map(([name, value]) => [name, LETTER_RULES[name].ask?.(String(value)) ?? value]),
  );

/**
 * Return the rules by which words are not judged: those with a fault, or that fills alone can be judged by.
 * @param {Pick<State, "letterRules" | "ruleFaults">} state
 */
export const listLeft = ({ letterRules, ruleFaults }) =>
  Object.keys(letterRules).filter(
    (name) => name in ruleFaults || LETTER_RULES[name].isOpen?.(String(letterRules[name])),
  );
