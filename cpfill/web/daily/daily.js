// The puzzles of the day: which of them a visitor sees, how far each is solved, and what is kept for a journey.

import { keep, play, recall, tellTime } from "./player.js";

/** @typedef {{solved: boolean, helped: boolean, seconds: number}} Done  How far a puzzle is solved that was begun. */

const here = new URL(".", import.meta.url),
  start = new URL("..", here);
/** Where the progress of each day is kept; a host may have several sites. */
const PROGRESS = `cpfill daily ${start.pathname}`;
/** The cache of the service worker, which forgets it with the scripts of these pages. */
const CACHE = `${start} ${here.pathname.split("/").at(-2)}`;

const LANGUAGE = document.documentElement.lang,
  spoken = navigator.languages.find((each) => each.split("-")[0] === LANGUAGE) ?? LANGUAGE;
/** @param {string} day @param {Intl.DateTimeFormatOptions} [style] */
const tellDate = (day, style = { dateStyle: "full" }) =>
  new Date(day).toLocaleDateString(spoken, { timeZone: "UTC", ...style });

/** Return the date where the visitor is. */
function findToday() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Return the elements that match. @param {string} selector */
const all = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
/** @returns {Record<string, Done>} */
const recallProgress = () => ({ ...recall(PROGRESS) });

/** Show what has come out by now, and go on from the first page. */
function showDays() {
  const today = findToday();
  for (const each of all("[data-day]")) each.hidden = String(each.dataset.day) > today;
  for (const each of all("[data-before]")) each.hidden = String(each.dataset.before) <= today;
  const [puzzle] = all("#player"),
    [archive] = all("#archive"),
    out = all("li[data-day]").filter((each) => !each.hidden);
  if (puzzle && !puzzle.hidden && !puzzle.childElementCount) showPuzzle(puzzle);
  if (!archive) return;
  const latest = out
    .map((each) => String(each.dataset.day))
    .sort()
    .at(-1);
  if (latest && location.hash !== "#all") return location.replace(`${start}${latest}/`);
  archive.hidden = false;
  markDays(archive.dataset, out);
}

/** Have the puzzle of this page solved. @param {HTMLElement} root */
function showPuzzle(root) {
  const day = String(root.dataset.day),
    puzzle = JSON.parse(String(document.getElementById("puzzle")?.textContent));
  const player = play(root, puzzle, ({ begun, ...how }) => {
    const done = recallProgress();
    delete done[day];
    if (begun) done[day] = how;
    keep(PROGRESS, done);
  });
  player.focus();
}

/** Mark the days whose puzzles are begun or solved. @param {DOMStringMap} texts @param {HTMLElement[]} listed */
function markDays(texts, listed) {
  const done = recallProgress();
  /** @param {Done | undefined} how */
  const tellState = (how) => {
    if (!how) return { name: "", mark: "", text: "" };
    if (!how.solved) return { name: "begun", mark: "…", text: texts.begun };
    if (how.helped) return { name: "solved", mark: "✓", text: texts.helped };
    const time = tellTime(how.seconds);
    return { name: "solved", mark: `✓ ${time}`, text: texts.solved?.replace("{time}", time) };
  };
  for (const each of listed) {
    const day = String(each.dataset.day),
      state = tellState(done[day]),
      [link] = each.getElementsByTagName("a");
    each.className = state.name;
    each.style.gridColumnStart = String(((new Date(day).getUTCDay() + 6) % 7) + 1);
    each.getElementsByTagName("span")[0].textContent = state.mark;
    link.setAttribute("aria-label", [tellDate(day), link.title, state.text].filter(Boolean).join(", "));
  }
  const solved = listed.filter((each) => each.className === "solved").length,
    told = String(texts.tally).replace("{number}", String(solved));
  all("[role=status]")[0].textContent = told.replace("{all}", String(listed.length));
}

/** Have the browser keep this page, the first and the days before. */
async function keepPages() {
  const cache = await caches.open(CACHE),
    before = all("[data-at-hand]")[0]?.dataset.atHand?.split(" ") ?? [];
  const wanted = [start.href, location.href.split("#")[0]];
  for (const day of before.filter(Boolean)) {
    const address = `${start}${day}/`;
    if (!(await cache.match(address))) wanted.push(address);
  }
  await cache.addAll([...new Set(wanted)]);
  all("#kept")[0].hidden = false;
}

for (const each of /** @type {HTMLTimeElement[]} */ (all("time"))) {
  const isMonth = each.dateTime.length === "2027-01".length;
  each.textContent = tellDate(each.dateTime, isMonth ? { month: "long", year: "numeric" } : undefined);
}
showDays();
addEventListener("pageshow", showDays); // also where the browser goes back to a page that it has kept
addEventListener("storage", showDays);
document.addEventListener("visibilitychange", showDays); // a new day may have begun
const workers = navigator.serviceWorker;
workers
  ?.register(new URL("service.js", start))
  .then(() => workers.ready)
  .then(keepPages)
  .catch(() => {}); // a browser that keeps nothing
