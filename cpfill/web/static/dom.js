// Elements made in one line, and redrawn without losing the focus.

/**
 * Return an element. Attributes that begin with `on` are listeners, true sets an attribute without a value, and null or
 * false leaves one out.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Return a list to choose one of these values from; `name` says what each is called. */
export const makeSelect = (attributes, values, chosen, name, choose) =>
  make(
    "select",
    { ...attributes, onchange: (event) => choose(event.target.value) },
    values.map((value) => make("option", { value: String(value), selected: value === chosen }, name(value))),
  );

const drawn = new WeakMap();

/** Put these children into an element, unless `key` says that they are what is there already. */
export function fillWith(element, key, children) {
  if (drawn.get(element) === key) return;
  drawn.set(element, key);
  const focused =
    document.activeElement?.id && element.contains(document.activeElement) ? document.activeElement.id : null;
  element.replaceChildren(...children().flat(Infinity).filter(Boolean));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Set a text, if it is another. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Set an attribute, or take it off with null, if it is another. */
export function mark(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Hand a file to the user, as a download. */
export function hand(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
