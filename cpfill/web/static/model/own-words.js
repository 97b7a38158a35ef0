// Words as people write them: their letters, and the lists of words with clues that a criss-cross is made of.

/**
 * A word of a list, its letters and its clue, and the line where it stands, from 1.
 * @typedef {{word: string, letters: string, clue: string, line: number}} OwnWord
 * A fault of a list: the name of its text, and what that names.
 * @typedef {{name: string, values: Record<string, string | number>}} Fault
 */

/** The heads of the columns of words and clues in a table, as the program has them in files of clues. */
const HEADS = [
  ["ANSWER", "WORD", "WORDS", "TERM", "ENTRY", "MOT", "MOTS", "REPONSE", "TERME"],
  ["CLUE", "CLUES", "DEFINITION", "HINT", "QUESTION", "DESCRIPTION", "INDICE"],
];

/** The most words that a sentence names. */
const NAMED = 8;

/** Return the letters of an entry. @param {string} word */
export const lettersIn = (word) => word.toUpperCase().replace(/[^\p{L}]/gu, "");

/**
 * Return the signs of an entry that no cell can hold: letters may have accents, and what stands between words goes.
 * @param {string} word
 */
export const foreignIn = (word) => [...word.normalize("NFD").matchAll(/[^\p{L}\p{M}\s'’.,!?&-]/gu)].join(" ");

/** Return the letters of an entry without accents, which two words may share. @param {string} word */
const bareIn = (word) => lettersIn(word.normalize("NFD"));

/**
 * Return the words of a text: in each line a word, then a tab, a semicolon or a comma, and its clue. Commas separate only
 * if some line has a comma, but neither of the others. Blank lines, comments (`#`) and the heads of a table do not count.
 * @param {string} text @returns {OwnWord[]}
 */
export function readWords(text) {
  const lines = text.split(/\r\n|\r|\n/),
    counted = lines.filter((line) => line.trim() && !line.trim().startsWith("#")),
    hasCommas = counted.some((line) => line.includes(",") && !/[\t;]/.test(line)),
    separator = hasCommas ? /[\t;,]/ : /[\t;]/;
  const words = lines.flatMap((line, at) => {
    if (!counted.includes(line)) return [];
    const end = line.search(separator),
      word = unquote(end < 0 ? line : line.slice(0, end)),
      clue = end < 0 ? "" : unquote(line.slice(end + 1));
    return [{ word, letters: bareIn(word), clue, line: at + 1 }];
  });
  return words.length && isHead(words[0]) ? words.slice(1) : words;
}

/** @param {OwnWord} first */
const isHead = ({ letters, clue }) => HEADS[0].includes(letters) && HEADS[1].includes(bareIn(clue));

/** Return a text without the quotation marks of a table. @param {string} text */
function unquote(text) {
  const plain = text.trim(),
    quoted = /^"(.*)"$/.exec(plain);
  return quoted ? quoted[1].replaceAll('""', '"').trim() : plain;
}

/**
 * Return the first fault of the words of a criss-cross, if they have any.
 * @param {readonly OwnWord[]} words @param {{rows: string, columns: string, most: boolean}} how @returns {Fault | null}
 */
export function findFault(words, { rows, columns, most }) {
  if (!words.length) return { name: "own_none", values: {} };
  return (
    findInLines(words) ?? findInSize(words, [rows, columns].map(Number), most) ?? (most ? null : findStrangers(words))
  );
}

/** Return the first fault of a single line. @param {readonly OwnWord[]} words @returns {Fault | null} */
function findInLines(words) {
  const lines = /** @type {Map<string, number>} */ (new Map());
  for (const { word, letters, line } of words) {
    const signs = foreignIn(word),
      first = lines.get(letters);
    if (signs) return { name: "own_signs", values: { line, word, signs } };
    if (letters.length < 2) return { name: "own_short", values: { line, word } };
    if (first !== undefined) return { name: "own_twice", values: { line, word, first } };
    lines.set(letters, line);
  }
  return null;
}

/** @param {readonly OwnWord[]} words @param {number[]} size  Each side 0 where it is free. @param {boolean} most @returns {Fault | null} */
function findInSize(words, size, most) {
  if (!size.some(Boolean)) return null;
  if (!size.every(Boolean)) return { name: "own_half_size", values: {} };
  const long = words.find(({ letters }) => letters.length > Math.max(...size));
  return long && !most ? { name: "own_long", values: { word: long.word, length: long.letters.length } } : null;
}

/** Return which words share no letter, directly or by others, with most of the rest. @param {readonly OwnWord[]} words @returns {Fault | null} */
function findStrangers(words) {
  let groups = /** @type {OwnWord[][]} */ ([]);
  for (const word of words) {
    const akin = groups.filter((group) =>
      group.some(({ letters }) => [...letters].some((each) => word.letters.includes(each))),
    );
    groups = [...groups.filter((group) => !akin.includes(group)), [...akin.flat(), word]];
  }
  const strangers = groups
    .toSorted((one, other) => one.length - other.length)
    .slice(0, -1)
    .flat();
  if (!strangers.length) return null;
  const named = strangers.slice(0, NAMED).map(({ word }) => word),
    more = strangers.length > NAMED ? ["…"] : [];
  return { name: "own_strangers", values: { words: [...named, ...more].join(", ") } };
}
