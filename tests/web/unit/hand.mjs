// A browser's window in node, and a hand at it: it clicks, and presses keys one by one.

/** Read under a name that the compiler does not follow: its types bring those of node along. @type {string} */
const DOM = "../../../.ci/page/node_modules/happy-dom/lib/index.js";
const { Window } = await import(DOM);

/** What scripts of a page expect to be global. */
const GLOBAL = /** @type {const} */ (["document", "localStorage", "Element", "HTMLElement", "Node", "Event"]);
const FIELDS = "input:not([type=checkbox]), textarea";
const TAKES_FOCUS = `button, input, ${FIELDS}, select, [tabindex]`;

let shown = new Window();

/** Open an empty page, in the place of the one before; what the browser keeps stays. */
export function openPage() {
  const kept = { ...shown.localStorage };
  shown = new Window({ url: "http://127.0.0.1/" });
  for (const [name, text] of Object.entries(kept)) shown.localStorage.setItem(name, String(text));
  const globals = GLOBAL.map((name) => [name, shown[name]]);
  Object.assign(globalThis, Object.fromEntries(globals), {
    addEventListener: shown.addEventListener.bind(shown),
    dispatchEvent: shown.dispatchEvent.bind(shown),
  });
}

/** Have the browser keep something from an earlier visit, or nothing. @param {Record<string, string>} kept */
export function keepOnly(kept) {
  shown.localStorage.clear();
  for (const [name, text] of Object.entries(kept)) shown.localStorage.setItem(name, text);
}

/** Return the text of each element that matches. @param {string} selector */
export const textsOf = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);

/** Return the first element that matches. @param {string} selector */
export function find(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}

/** Click on the first element that matches; a press moves the focus, unless the page has it stay. @param {string} selector */
export function click(selector) {
  const found = find(selector),
    pressed = /** @type {any} */ (new shown.MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  if (found.dispatchEvent(pressed)) {
    const takes = /** @type {HTMLElement | null} */ (found.closest(TAKES_FOCUS));
    if (takes) takes.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
  found.click();
}

/** Press a key by its name in browsers; return whether the page leaves it to the browser. @param {string} key */
export function press(key) {
  const hears = document.activeElement ?? document.body,
    options = { key, bubbles: true, cancelable: true };
  const event = /** @type {any} */ (new shown.KeyboardEvent("keydown", options)),
    left = hears.dispatchEvent(event),
    field = document.activeElement; // a key may move the focus, which is where it writes then
  if (left && key.length === 1 && field?.matches(FIELDS)) {
    const written = /** @type {HTMLInputElement} */ (field);
    written.value += key;
    written.dispatchEvent(/** @type {any} */ (new shown.Event("input", { bubbles: true })));
  }
  return left;
}

/** Press one key after another. @param {string} keys */
export function type(keys) {
  for (const key of keys) press(key);
}
