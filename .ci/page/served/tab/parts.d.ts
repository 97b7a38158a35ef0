// Where the parts of the application are, from the page on: `cpfill site` makes this module.

export const APP: string;
export const PDF: string;
export const PYODIDE: string;
/** The files of the packaged word lists, by their names. */
export const LISTS: Readonly<Record<string, string>>;
/** The names of the files of each packaged word list. */
export const PARTS: Readonly<Record<string, readonly string[]>>;
/** The definitions of their words, by language. */
export const DEFINITIONS: Readonly<Record<string, string>>;
