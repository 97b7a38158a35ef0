// Elements made in one line, and redrawn in place: whoever types or presses in one of them goes on.

import { noteReads } from "../model/tracked.js";

/** @import { Attributes, Child } from "../../types.d.ts" */

/** @typedef {((event: Event) => void) | string | boolean | null | undefined | Record<string, string>} Value */
/** @typedef {Record<string, Value>} Given */

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

/** How long after a finger has gone its click may come. */
export const TAP_MS = 100;
/** The last press, until its click has come: a finger hovers nowhere. @type {Event | null} */
let press = null;
addEventListener("pointerdown", (event) => (press = event), true);
for (const end of ["pointerup", "pointercancel"])
  addEventListener(end, () => {
    const own = press;
    setTimeout(() => (press = press === own ? null : press), TAP_MS);
  });

/** Whether a pointer is over an element, or the focus in it: nothing there is to take another's place. @param {Element} element */
export const isHeld = (element) =>
  element.matches(":hover, :focus-within") || (press?.target instanceof Node && element.contains(press.target));

/** What each element was made with. @type {WeakMap<object, Given>} */
const made = new WeakMap();

/**
 * Return an element. Attributes that are functions are listeners, true sets an attribute without a value, null or false
 * leaves one out, and `style` has the properties that it sets.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag
 * @param {Attributes<HTMLElementTagNameMap[T]>} [attributes] @param {Child[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag),
    given = /** @type {Given} */ (attributes);
  made.set(element, given);
  for (const [name, value] of Object.entries(given)) set(element, name, value);
  element.append(...flatten(children));
  return element;
}

/** @param {HTMLElement} element @param {string} name @param {Value} value */
function set(element, name, value) {
  if (typeof value === "function") element.addEventListener(name.slice(2), hear);
  else if (value instanceof Object) for (const each of Object.entries(value)) element.style.setProperty(...each);
  else mark(element, name, value === true ? "" : value === false || value === undefined ? null : value);
}

/** Hand an event to the listener that its element has now. @param {Event} event */
function hear(event) {
  const listener = event.currentTarget && made.get(event.currentTarget)?.[`on${event.type}`];
  if (typeof listener === "function") listener(event);
}

/**
 * Return what is there of children that may be lists of others.
 * @param {readonly Child[]} children @returns {(Node | string)[]}
 */
const flatten = (children) =>
  children.flatMap((child) =>
    child instanceof Array ? flatten(child) : child === null || child === undefined || child === false ? [] : [child],
  );

const SVG = "http://www.w3.org/2000/svg";

/** Return one of the drawings of index.html; what it means is said by what it stands in. @param {string} name */
export function makeIcon(name) {
  const picture = document.createElementNS(SVG, "svg"),
    use = document.createElementNS(SVG, "use");
  picture.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#icon-${name}`);
  picture.append(use);
  return picture;
}

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

/** What tells of each element that fills itself whether it shows the state as it is. @type {WeakMap<Element, () => boolean>} */
const drawn = new WeakMap();

/**
 * Put these children into an element, unless nothing that they were made of has changed since. What is there and alike
 * stays, and becomes what it is to be: a field keeps its focus, its selection and what is half typed, a button that is
 * pressed hears its click.
 * @param {Element} element @param {() => Child[]} children
 */
export function fillWith(element, children) {
  if (drawn.get(element)?.()) return;
  const { result, isCurrent } = noteReads(children);
  drawn.set(element, isCurrent);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  settle(element, flatten(result).filter(Boolean));
  if (!focused || focused.isConnected) return;
  // A button hands its focus to the one in its place, as Generate to Stop: else the next key goes nowhere.
  const next =
    document.getElementById(focused.id) ?? (focused.nodeName === "BUTTON" && element.querySelector("button"));
  if (next) next.focus({ preventScroll: true });
}

/**
 * Have these children in an element. What has the focus is never moved, for it would lose it: others make way.
 * @param {Element} parent @param {readonly (Node | string)[]} children
 */
function settle(parent, children) {
  const named = new Map([...parent.children].map((child) => [nameOf(child), child]));
  let at = parent.firstChild;
  for (const child of children) {
    const node = typeof child === "string" ? document.createTextNode(child) : child,
      name = nameOf(node),
      twin = name ? named.get(name) : at,
      alike = twin && (twin === node || areAlike(twin, node));
    named.delete(name);
    if (alike && twin !== node) become(twin, node);
    if (alike && twin.contains(document.activeElement)) while (at && at !== twin) at = makeWay(at);
    if (alike && twin === at) at = at.nextSibling;
    else parent.insertBefore(alike ? twin : node, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Put a node behind all others, and return the one after it. @param {ChildNode} node */
function makeWay(node) {
  const next = node.nextSibling;
  node.parentNode?.append(node);
  return next;
}

/** Return by what a node is known among others: its id, or the first one in it. @param {Node} node */
const nameOf = (node) => (node instanceof Element ? node.id || (node.querySelector("[id]")?.id ?? "") : "");

/** Whether one node can become another. @param {Node} one @param {Node} other */
const areAlike = (one, other) =>
  one.nodeName === other.nodeName &&
  nameOf(one) === nameOf(other) &&
  (one instanceof Text || (made.has(one) && made.has(other)));

/**
 * Make a node what another one is. What was marked on it since it was made stays, and so does what a text field holds,
 * unless another value is given than before.
 * @param {Node} node @param {Node} other
 */
function become(node, other) {
  if (!(node instanceof HTMLElement) || !(other instanceof HTMLElement)) return say(node, other.textContent ?? "");
  const was = made.get(node) ?? {},
    now = made.get(other) ?? {},
    { value, checked } = /** @type {HTMLInputElement} */ (other),
    field = /** @type {HTMLInputElement} */ (node);
  made.set(node, now);
  for (const name of Object.keys({ ...was, ...now })) if (was[name] !== now[name]) set(node, name, now[name]);
  if (!drawn.has(node)) settle(node, [...other.childNodes]);
  if (node instanceof HTMLSelectElement || was.value !== now.value) if (field.value !== value) field.value = value;
  if (checked !== undefined && field.checked !== checked) field.checked = checked;
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

/** Set a property of the style, if it is another: its element is styled anew. @param {HTMLElement} element @param {string} name @param {string} value */
export function dress(element, name, value) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}

/** The kind of data that a seed entry is dragged as, from *Design* to the grid. */
export const DRAGGED_WORD = "text/x-cpfill-word";
