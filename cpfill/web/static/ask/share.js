// A puzzle in the fragment of an address, which browsers send to nobody.

import * as api from "./api.js";

/** @import { Mode, Puzzle } from "../../types.d.ts" */

/** @typedef {"puzzle" | "solve"} Kind  What a puzzle is shared for: to be made or to be solved. */

/** What such a fragment begins with, and the mode that it opens in. @type {Record<string, Mode>} */
const MODES = { puzzle: "design", solve: "solve" };
const FORMAT = "deflate-raw";
/** The most bytes of a shared puzzle; the largest printed ones have some thousands. */
const MOST = 1 << 20;

/** @param {BlobPart} bytes @param {CompressionStream | DecompressionStream} transform */
const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/**
 * Return an address of this page that holds a puzzle.
 * @param {Puzzle} puzzle @param {Kind} kind  What it is opened as.
 */
export async function makeLink(puzzle, kind) {
  const { blob } = await api.convert(puzzle, "ipuz", {}, {});
  const packed = await new Response(through(await blob.arrayBuffer(), new CompressionStream(FORMAT))).bytes();
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.href.split("#")[0]}#${kind}=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * Return the puzzle file in the address and the mode that it is to open in, or null where there is none. The address
 * loses it, so that a reload does not open it again.
 */
export async function readLink() {
  const [, kind, text] = /^#(puzzle|solve)=(.*)$/s.exec(location.hash) ?? [];
  if (!kind) return null;
  history.replaceState(null, "", location.pathname + location.search);
  const parts = [];
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    let size = 0;
    const reader = through(packed, new DecompressionStream(FORMAT)).getReader(); // WebKit iterates over no stream
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > MOST) throw new RangeError();
      parts.push(part.value);
    }
  } catch (error) {
    throw new Error(error instanceof RangeError ? "link_too_large" : "link_broken", { cause: error });
  }
  return { file: new File(parts, "shared.ipuz"), mode: MODES[kind] };
}
