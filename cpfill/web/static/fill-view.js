// Fill: the candidates of the slot under the cursor, each with its verdict, and what fills the grid.

import * as actions from "./actions.js";
import { fillWith, make, mark, say } from "./dom.js";
import { answerOf } from "./model.js";
import { count, currentSlot, judgeWord, lettersOf, stopFilling } from "./questions.js";
import { state, update } from "./store.js";
import { nameSlot, t } from "./strings.js";
import { drawTerms, terms } from "./terms-view.js";

const SIGNS = { yes: "✓", no: "✗", open: "?" };
const panel = document.getElementById("panel-fill");
const list = make("div", { id: "words", role: "grid", tabindex: "0" });
const heading = make("h2", { id: "words-heading" });
const summary = make("p", { class: "summary" });
const verdict = make("p", { id: "fillable", class: "fillable" });
const reasons = make("div", { class: "reasons" });
const controls = make("div", { class: "controls" });
const progress = make("p", { class: "progress" });
panel.append(verdict, reasons, controls, progress, terms, heading, summary, list);
mark(list, "aria-labelledby", "words-heading");

let selected = 0;
let shownOf = null;

/** Draw the panel. */
export function drawFill() {
  if (state.mode !== "fill") return;
  drawVerdict();
  drawControls();
  drawTerms();
  drawWords();
}

function drawVerdict() {
  say(verdict, t(`fillable_${state.fillable}`));
  mark(verdict, "class", `fillable ${state.fillable}`);
  const { explanation } = state;
  fillWith(reasons, JSON.stringify([explanation?.text, explanation?.repairs, state.language]), () =>
    explanation
      ? [
          make("h2", {}, t("why")),
          make("p", {}, explanation.text[0] ?? "…"),
          explanation.repairs?.length ? make("h2", {}, t("repair")) : null,
          make(
            "ul",
            { class: "repairs" },
            (explanation.repairs ?? []).map((each) =>
              make("li", {}, make("button", { onclick: () => actions.repair(each.free) }, each.text)),
            ),
          ),
        ]
      : [],
  );
}

function drawControls() {
  const { filling, anchor, counting } = state;
  // A button that is replaced while it is pressed hears no click: what a region changes is its name alone.
  fillWith(controls, JSON.stringify([filling !== null, Boolean(counting?.running), state.language]), () =>
    filling || counting?.running
      ? [make("button", { id: "stop", class: "primary", onclick: stopFilling }, t("stop"))]
      : [
          make("button", { id: "autofill", class: "primary", title: "Ctrl-Enter", onclick: () => actions.fill() }),
          make("button", { id: "another", onclick: () => actions.fill("good", true) }, t("another")),
          make("button", { id: "best", onclick: () => actions.fill("min") }, t("best")),
          make("button", { id: "tightest", title: "!", onclick: actions.goToTightest }, t("tightest")),
          make("button", { id: "lock", title: "=", onclick: actions.lock }, t("lock")),
          make("button", { id: "count", onclick: count }, t("count")),
          make("button", { id: "clear", onclick: () => actions.clear(false) }, t("clear")),
          make("button", { id: "clear-all", onclick: () => actions.clear(true) }, t("clear_all")),
        ],
  );
  const autofill = controls.querySelector("#autofill");
  if (autofill) say(autofill, t(anchor === null ? "autofill" : "fill_region"));
  const parts = [];
  if (filling) parts.push(tellFilling(filling));
  if (counting) parts.push(tellCount(counting));
  say(progress, parts.join("; "));
}

/** Return how a search gets on: of its value the theme comes first, if there is one. */
function tellFilling({ objective, value, bound }) {
  const names = [...(state.pool.length ? ["filling_pool"] : []), ...(objective === "min" ? ["filling_best"] : [])];
  const [values, bounds] = [value, bound].map((each) => [each ?? []].flat());
  return (
    names.map((name, at) => t(name, { value: values[at] ?? "–", bound: bounds[at] ?? "–" })).join("; ") || t("filling")
  );
}

function tellCount({ fills, exact, running }) {
  const number = fills.toLocaleString(state.language);
  if (exact) return t(fills === 1 ? "exactly_one" : "exactly", { fills: number });
  return fills ? t("at_least", { fills: number }) + (running ? " …" : "") : t(running ? "counting" : "none_counted");
}

function drawWords() {
  const { candidates } = state,
    slot = currentSlot(),
    asking = candidates.state === "asking";
  say(heading, slot ? `${nameSlot(slot)}  ${answerOf(state.puzzle, slot, "·")}` : t("words"));
  const { words } = candidates;
  // The words before stay in sight until others come, so that nothing jumps; they can be chosen no longer.
  if (words !== shownOf && !asking) {
    shownOf = words;
    selected = 0;
    while (rows.length < words.length) rows.push(makeRow(rows.length));
    list.replaceChildren(...rows.slice(0, words.length).map(({ element }) => element));
  }
  const counts = { yes: 0, no: 0, open: 0 };
  for (const each of candidates.verdicts.values()) counts[each.verdict]++;
  for (let at = 0; at < list.children.length; at++) drawRow(rows[at], at, asking ? [null, 0] : words[at]);
  mark(list, "aria-busy", String(asking));
  mark(list, "aria-activedescendant", words.length ? `word-${selected}` : null);
  say(
    summary,
    !slot
      ? t("no_slot")
      : asking
        ? t("asking")
        : words.length
          ? t("counted_words", { ...counts, all: candidates.total.toLocaleString(state.language) })
          : candidates.state === "none"
            ? ""
            : t("no_words"),
  );
}

/** The rows that were made: what they hold changes, they stay. */
const rows = [];

function makeRow(at) {
  const held = (name, ...children) => make("span", { role: "gridcell", class: name }, ...children);
  const sign = make("span", { "aria-hidden": "true" }),
    told = held("sign", sign),
    word = held("word"),
    score = held("score");
  const buttons = ["rescore", "ban"].map((what) => make("button", { class: "small", tabindex: "-1", "data-do": what }));
  return {
    element: make(
      "div",
      { role: "row", id: `word-${at}` },
      told,
      word,
      score,
      buttons.map((button) => held("", button)),
    ),
    sign,
    told,
    word,
    score,
    buttons,
  };
}

function drawRow({ element, sign, told, word, score, buttons }, at, [text, points]) {
  const said = text === null ? undefined : state.candidates.verdicts.get(text)?.verdict;
  mark(element, "data-word", text);
  mark(element, "class", said ?? "pending");
  mark(element, "aria-selected", String(at === selected));
  say(sign, SIGNS[said] ?? "·");
  mark(told, "aria-label", said ? t(`verdict_${said}`) : null);
  if (text === null) return;
  say(word, text);
  say(score, String(Math.round(points)));
  for (const button of buttons) {
    say(button, t(button.dataset.do));
    mark(button, "aria-label", `${t(button.dataset.do)}: ${text}`);
  }
}

function select(at) {
  const last = list.children.length - 1;
  selected = Math.max(0, Math.min(last, at));
  list.children[selected]?.scrollIntoView({ block: "nearest" });
  showGhost(list.children[selected]?.dataset.word);
}

/** Draw the fill that shows a word, where the puzzle has no letters. */
function showGhost(word) {
  const witness = word && state.candidates.verdicts.get(word)?.witness;
  update({ ghost: witness ? lettersOf(witness) : null });
}

function rescore(word) {
  const answer = prompt(t("new_score", { word }))?.trim();
  if (!answer) return;
  const score = Number(answer.replace(",", "."));
  if (score >= 0 && score <= 100) judgeWord({ rescore: word, score });
  else update({ message: "bad_score" });
}

list.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const word = list.children[selected]?.dataset.word;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code); // the key: on some keyboards its digit needs Shift
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Home") select(0);
  else if (event.key === "End") select(list.children.length);
  else if (event.key === "Enter" && word) actions.take(word);
  else if (event.key === "Delete" && word) judgeWord({ ban: word });
  else if (event.key === "s" && word) rescore(word);
  else if (digit) actions.take(list.children[Number(digit[1]) - 1]?.dataset.word ?? "");
  else return;
  event.preventDefault();
});
list.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-word]");
  if (!chosen) return;
  const { do: what } = event.target.dataset;
  if (what === "ban") judgeWord({ ban: chosen.dataset.word });
  else if (what === "rescore") rescore(chosen.dataset.word);
  else actions.take(chosen.dataset.word);
});
list.addEventListener("pointerover", (event) => {
  const over = event.target.closest("[data-word]");
  if (over) showGhost(over.dataset.word);
});
list.addEventListener("pointerleave", () => update({ ghost: null }));
list.addEventListener("blur", () => update({ ghost: null }));
