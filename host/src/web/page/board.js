// The board: men that are dragged, clicked or moved by keys to squares that the server has named as legal.

import { NAMES, man, node } from "./pieces.js";

const SIDE = 100; // of a square, in units of the drawing

export class Board {
  constructor(place, { onMove, onSay, chooser }) {
    this.onMove = onMove; this.onSay = onSay; this.chooser = chooser;
    this.turned = false; this.men = new Map(); this.legal = {}; this.last = []; this.check = null;
    this.selected = null; this.cursor = null; this.drag = null; this.arrows = []; this.fen = "";
    this.svg = node("svg", { viewBox: "0 0 800 800", tabindex: 0, role: "application", "aria-label": "Chess board: arrows choose a square, Enter picks up and puts down" });
    this.layers = Object.fromEntries(["squares", "marks", "men", "targets", "arrows", "top"].map(name => [name, node("g", { class: name })]));
    this.svg.append(...Object.values(this.layers));
    place.replaceChildren(this.svg);
    this.svg.addEventListener("pointerdown", event => this.press(event));
    this.svg.addEventListener("pointermove", event => this.move(event));
    this.svg.addEventListener("pointerup", event => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.letGo());
    this.svg.addEventListener("keydown", event => this.key(event));
    this.svg.addEventListener("blur", () => { this.cursor = null; this.marks(); });
    this.squares();
  }

  show({ fen, legal, last, check }) {
    const changed = fen !== this.fen;
    this.fen = fen; this.legal = legal; this.last = last; this.check = check;
    if (changed) { this.selected = null; this.letGo(); this.place(); }
    this.marks();
  }

  turn(turned = !this.turned) {
    if (turned === this.turned) return;
    this.turned = turned; this.squares(); this.place(); this.marks(); this.draw(this.arrows);
  }

  // Where a square is drawn, and which square is at a place.
  at(square) {
    const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
    return this.turned ? [(7 - file) * SIDE, rank * SIDE] : [file * SIDE, (7 - rank) * SIDE];
  }
  square(column, row) {
    if (column < 0 || row < 0 || column > 7 || row > 7) return null;
    const [file, rank] = this.turned ? [7 - column, row] : [column, 7 - row];
    return String.fromCharCode(97 + file, 49 + rank);
  }
  under(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width * 8, (event.clientY - box.top) / box.height * 8];
    return { square: this.square(Math.floor(x), Math.floor(y)), x: x * SIDE, y: y * SIDE };
  }

  squares() {
    const made = [];
    for (let row = 0; row < 8; row++) for (let column = 0; column < 8; column++) {
      const shade = (row + column) % 2 ? "dark" : "light", square = this.square(column, row);
      made.push(node("rect", { x: column * SIDE, y: row * SIDE, width: SIDE, height: SIDE, class: `square-${shade}`, "data-square": square }));
      const write = (x, y, text, anchor) => made.push(node("text", { x, y, class: `coordinate on-${shade}`, "text-anchor": anchor }, text));
      if (column === 0) write(5, row * SIDE + 20, square[1], "start");
      if (row === 7) write(column * SIDE + 95, 793, square[0], "end");
    }
    this.layers.squares.replaceChildren(...made);
  }

  place() {
    this.men.clear();
    let rank = 8, file = 0;
    const made = [];
    for (const letter of this.fen.split(" ")[0]) {
      if (letter === "/") { rank -= 1; file = 0; continue; }
      if (/\d/.test(letter)) { file += Number(letter); continue; }
      const square = String.fromCharCode(97 + file, 48 + rank), drawn = man(letter);
      drawn.dataset.square = square;
      this.men.set(square, { letter, drawn });
      this.put(drawn, ...this.at(square));
      made.push(drawn);
      file += 1;
    }
    this.layers.men.replaceChildren(...made);
  }
  put(drawn, x, y) { drawn.setAttribute("transform", `translate(${x} ${y}) scale(${SIDE / 45})`); }

  marks() {
    const marks = [];
    const cover = (square, name) => { const [x, y] = this.at(square); marks.push(node("rect", { x, y, width: SIDE, height: SIDE, class: name })); };
    for (const square of this.last) cover(square, "marked");
    if (this.selected) cover(this.selected, "marked");
    if (this.check) cover(this.check, "checked");
    this.layers.marks.replaceChildren(...marks);
    const targets = this.goals(this.selected).map(square => {
      const [x, y] = this.at(square), centre = { cx: x + SIDE / 2, cy: y + SIDE / 2 };
      return this.men.has(square) ? node("circle", { ...centre, r: 44, class: "target-take" }) : node("circle", { ...centre, r: 15, class: "target" });
    });
    this.layers.targets.replaceChildren(...targets);
    const top = [];
    if (this.cursor) { const [x, y] = this.at(this.cursor); top.push(node("rect", { x: x + 3, y: y + 3, width: SIDE - 6, height: SIDE - 6, rx: 8, class: "cursor" })); }
    this.layers.top.replaceChildren(...top);
  }

  goals(from) { return [...new Set((this.legal[from] ?? []).map(to => to.slice(0, 2)))]; }

  async try(from, to) {
    const ways = (this.legal[from] ?? []).filter(way => way.startsWith(to));
    this.selected = null; this.marks();
    if (ways.length === 0) return false;
    const letter = ways.length === 1 ? ways[0].slice(2) : await this.chooser(ways.map(way => way.slice(2)), this.men.get(from)?.letter);
    if (letter === null) return false;
    this.onMove(from + to + letter);
    return true;
  }

  press(event) {
    if (event.button !== 0) return;
    const { square } = this.under(event);
    if (!square) return;
    if (this.selected && this.goals(this.selected).includes(square)) { event.preventDefault(); this.try(this.selected, square); return; }
    if (!this.legal[square]) { this.selected = null; this.marks(); return; }
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    const drawn = this.men.get(square)?.drawn;
    this.drag = { square, drawn, again: this.selected === square, moved: false };
    this.selected = square; this.marks();
  }
  move(event) {
    if (!this.drag?.drawn) return;
    const { x, y, square } = this.under(event);
    if (!this.drag.moved && square === this.drag.square) return;
    if (!this.drag.moved) { this.drag.moved = true; this.drag.drawn.classList.add("dragged"); this.layers.men.append(this.drag.drawn); }
    this.put(this.drag.drawn, x - SIDE / 2, y - SIDE / 2);
  }
  release(event) {
    if (!this.drag) return;
    const { square: from, moved, again } = this.drag, { square: to } = this.under(event);
    this.letGo();
    if (to && to !== from) this.try(from, to);
    else if (again && !moved) { this.selected = null; this.marks(); }
  }
  letGo() {
    if (!this.drag) return;
    const { square, drawn } = this.drag;
    this.drag = null;
    if (drawn) { drawn.classList.remove("dragged"); this.put(drawn, ...this.at(square)); }
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps) {
      const [x, y] = this.at(this.cursor ?? this.square(4, 6)), [right, down] = this.cursor ? steps[event.key] : [0, 0];
      this.cursor = this.square(x / SIDE + right, y / SIDE + down) ?? this.cursor;
      const there = this.men.get(this.cursor)?.letter;
      this.onSay(there ? `${this.cursor}: ${there === there.toUpperCase() ? "white" : "black"} ${NAMES[there.toLowerCase()]}` : this.cursor);
      this.marks();
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      if (this.selected && this.selected !== this.cursor) { const from = this.selected; this.try(from, this.cursor); }
      else { this.selected = this.selected || !this.legal[this.cursor] ? null : this.cursor; this.marks(); }
    } else if (event.key === "Escape") { this.selected = null; this.marks(); } else return;
    event.preventDefault(); event.stopPropagation();
  }

  /** Arrows, each `{ from, to, kind, weight }`. */
  draw(arrows) {
    this.arrows = arrows;
    this.layers.arrows.replaceChildren(...arrows.map(({ from, to, kind, weight }) => {
      const [[fx, fy], [tx, ty]] = [this.at(from), this.at(to)].map(([x, y]) => [x + SIDE / 2, y + SIDE / 2]);
      const length = Math.hypot(tx - fx, ty - fy) || 1, [ux, uy] = [(tx - fx) / length, (ty - fy) / length], head = 16 + weight;
      const [ex, ey] = [tx - ux * head * 1.6, ty - uy * head * 1.6];
      const points = [[tx, ty], [ex - uy * head, ey + ux * head], [ex + uy * head, ey - ux * head]].map(point => point.map(v => v.toFixed(1)).join()).join(" ");
      return node("g", { class: `arrow ${kind}` },
        node("line", { x1: fx, y1: fy, x2: ex, y2: ey, "stroke-width": weight }), node("polygon", { points }));
    }));
  }
}
