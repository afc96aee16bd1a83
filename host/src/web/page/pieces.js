// The men, drawn for a square of 45 by 45, and how to make a node of SVG.

export const SVG = "http://www.w3.org/2000/svg";

export function node(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const FOOT = ["rect", { x: 10.5, y: 34.2, width: 24, height: 4.6, rx: 1.8 }];

const SHAPES = {
  p: [
    ["path", { d: "M22.5 17.5c5 0 6.6 3.2 6.6 5.6h-3.2c.3 4.8 2.6 8 5.7 11.3H13.4c3.1-3.3 5.4-6.5 5.7-11.3h-3.2c0-2.4 1.6-5.6 6.6-5.6z" }],
    ["circle", { cx: 22.5, cy: 13.4, r: 5.6 }],
    ["rect", { x: 11.5, y: 34.2, width: 22, height: 4.6, rx: 1.8 }],
  ],
  r: [
    ["path", { d: "M11.5 9h5.2v3.8h3.4V9h4.8v3.8h3.4V9h5.2v8.6l-3.9 3.2 1 10 3 3.6H11.4l3-3.6 1-10-3.9-3.2z" }],
    ["path", { class: "line", d: "M15.6 20.8h13.8M14.6 30.6h15.8" }],
    FOOT,
  ],
  n: [
    ["path", { d: "M13.6 34.4c-.2-7.2 6.6-9.6 7.2-15-2 2.2-4.4 2-6 4.6-1.2 2-4.2 1.6-5-.8-.8-2.6 2.6-6 4.2-9.4.8-1.8 1.2-3 1.8-6.6l4.2 3.4C27.6 10 34 15.6 34 26.4c0 3-.4 5.6-1 8z" }],
    ["circle", { cx: 18.3, cy: 15, r: 1.1 }],
    ["path", { class: "line", d: "M11.8 22.3l.9-.7M25 13.8c3.4 2.6 5.2 6.4 5 12.6" }],
    FOOT,
  ],
  b: [
    ["circle", { cx: 22.5, cy: 7.6, r: 2.5 }],
    ["path", { d: "M22.5 10.2c5 3.6 8 8 8 12.2 0 3.2-1.6 5.4-4 7l2 5h-12l2-5c-2.4-1.6-4-3.8-4-7 0-4.2 3-8.6 8-12.2z" }],
    ["path", { class: "line", d: "M22.5 15.8v7.6M18.9 19.3h7.2M18.5 29.4h8" }],
    FOOT,
  ],
  q: [
    ["path", { d: "M9.2 14.6l5.4 9.8.2-12.6 5.3 11.4 2.4-13.2 2.4 13.2 5.3-11.4.2 12.6 5.4-9.8-4.2 19.8H13.4z" }],
    ["circle", { cx: 8.8, cy: 12.8, r: 2.1 }], ["circle", { cx: 14.8, cy: 9.8, r: 2.1 }], ["circle", { cx: 22.5, cy: 8.2, r: 2.3 }],
    ["circle", { cx: 30.2, cy: 9.8, r: 2.1 }], ["circle", { cx: 36.2, cy: 12.8, r: 2.1 }],
    ["path", { class: "line", d: "M13 30.2c6-1.6 13-1.6 19 0" }],
    FOOT,
  ],
  k: [
    ["path", { d: "M20.8 3.4h3.4v3h3v3.2h-3v4.4h-3.4v-4.4h-3v-3.2h3z" }],
    ["path", { d: "M22.5 22.8c-2.6-4-2.6-10.2 0-10.2s2.6 6.2 0 10.2z" }],
    ["path", { d: "M22.5 22.8c4-9 14.2-8 14.2-.6 0 4.8-4.8 7.6-6.2 12.2h-16c-1.4-4.6-6.2-7.4-6.2-12.2 0-7.4 10.2-8.4 14.2.6z" }],
    ["path", { class: "line", d: "M14 30.2c5.6-1.6 11.4-1.6 17 0" }],
    FOOT,
  ],
};

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** A man as a group; `letter` is that of a FEN. */
export function man(letter) {
  const colour = letter === letter.toUpperCase() ? "white" : "black";
  const shapes = SHAPES[letter.toLowerCase()].map(([name, attributes]) => node(name, attributes));
  return node("g", { class: `man ${colour}` }, ...shapes);
}
