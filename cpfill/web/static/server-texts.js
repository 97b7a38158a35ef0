// What the server says in English, in French: what a constructor meets in normal work. All else stays English.

/** The English text, where `{n}` is a number and `{name}` anything, which is translated in turn; and the French one. */
const TEXTS = [
  // Parts of a puzzle that a format has no place for, or that were left unread.
  ["the title", "le titre"],
  ["the author", "l'auteur"],
  ["the editor", "le rédacteur"],
  ["the publisher", "l'éditeur"],
  ["the date", "la date"],
  ["the copyright", "les droits"],
  ["the notes", "les notes"],
  ["1 clue", "1 définition"],
  ["{n} clues", "{n} définitions"],
  ["1 clue of no slot", "1 définition sans emplacement"],
  ["{n} clues of no slot", "{n} définitions sans emplacement"],
  ["1 cell of several letters", "1 case de plusieurs lettres"],
  ["{n} cells of several letters", "{n} cases de plusieurs lettres"],
  ["1 cell of a digit or symbol", "1 case d'un chiffre ou symbole"],
  ["{n} cells of a digit or symbol", "{n} cases d'un chiffre ou symbole"],
  ["1 letter set", "1 choix de lettres"],
  ["{n} letter sets", "{n} choix de lettres"],
  ["1 given", "1 lettre donnée"],
  ["{n} givens", "{n} lettres données"],
  ["1 circle", "1 cercle"],
  ["{n} circles", "{n} cercles"],
  ["1 bar", "1 barre"],
  ["{n} bars", "{n} barres"],
  ["1 void", "1 case absente"],
  ["{n} voids", "{n} cases absentes"],
  ["1 field", "1 champ"],
  ["{n} fields", "{n} champs"],
  ["1 cell style", "1 style de case"],
  ["{n} cell styles", "{n} styles de case"],
  ["1 section", "1 section"],
  ["{n} sections", "{n} sections"],
  ["1 header", "1 en-tête"],
  ["{n} headers", "{n} en-têtes"],
  ["1 mark of a solver", "1 marque d'un joueur"],
  ["{n} marks of a solver", "{n} marques d'un joueur"],
  ["1 letter of a solver", "1 lettre d'un joueur"],
  ["{n} letters of a solver", "{n} lettres d'un joueur"],
  ["the locked solution", "la solution verrouillée"],
  ["the timer", "le chronomètre"],
  ["dropped {what}", "sans {what}"],
  ["left out {what}", "non lu : {what}"],
  ["found {what} of no slot: {names}", "{what} sans emplacement : {names}"],
  ["the first of {n} grids", "la première de {n} grilles"],
  ["showed ? for {signs}, which its fonts lack", "? à la place de {signs}, que ses polices n'ont pas"],
  ["wrote version 1.3, with plain signs for {signs}", "écrit en version 1.3, avec des signes simples pour {signs}"],
  [
    "wrote version 2.0, in UTF-8, for {signs}, which version 1.3 lacks",
    "écrit en version 2.0 (UTF-8) pour {signs}, que la version 1.3 n'a pas",
  ],
  [
    "clues too long for their cells, set smaller than {size} pt: {slots}",
    "définitions trop longues pour leurs cases, composées en moins de {size} pt : {slots}",
  ],
  // What the audit of a fill finds.
  ["{word} in {where} is not in the lexicon", "{word}, {where}, n'est dans aucune liste choisie"],
  ["{word} in {where} scores {score}, under {least}", "{word}, {where}, vaut {score}, moins de {least}"],
  ["{word} stands in {where} and in {there}", "{word} est deux fois dans la grille : {where} et {there}"],
  ["{where} may not hold '{letter}'", "{where} : la lettre {letter} n'y est pas permise"],
  ["row {n}, column {m}", "ligne {n}, colonne {m}"],
  ["row {n}", "ligne {n}"],
  ["column {n}", "colonne {n}"],
  ["1 line skipped ({why})", "1 ligne ignorée ({why})"],
  ["{n} lines skipped ({why})", "{n} lignes ignorées ({why})"],
  ["1 character outside the alphabet", "1 caractère hors de l'alphabet"],
  ["{n} characters outside the alphabet", "{n} caractères hors de l'alphabet"],
  ["expected UTF-8 text, found binary data", "ce n'est pas un texte (UTF-8)"],
  ["expected {what} file, found another kind of file", "ce n'est pas un fichier {what}"],
  ["a .puz", ".puz"],
  [
    "expected '#', '.', a letter or '[letters]', found {what}",
    "une grille de texte n'a que « # », « . » et des lettres, et ici {what}",
  ],
  ["1 draft clue", "1 ébauche"],
  ["{n} draft clues", "{n} ébauches"],
  ["1 shaded cell", "1 case grisée"],
  ["{n} shaded cells", "{n} cases grisées"],
  // The personal list.
  ["{path}: {word} is banned", "{path} : {word} est banni"],
  ["{path}: {word} scores {score}", "{path} : {word} vaut {score}"],
  [
    "expected a score (0, or {least} to {most}) for score, found {found}",
    "un score de 0 à {most} est attendu, et non {found}",
  ],
  // What is missing, or cannot be.
  ["{use} needs {package} ({why}): pip install {what}", "{use} a besoin de {package} ({why}) : pip install {what}"],
  [
    "expected a dictionary for '{language}' (install the Debian package {package}), or a dictionary file, found none on this system",
    "aucun dictionnaire pour « {language} » sur ce système : installez le paquet Debian {package}",
  ],
  [
    "expected a block for the clue of each slot, before its first letter or beside it, two clues a block, found none for {slots}",
    "chaque mot fléché demande une case noire pour sa définition, avant sa première lettre ou à côté, deux définitions par case : {slots} n'en ont pas",
  ],
  ["expected a list with at least one usable word, found none", "ces listes n'ont aucun mot utilisable"],
  ["expected a grid with a slot of {n} cells, found none", "la grille n'a aucun emplacement de {n} cases"],
  ["expected at least one slot: 2 open cells in a row, found none", "la grille n'a pas deux cases ouvertes de suite"],
  ["expected a size from 1x1 to {most}, found {size}", "une taille de 1x1 à {most} est attendue, et non {size}"],
  ["expected a square for the symmetry {symmetry}, found {size}", "cette symétrie demande un carré, et non {size}"],
  [
    "expected a seed word of {low} to {high} letters, as slots of {size} have, found '{word}', of {n}",
    "un mot imposé doit avoir de {low} à {high} lettres, comme les emplacements de {size} : {word} en a {n}",
  ],
  ["expected each seed word once, found {word} twice", "{word} est imposé deux fois"],
  [
    "expected a draft without blocks, for a barred grid, found {n}",
    "une grille à barres ne peut avoir de cases noires : il y en a {n}",
  ],
  [
    "expected a draft without bars, for a grid with blocks, found {n}",
    "une grille à cases noires ne peut avoir de barres : il y en a {n}",
  ],
  ["expected a puzzle, found an empty file", "fichier vide"],
  ["expected a puzzle of the directory, found none", "il n'y a pas de telle grille dans le dossier"],
  ["expected a file that can be written, found {why}", "ce fichier ne peut être écrit ({why})"],
  ["expected a file that can be read, found {why}", "ce fichier ne peut être lu ({why})"],
  ["expected at most {n} MB, found more", "au plus {n} Mo sont permis"],
  [
    "expected at most {n} searches at once, found as many already",
    "au plus {n} recherches à la fois : il y en a déjà autant",
  ],
  [
    "expected the token that stands in the address of the page, found none or another",
    "le jeton dans l'adresse de la page n'est pas le bon : ouvrez l'adresse que cpfill serve affiche",
  ],
  ["a fault of cpfill: {what}", "une erreur de cpfill : {what}"],
];

const literal = (text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
const PATTERNS = TEXTS.map(([english, french]) => ({
  pattern: new RegExp(
    `^${literal(english).replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === "n" ? "\\d+" : ".+?"})`)}$`,
    "u",
  ),
  french,
}));

/** Return what the server said in French, as far as it is known; where it is not, as it is. @param {string} text */
export const translate = (text) => text.split("; ").map(one).join(" ; ");

function one(text) {
  for (const { pattern, french } of PATTERNS) {
    const found = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : null);
    if (found) return french.replace(/\{(\w+)\}/g, (_, name) => one(found[name]));
  }
  const at = text.indexOf(": ");
  if (at < 0) return text;
  const parts = [text.slice(0, at), text.slice(at + 2)],
    said = parts.map(one);
  return said.some((each, which) => each !== parts[which]) ? said.join(" : ") : text;
}
