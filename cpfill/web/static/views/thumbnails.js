// Small pictures of grids, each a button that takes the grid or opens it.

/** @import { Puzzle } from "../../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
/** The width of a bar, in cells. */
const BAR = 0.2;

/**
 * Return a small picture of a grid, row by row: `#` is a block, a space no cell, `x` a cell with a letter.
 * @param {readonly string[]} rows @param {readonly (readonly [number, number])[]} [bars]
 */
export function drawThumbnail(rows, bars = []) {
  const width = rows[0]?.length ?? 0,
    picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${rows.length}`);
  picture.setAttribute("aria-hidden", "true");
  for (const [name, sign] of Object.entries({ open: ".x", written: "x", blocks: "#" }))
    picture.append(draw(name, squaresOf(rows, sign)));
  picture.append(draw("blocks", bars.map((bar) => sideOf(bar, width)).join("")));
  return picture;
}

/** @param {string} name @param {string} path */
function draw(name, path) {
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("class", name);
  drawn.setAttribute("d", path);
  return drawn;
}

/** Return the squares of the cells that have one of these signs, as a path. @param {readonly string[]} rows @param {string} signs */
const squaresOf = (rows, signs) =>
  rows.flatMap((row, y) => [...row].map((sign, x) => (signs.includes(sign) ? `M${x} ${y}h1v1h-1z` : ""))).join("");

/** Return the side between two cells, as a path. @param {readonly [number, number]} bar @param {number} width */
function sideOf([one, other], width) {
  const [x, y] = [other % width, Math.floor(other / width)];
  return other === one + 1 ? `M${x - BAR / 2} ${y}h${BAR}v1h-${BAR}z` : `M${x} ${y - BAR / 2}h1v${BAR}h-1z`;
}

/** Return the rows of a grid as `drawThumbnail` takes them, its letters left out. @param {Puzzle} puzzle */
export function rowsOf({ cells, width, height, voids }) {
  const signs = cells.map((cell) => /** @type {string} */ (cell === null ? "#" : "."));
  for (const cell of voids) signs[cell] = " ";
  return Array.from({ length: height }, (_, row) => signs.slice(row * width, (row + 1) * width).join(""));
}
