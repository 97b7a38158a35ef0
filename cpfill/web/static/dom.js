// Elements made in one line, and redrawn without losing the focus.

/** @import { Attributes, Child } from "../types.d.ts" */

/**
 * Return an element of the page that is always there.
 * @template {HTMLElement} [E=HTMLElement] @param {string} id @param {new () => E} [kind]  Where it matters.
 * @returns {E}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`no #${id}`);
  return /** @type {E} */ (found);
}

/**
 * Return the element of a kind that an event happened in, if it did.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Return an element. Attributes that are functions are listeners, true sets an attribute without a value, and null or
 * false leaves one out.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag
 * @param {Attributes<HTMLElementTagNameMap[T]>} [attributes] @param {Child[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  const given = /** @type {[string, EventListener | string | boolean | null | undefined][]} */ (
    Object.entries(attributes)
  );
  for (const [name, value] of given) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...flatten(children));
  return element;
}

/**
 * Return what is there of children that may be lists of others.
 * @param {readonly Child[]} children @returns {(Node | string)[]}
 */
const flatten = (children) =>
  children.flatMap((child) =>
    child instanceof Array ? flatten(child) : child === null || child === undefined || child === false ? [] : [child],
  );

/**
 * Return a list to choose one of these values from; `name` says what each is called.
 * @template {string | number} V @param {Attributes<HTMLSelectElement>} attributes @param {readonly V[]} values
 * @param {V | null} chosen @param {(value: V) => string} name @param {(value: string) => void} choose
 */
export const makeSelect = (attributes, values, chosen, name, choose) =>
  make(
    "select",
    { ...attributes, onchange: (event) => choose(event.currentTarget.value) },
    values.map((value) => make("option", { value: String(value), selected: value === chosen }, name(value))),
  );

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Put these children into an element, unless `key` says that they are what is there already.
 * @param {Element} element @param {string} key @param {() => Child[]} children
 */
export function fillWith(element, key, children) {
  if (drawn.get(element) === key) return;
  drawn.set(element, key);
  const focused =
    document.activeElement?.id && element.contains(document.activeElement) ? document.activeElement.id : null;
  element.replaceChildren(...flatten(children()).filter(Boolean));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Set a text, if it is another. @param {Node} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set an attribute, or take it off with null, if it is another.
 * @param {Element} element @param {string} name @param {string | null} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Hand a file to the user, as a download. @param {Blob} blob @param {string} name */
export function hand(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
