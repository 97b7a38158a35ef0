/** The page's texts by name, each in English and French: the server makes this module of its catalogue. */
export const TEXTS: Readonly<Partial<Record<string, readonly [string, string]>>>;
