// What the page says, in English and French.

import { findSlot } from "./model.js";
import { translate } from "./server-texts.js";
import { state } from "./store.js";

const STRINGS = {
  design: ["Design", "Dessin"], fill: ["Fill", "Remplissage"], clues: ["Clues", "Définitions"], check: ["Check", "Contrôle"], export: ["Export", "Export"],
  Across: ["Across", "Horizontalement"], Down: ["Down", "Verticalement"],
  across_short: ["Across", "H"], down_short: ["Down", "V"],
  undo: ["Undo", "Annuler"], redo: ["Redo", "Rétablir"], help: ["Keys", "Clavier"], puzzles: ["Puzzles", "Grilles"],
  new: ["New", "Nouvelle"], import: ["Import…", "Importer…"], import_hint: ["a puzzle from a file of any format; nothing is overwritten", "une grille d'un fichier de tout format ; rien n'est écrasé"], language: ["Language", "Langue"], theme: ["Light or dark", "Clair ou sombre"], bad_score: ["A score is a number from 0 to 100.", "Un score est un nombre de 0 à 100."],
  theme_auto: ["Colours: auto", "Couleurs : auto"], theme_light: ["Colours: light", "Couleurs : claires"], theme_dark: ["Colours: dark", "Couleurs : sombres"],
  saved: ["saved", "enregistré"], saving: ["saving…", "enregistrement…"], unsaved: ["not saved", "non enregistré"], conflict: ["changed elsewhere", "modifié ailleurs"],
  stays_open: ["This puzzle is not saved yet: it stays open.", "Cette grille n'est pas encore enregistrée : elle reste ouverte."],
  conflict_text: ["This puzzle was changed elsewhere while you worked on it. Which one is to stay?", "Cette grille a été modifiée ailleurs pendant votre travail. Laquelle garder ?"],
  mine: ["The one here", "Celle d'ici"], theirs: ["The one in the file", "Celle du fichier"],
  block: ["block", "case noire"], empty: ["empty", "vide"], locked_letter: ["locked", "verrouillée"], given_letter: ["given to the solver", "donnée au solveur"], shaded: ["shaded", "grisée"], impossible: ["no letter fits", "aucune lettre possible"],
  manage: ["File…", "Fichier…"], manage_hint: ["rename, duplicate or delete it", "la renommer, la dupliquer ou la supprimer"], file_name: ["Name", "Nom"], rename: ["Rename", "Renommer"], duplicate: ["Duplicate", "Dupliquer"], delete_ask: ["Delete…", "Supprimer…"], delete: ["Delete", "Supprimer"], cancel: ["Cancel", "Annuler"],
  delete_sure: ["Delete {name} for good? This cannot be undone.", "Supprimer {name} définitivement ? C'est irréversible."],
  personal: ["My own list (bans, scores)", "Ma liste (bannis, scores)"], add_list: ["Add a list…", "Ajouter une liste…"], list_hint: ["or drop the file here", "ou déposez le fichier ici"], list_added: ["{name}: {words} words", "{name} : {words} mots"],
  pool: ["Theme: as many of these words as can be", "Thème : le plus possible de ces mots"], pool_words: ["Theme words, separated by commas", "Mots du thème, séparés par des virgules"], pool_placed: ["Words of the theme in the grid: {value}", "Mots du thème dans la grille : {value}"], filling_pool: ["theme {value}, at most {bound}", "thème {value}, au plus {bound}"],
  clue_sources: ["Look clues up here too", "Chercher aussi des définitions ici"],
  heat: ["Heat map of the lists", "Les lettres dans les listes, selon leur place"], heat_letters: ["words of {length} letters", "mots de {length} lettres"], heat_length: ["Length of the words", "Longueur des mots"], heat_share: ["Shares", "Parts"], heat_letter: ["where each letter stands (% of the letter)", "où se trouve chaque lettre (% de la lettre)"], heat_position: ["which letters stand there (% of the position)", "quelles lettres s'y trouvent (% de la position)"], heat_words: ["{words} words; · is less than half a per cent, the greatest share is underlined", "{words} mots ; · vaut moins d'un demi pour cent, la plus grande part est soulignée"],
  locked: ["This letter is locked; = unlocks it.", "Cette lettre est verrouillée ; = la déverrouille."],
  grid: ["Grid", "Grille"], words: ["Words", "Mots"], lists: ["Word lists", "Listes de mots"], min_score: ["Lowest score allowed", "Score minimum"],
  fillable_yes: ["✓ A fill exists", "✓ Un remplissage existe"], fillable_no: ["✗ No fill exists", "✗ Aucun remplissage n'existe"],
  fillable_open: ["? Not decided yet", "? Pas encore décidé"], fillable_none: ["…", "…"],
  verdict_yes: ["✓ a fill has it", "✓ un remplissage le contient"], verdict_no: ["✗ no fill has it", "✗ aucun remplissage ne le contient"], verdict_open: ["? not decided", "? non décidé"],
  own_entries: ["Entries of your own, exempt from lists and least score: {words}.", "Vos propres mots, que ni les listes ni la note minimale n'excluent : {words}."],
  no_slot: ["No word goes through this cell.", "Aucun mot ne passe par cette case."], no_words: ["No word fits here.", "Aucun mot ne convient ici."],
  asking: ["looking…", "recherche…"], counted_words: ["{yes} ✓  {no} ✗  {open} ?  of {all}", "{yes} ✓  {no} ✗  {open} ?  sur {all}"],
  autofill: ["Fill all", "Tout remplir"], fill_region: ["Fill the region", "Remplir la zone"], another: ["Another", "Un autre"], best: ["Best fill", "Meilleur remplissage"], stop: ["Stop", "Arrêter"],
  clear: ["Clear what was filled in", "Effacer le remplissage"], clear_all: ["Clear all letters", "Effacer toutes les lettres"],
  filling: ["filling…", "remplissage…"], filling_best: ["lowest score {value}, at most {bound}", "score minimum {value}, au plus {bound}"],
  no_fill: ["✗ There is no such fill: proved.", "✗ Aucun remplissage de ce genre n'existe : prouvé."], none_found: ["? No fill was found in time.", "? Aucun remplissage trouvé à temps."],
  count: ["Count fills", "Compter"], counting: ["counting…", "comptage…"], exactly: ["exactly {fills} fills", "exactement {fills} remplissages"], exactly_one: ["exactly one fill", "exactement un remplissage"], none_counted: ["? No fill was counted in time.", "? Aucun remplissage compté à temps."], at_least: ["at least {fills} fills", "au moins {fills} remplissages"],
  tightest: ["Tightest slot", "Mot le plus contraint"], lock: ["Lock", "Verrouiller"], why: ["Why there is none", "Pourquoi il n'y en a pas"], repair: ["What would help", "Ce qui aiderait"],
  opened: ["{slot}: any letters", "{slot} : lettres libres"], close_slot: ["Ask for a word again", "Demander de nouveau un mot"],
  ban: ["Ban", "Bannir"], rescore: ["Score…", "Score…"], new_score: ["New score of {word} (0 to 100)", "Nouveau score de {word} (0 à 100)"],
  size: ["Rows and columns", "Lignes et colonnes"], resize: ["Change", "Changer"], style: ["Style", "Style"], symmetry: ["Symmetry", "Symétrie"],
  rotate: ["half turn", "demi-tour"], rotate90: ["quarter turn", "quart de tour"], mirror: ["left and right", "gauche-droite"], updown: ["up and down", "haut-bas"], both: ["both mirrors", "deux miroirs"], diagonal: ["diagonal", "diagonale"], none: ["none", "aucune"],
  american: ["American", "américain"], british: ["British", "britannique"], french: ["French", "français"], japanese: ["Japanese", "japonais"], free: ["free", "libre"], barred: ["barred", "à barres"], arrow: ["arrowword", "mots fléchés"],
  toggle_block: ["Block (.)", "Case noire (.)"], toggle_bar_right: ["Bar to the right (,)", "Barre à droite (,)"], toggle_bar_below: ["Bar below (_)", "Barre en dessous (_)"], toggle_circle: ["Circle (@)", "Cercle (@)"], toggle_shade: ["Shade (`)", "Griser (`)"], shade_colour: ["Colour of the shade", "Couleur de la teinte"], toggle_rebus: ["Rebus (+)", "Rébus (+)"], toggle_given: ["Given to the solver", "Lettre donnée au solveur"],
  limit_letters: ["Letters allowed ([)", "Lettres permises ([)"], letters_text: ["Letters that may stand here (empty: any)", "Lettres permises ici (vide : toutes)"], one_of: ["one of {letters}", "une de {letters}"], toggle_lock: ["Lock (=)", "Verrouiller (=)"],
  keypad: ["Letters and moves", "Lettres et déplacements"], erase: ["Take out the letter", "Effacer la lettre"], word_before: ["Word before", "Mot précédent"], word_after: ["Next word", "Mot suivant"],
  rebus_text: ["Letters of this cell", "Lettres de cette case"],
  generate: ["Generate a grid", "Générer une grille"], generate_filled: ["…that is filled", "…et la remplir"], complete: ["Complete what stands here", "Compléter ce qui est là"], seed_words: ["Theme words, separated by commas", "Mots imposés, séparés par des virgules"], no_grid: ["✗ There is no such grid: proved.", "✗ Aucune grille de ce genre n'existe : prouvé."], no_grid_found: ["? No such grid was found in time.", "? Aucune grille de ce genre trouvée à temps."], no_grid_blame: ["The words that cross {word} fail most often.", "Les mots qui croisent {word} échouent le plus souvent."], no_grid_without: ["There is a grid without {words}.", "Il y a une grille sans {words}."], generating: ["generating…", "génération…"],
  faults: ["What this style does not allow", "Ce que ce style interdit"], no_faults: ["Nothing that this style does not allow.", "Rien d'interdit par ce style."],
  // Faults by the names that the server gives them.
  "short word": ["short word", "mot trop court"], "unchecked cell": ["unchecked cell", "case non croisée"], "word with fewer than half its cells checked": ["word with fewer than half its cells checked", "mot dont moins de la moitié des cases sont croisées"],
  "three unchecked cells in a row": ["three unchecked cells in a row", "trois cases non croisées de suite"], "word with too many unchecked cells": ["word with too many unchecked cells", "mot avec trop de cases non croisées"], "two unchecked cells in a row": ["two unchecked cells in a row", "deux cases non croisées de suite"],
  "no lattice of blocks": ["no lattice of blocks", "les cases noires ne forment pas de treillis"], "adjacent blocks": ["adjacent blocks", "cases noires adjacentes"], "block in a corner": ["block in a corner", "case noire dans un coin"], "clue cells and letters do not alternate": ["clue cells and letters do not alternate", "cases de définition et lettres n'alternent pas"],
  "block without a clue": ["block without a clue", "case noire sans définition"], "word without a clue cell": ["word without a clue cell", "mot sans case de définition"], "part of its own": ["part of its own", "partie isolée"], "cell in no word": ["cell in no word", "case d'aucun mot"], "no counterpart by symmetry": ["no counterpart by symmetry", "sans symétrique"],
  "two by two blocks": ["two by two blocks", "carré de quatre cases noires"], "more words than usual": ["more words than usual", "plus de mots que d'usage"], "fewer words than usual": ["fewer words than usual", "moins de mots que d'usage"], "words shorter than usual": ["words shorter than usual", "mots plus courts que d'usage"], "more checked cells than usual": ["more checked cells than usual", "plus de cases croisées que d'usage"],
  no_server: ["The server does not answer: is cpfill serve still running?", "Le serveur ne répond pas : cpfill serve tourne-t-il encore ?"],
  title: ["Title", "Titre"], author: ["Author", "Auteur"], copyright: ["Copyright", "Droits"], notes: ["Notes", "Notes"],
  missing: ["Clues still missing: {count} of {all}", "Définitions manquantes : {count} sur {all}"], clue_of: ["Clue of {slot}", "Définition de {slot}"], look_up: ["Look up", "Chercher"], drafts_of: ["Drafts of the clue {slot}", "Ébauches de la définition {slot}"], use_draft: ["Take this draft as the clue: {text}", "Prendre cette ébauche comme définition : {text}"], remove_draft: ["Remove this draft: {text}", "Retirer cette ébauche : {text}"], set_aside: ["Keep as a draft and write another (Alt-Enter)", "Garder en ébauche et en écrire une autre (Alt-Entrée)"], no_suggestions: ["Nothing found.", "Rien trouvé."],
  figure_words: ["Words", "Mots"], figure_blocks: ["Blocks", "Cases noires"], figure_average: ["Average length", "Longueur moyenne"], figure_open: ["Open cells", "Cases ouvertes"], figure_checked: ["Checked", "Croisées"], figure_cheaters: ["Cheaters", "Cases noires inutiles"],
  audit: ["Rules", "Règles"], audit_empty: ["Cells without a letter: {count}", "Cases sans lettre : {count}"], audit_right: ["✓ All words are in the chosen lists, and no rule is broken.", "✓ Tous les mots sont dans les listes choisies, aucune règle n'est enfreinte."],
  scores: ["Scores", "Scores"], lengths: ["Lengths", "Longueurs"], letters: ["Letters", "Lettres"], quality: ["Words", "Mots"], worst: ["Lowest scores", "Scores les plus bas"], unlisted: ["In no list", "Dans aucune liste"],
  repeats: ["Twice in the grid", "En double"], shared_runs: ["With letters in common", "Avec des lettres communes"], shared_stems: ["With a stem in common", "Avec un radical commun"], mean: ["mean {mean}, median {median}", "moyenne {mean}, médiane {median}"], bands: ["{strong} strong, {fair} fair, {weak} weak", "{strong} bons, {fair} passables, {weak} faibles"], pangram: ["All letters occur.", "Toutes les lettres y sont."],
  format: ["Format", "Format"], face: ["Content", "Contenu"], puzzle_and_solution: ["puzzle and solution", "grille et solution"], puzzle_alone: ["the puzzle", "la grille"], solution_alone: ["the solution", "la solution"], paper: ["Paper", "Papier"], a4: ["A4", "A4"], letter: ["Letter", "Letter"], layout: ["Layout", "Mise en page"], newspaper: ["newspaper", "journal"], submission: ["manuscript for an editor", "manuscrit pour une rédaction"], arrows: ["clues in the blocks, with arrows", "mots fléchés"], download: ["Download", "Télécharger"], preview: ["Preview", "Aperçu"], no_pages: ["This browser shows no PDF: here is a picture of the puzzle, not the page as it prints.", "Ce navigateur n'affiche pas les PDF : voici une image de la grille, non la page imprimée."], keeps_all: ["Nothing is lost in this format.", "Rien n'est perdu dans ce format."], loses: ["This format has no place for: ", "Ce format n'a pas de place pour : "],
  drop_here: ["Drop a puzzle file here: it is added, and takes the place of none.", "Déposez un fichier de grille ici : il est ajouté et n'en remplace aucun."],
  watch: ["Watch", "Pas à pas"], watch_idle: ["A search for a fill of this grid, step by step.", "Une recherche de remplissage de cette grille, pas à pas."],
  search_engine: ["Search", "Recherche"], engine_ac3: ["arc consistency alone (AC-3)", "cohérence d'arc seule (AC-3)"], engine_mac: ["maintained arc consistency (MAC)", "cohérence d'arc maintenue (MAC)"], "engine_fc": ["forward checking (FC)", "vérification en avant (FC)"], "engine_fc-cbj": ["…with backjumping (FC-CBJ)", "… avec saut arrière (FC-CBJ)"],
  search_ac3: ["Arc consistency first (AC-3)", "Cohérence d'arc d'abord (AC-3)"], search_shuffle: ["Words in random order", "Mots dans un ordre aléatoire"], search_restarts: ["Restarts", "Redémarrages"], search_seed: ["Seed of what is random", "Graine aléatoire"], search_order: ["Next slot", "Mot suivant"], search_speed: ["Speed", "Vitesse"], per_second: ["{count} a second", "{count} par seconde"],
  order_mrv: ["fewest words left", "le moins de mots restants"], order_degree: ["most crossings", "le plus de croisements"], "order_bound-degree": ["most crossings with words", "le plus de croisements avec des mots"], order_static: ["most constrained, settled before", "le plus contraint, fixé d'avance"], order_random: ["random", "au hasard"],
  play: ["Play", "Lecture"], pause: ["Pause", "Pause"], step_on: ["Step", "Un pas"], step_back: ["Step back", "Un pas en arrière"], to_end: ["To the end", "Jusqu'à la fin"], rewind: ["To the start", "Au début"], take_fill: ["Take this fill", "Prendre ce remplissage"], words_left: ["Words left", "Mots restants"],
  counted_steps: ["Steps", "Pas"], counted_nodes: ["Nodes", "Nœuds"], counted_backtracks: ["Backtracks", "Retours"], counted_jumps: ["Jumps", "Sauts"], counted_restarts: ["Restarts", "Redémarrages"], depth_now: ["Depth over time; now {depth} of {all}", "Profondeur au fil du temps ; ici {depth} sur {all}"],
  told_sizes: ["How many words fit in each slot.", "Combien de mots conviennent à chaque emplacement."],
  told_revision: ["AC-3: {slot} from {before} to {after} words, for {support}", "AC-3 : {slot} de {before} à {after} mots, à cause de {support}"], told_narrowing: ["{slot} from {before} to {after} words, by the rules", "{slot} de {before} à {after} mots, d'après les règles"],
  told_assignment: ["{depth}: {word} in {slot}", "{depth} : {word} en {slot}"], told_wipeout: ["{depth}: {word} in {slot} leaves no word for {wipeout}", "{depth} : {word} en {slot} ne laisse aucun mot pour {wipeout}"],
  told_backtrack: ["back from {depth} to {target}: nothing left to try in {slot}", "retour de {depth} à {target} : plus rien à essayer en {slot}"], told_jump: ["back from {depth} to {target}: the fault of {blamed}", "retour de {depth} à {target} : à cause de {blamed}"],
  told_propagation: ["{slot} from {before} to {after} words", "{slot} de {before} à {after} mots"], told_consistent: ["AC-3 takes nothing more away.", "AC-3 n'enlève plus rien."],
  told_refuted: ["back to {depth}: not {word} in {slot}", "retour à {depth} : pas {word} en {slot}"], told_refuted_wipeout: ["back to {depth}: not {word} in {slot} either, which leaves no word for {wipeout}", "retour à {depth} : pas {word} en {slot} non plus, ce qui ne laisse aucun mot pour {wipeout}"], told_restart: ["restart {number}: all words are taken back", "redémarrage {number} : tous les mots sont retirés"],
  told_nothing_left: ["Nothing is left to try.", "Il ne reste rien à essayer."], told_fill: ["✓ A fill.", "✓ Un remplissage."], told_more: ["… The search goes on; these were its first {steps} steps.", "… La recherche continue ; c'étaient ses {steps} premiers pas."],
  ok: ["OK", "OK"], close: ["Close", "Fermer"],
  help_grid: ["In the grid", "Dans la grille"], help_clues: ["Among the clues", "Parmi les définitions"], help_everywhere: ["Everywhere", "Partout"],
  key_arrows: ["turn, then move", "tourner, puis avancer"], key_shift_arrows: ["select a region", "choisir une zone"], key_space: ["across or down", "horizontal ou vertical"], key_tab: ["next word, Shift-Tab the one before", "mot suivant, Maj-Tab le précédent"], key_enter: ["into the words, or to the clue; 1–9 takes a word, Del bans it", "vers les mots, ou à la définition ; 1–9 prend un mot, Suppr le bannit"], key_bang: ["tightest slot", "mot le plus contraint"], key_lock: ["lock or unlock", "verrouiller ou non"], key_clue: ["next clue, the one before", "définition suivante, précédente"], key_aside: ["keep this clue as a draft, and write another", "garder cette définition en ébauche, en écrire une autre"], key_drafts: ["next draft, the one before", "ébauche suivante, précédente"], key_fill: ["fill what is empty, or the region", "remplir les cases vides, ou la zone"], key_undo: ["undo, redo", "annuler, rétablir"], key_escape: ["stop; back to the grid; there Tab then leaves it", "arrêter ; retour à la grille ; puis Tab en sort"], key_help: ["this help", "cette aide"],
};

/** Return a text in the language of the page; `{name}` stands for a value. @param {string} key */
export function t(key, values = {}) {
  const found = STRINGS[key]?.[state.language === "fr" ? 1 : 0] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Return a message: a text of ours by its key, or what the server says. */
export const tell = (message) => (STRINGS[message] ? t(message) : state.language === "fr" ? translate(message) : message);

/** Return what is wrong with the grid, and where. */
export function tellFault({ fault, at }) {
  const slot = findSlot(state.puzzle, at);
  return at === "grid" ? t(fault) : `${t(fault)}${state.language === "fr" ? " :" : ":"} ${slot ? nameSlot(slot) : at}`;
}

/** Return the name of a slot. */
export const nameSlot = (slot) => `${slot.number} ${t(slot.direction === "Across" ? "across_short" : "down_short")}`;
