// The plots: nodes a second, the evaluation over the game, and the threads of the cores.

import { node } from "./pieces.js";

const path = points => points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** 1234567 as 1.23 M. */
export function short(number) {
  if (number === null || number === undefined) return "–";
  for (const [size, sign] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]]) {
    if (number >= size) { const value = number / size; return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) + sign; }
  }
  return String(Math.round(number));
}

function size(svg) {
  const width = Math.max(svg.clientWidth, 200), height = Math.max(svg.clientHeight, 60);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return [width, height];
}

/** Nodes a second of host and boards; the newest sample is on the right. */
export class Speed {
  constructor(svg) { this.svg = svg; this.samples = []; }
  add(host, chip) {
    this.samples.push([host, chip]);
    if (this.samples.length > 200) this.samples.shift();
    const [width, height] = size(this.svg), most = Math.max(1, ...this.samples.flat());
    const place = series => this.samples.map((sample, at) => [width - (this.samples.length - 1 - at) * width / 199, height - 4 - sample[series] / most * (height - 22)]);
    const drawn = [node("line", { class: "axis", x1: 0, x2: width, y1: height - 4, y2: height - 4 }), node("text", { x: 2, y: 12 }, `${short(most)} nodes/s`)];
    if (this.samples.some(([, boards]) => boards > 0)) drawn.push(node("path", { class: "chip", d: path(place(1)) }));
    drawn.push(node("path", { class: "host", d: path(place(0)) }));
    this.svg.replaceChildren(...drawn);
  }
}

/** A bar for each of the shares, with its name below it. */
export function bars(svg, shares, names) {
  const [width, height] = size(svg), step = width / names.length, most = height - 34;
  svg.replaceChildren(...names.flatMap((name, at) => {
    const share = shares?.[at] ?? 0, tall = Math.max(share * most, 1), centre = at * step + step / 2;
    return [node("rect", { class: "cut", x: at * step + step * 0.2, y: height - 15 - tall, width: step * 0.6, height: tall, rx: 2 }),
      node("text", { class: "number", x: centre, y: height - 19 - tall, "text-anchor": "middle" }, shares ? `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %` : ""),
      node("text", { x: centre, y: height - 2, "text-anchor": "middle" }, name)];
  }));
}

/** From centipawns to the height of a curve, 1 for a sure win of White. */
export const chance = score => 2 / (1 + Math.exp(-score / 260)) - 1;

/** The evaluation of every position, and where the game is shown; `onShow` is told the position that is asked for. */
export class Graph {
  constructor(svg, onShow) {
    this.svg = svg; this.count = 1;
    svg.addEventListener("click", event => {
      const box = svg.getBoundingClientRect();
      onShow(Math.round((event.clientX - box.left) / box.width * Math.max(this.count - 1, 1)));
    });
  }
  draw(scores, shown) {
    this.count = scores[0].length;
    const [width, height] = size(this.svg), middle = height / 2, step = width / Math.max(this.count - 1, 1);
    const place = list => list.map((score, ply) => score === null ? null : [ply * step, middle - chance(score) * (middle - 6)]).filter(Boolean);
    const [main, soft] = scores.map(place), drawn = [];
    if (main.length > 1) drawn.push(node("path", { class: "area", d: `${path(main)}L${main.at(-1)[0]} ${middle}L${main[0][0]} ${middle}Z` }));
    drawn.push(node("line", { class: "axis", x1: 0, x2: width, y1: middle, y2: middle }), node("line", { class: "here", x1: shown * step, x2: shown * step, y1: 0, y2: height }));
    if (soft.length > 1) drawn.push(node("path", { class: "soft", d: path(soft) }));
    if (main.length > 1) drawn.push(node("path", { class: "host", d: path(main) }));
    for (const [cx, cy] of main) drawn.push(node("circle", { class: "dot", cx, cy, r: this.count > 60 ? 1.4 : 2.6 }));
    this.svg.replaceChildren(...drawn);
  }
}

/** A row for each core, a cell for each of its threads; as many are lit as jobs are at work. */
export function cells(svg, cores, threads, jobs) {
  const rows = Math.min(cores, 16), columns = Math.min(Math.max(threads, 1), 32), key = `${rows} ${columns}`;
  if (svg.dataset.shape !== key) {
    svg.dataset.shape = key;
    svg.setAttribute("viewBox", `0 0 ${columns * 12} ${rows * 12}`);
    svg.style.maxWidth = `${columns * 22}px`;
    svg.replaceChildren(...Array.from({ length: rows * columns }, (_, at) => node("rect", { x: at % columns * 12 + 1, y: Math.floor(at / columns) * 12 + 1, width: 10, height: 10, rx: 2.5 })));
  }
  // Jobs go to the core with the most room, so that they are spread over the rows.
  [...svg.children].forEach((cell, at) => cell.classList.toggle("lit", at % columns * rows + Math.floor(at / columns) < jobs));
}
