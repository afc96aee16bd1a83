// The panels beside the board: what the search has found, what the boards do, and both searches side by side.

import { Speed, bars, cells, short } from "./charts.js";

const $ = id => document.getElementById(id);

/** A score as players write it, for White. */
export function written(line) {
  if (!line) return "–";
  const sign = { exact: "", lower: "≥ ", upper: "≤ " }[line.bound];
  if (line.mate !== null) return `${sign}#${line.mate}`;
  const pawns = line.centipawns / 100;
  return `${sign}${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(2)}`;
}

/** Moves with their numbers, from the position after `ply` half-moves. */
export function numbered(moves, ply, game) {
  const offset = game.first_turn === "black" ? 1 : 0;
  return moves.map((san, at) => {
    const half = ply + offset + at, number = game.first_number + Math.floor(half / 2);
    return half % 2 === 0 ? `${number}. ${san}` : at === 0 ? `${number}… ${san}` : san;
  }).join(" ");
}

/** Pairs of a word and a value, in a list that is changed only where a value has. */
function facts(list, pairs) {
  while (list.children.length > pairs.length) list.lastChild.remove();
  pairs.forEach(([word, value], at) => {
    let row = list.children[at];
    if (!row) {
      row = document.createElement("div");
      row.append(document.createElement("dt"), document.createElement("dd"));
      list.append(row);
    }
    put(row.children[0], word); put(row.children[1], value);
  });
}

export function put(element, text) { if (element.textContent !== text) element.textContent = text; }

/** Entries of a list, made anew only if they differ. */
function entries(list, texts, make) {
  const key = JSON.stringify(texts);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...texts.map(make));
}

const seconds = milliseconds => (milliseconds / 1000).toFixed(milliseconds < 10000 ? 1 : 0) + " s";

export class Panels {
  constructor() { this.speed = new Speed($("speed")); }

  search({ main }, game) {
    const best = main.lines[0];
    put($("score"), written(best));
    put($("depth"), main.depth ? `depth ${main.depth}${main.seldepth > main.depth ? ` to ${main.seldepth}` : ""}${main.searching ? "" : ", done"}` : main.searching ? "" : "nothing searched yet");
    const pairs = [["time", seconds(main.milliseconds)], ["nodes", short(main.nodes)], ["nodes/s", short(main.speed)], ["table full", `${(main.hashfull / 10).toFixed(1)} %`]];
    const percent = share => share === null ? "–" : `${(share * 100).toFixed(0)} %`;
    pairs.push(["table finds", percent(main.found)], ["table saves", percent(main.answered)]);
    bars($("cuts"), main.refuted, ["1st move", "2nd", "3rd", "4th", "later"]);
    if (main.current && main.searching) pairs.push(["looks at", `${main.current[0]} (${main.current[1]} of ${main.current[2]})`]);
    if (best) pairs.push(["win draw loss", best.chances.map(share => Math.round(share / 10)).join(" · ") + " %"]);
    facts($("facts"), pairs);
    entries($("lines"), main.lines.map(line => [written(line), numbered(line.san, main.ply, game), line.depth]), ([score, text, depth]) => {
      const item = document.createElement("li"), bold = document.createElement("b"), small = document.createElement("small");
      bold.textContent = score; small.textContent = ` depth ${depth}`;
      item.append(bold, " ", text, small);
      return item;
    });
  }

  sample({ main, boards }) { if (main.searching) this.speed.add(main.speed, boards?.nodes_per_second ?? 0); }

  hardware({ boards, opening, log, main }) {
    const list = boards?.boards.map(board => [board.there ? "on" : "off", board.there
      ? `${board.name}: ${board.cores} × ${board.threads} threads at ${board.megahertz} MHz, build ${board.build}`
      : `${board.name}: not there; it joins in when it is${board.name.startsWith("verilated") ? ". The simulated chip is built on its first use, in a minute or so" : ""}`]) ?? [];
    if (boards?.model) list.unshift(["on", "model: the golden search, on this machine's threads"]);
    if (opening) list.unshift(["off", `opening ${opening} …`]);
    if (!boards && !opening) list.push(["", "software alone. Without hardware, verilated:1 is the simulated chip; or run bluebelle sim board --chip model --link /tmp/bluebelle and use serial:/tmp/bluebelle"]);
    entries($("boards"), list, ([name, text]) => { const item = document.createElement("li"); item.className = name; item.textContent = text; return item; });
    for (const id of ["gauges", "cells", "work"]) $(id).toggleAttribute("hidden", !boards);
    put($("cells-text"), boards ? `${Math.min(boards.outstanding, boards.cores * boards.threads)} of ${boards.cores} × ${boards.threads} threads have a job; ${boards.outstanding} in flight` : "");
    const there = boards && (boards.model || boards.boards.some(board => board.there));
    const idle = there && main.searching && main.milliseconds > 2000 && boards.jobs === 0;
    if (idle) put($("cells-text"), "No jobs: the software is faster than this accelerator, and asks it nothing unless it is told to");
    entries($("log"), log, text => { const item = document.createElement("li"); item.textContent = text; item.className = /^(warning|error)/.test(text) ? "bad" : ""; return item; });
    if (!boards) return;
    for (const [id, share, none] of [["busy", boards.busy, boards.model && !boards.boards.length ? "no chip" : "not measured"], ["line", boards.line, boards.sent + boards.received ? `${short(boards.sent + boards.received)} B/s` : "no line"]]) {
      $(id).value = share ?? 0;
      put($(`${id}-text`), share === null ? none : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`);
    }
    cells($("cells"), boards.cores, boards.threads, main.searching ? boards.outstanding : 0);
    facts($("work"), [["jobs", short(boards.jobs)], ["jobs/s", main.searching ? short(boards.jobs_per_second) : "–"], ["nodes a job", short(boards.nodes_per_job)],
      ["nodes", short(boards.nodes)], ["nodes/s", main.searching ? short(boards.nodes_per_second) : "–"], ["round trip", boards.round_trip_us ? `${boards.round_trip_us} µs` : "–"]]);
  }

  pair({ main, beside }, game) {
    $("compare").hidden = !beside;
    if (!beside) return;
    const move = view => view.lines[0]?.san[0] ?? "–";
    const rows = [["score", written], ["move", null], ["depth", view => view.depth], ["nodes", view => short(view.nodes)], ["nodes/s", view => short(view.speed)], ["time", view => seconds(view.milliseconds)]]
      .map(([word, of]) => [word, ...[main, beside].map(view => String(word === "score" ? written(view.lines[0]) : word === "move" ? move(view) : of(view)))]);
    entries($("pair"), rows, ([word, ...values]) => {
      const row = document.createElement("tr"), head = document.createElement("th");
      head.scope = "row"; head.textContent = word;
      row.append(head, ...values.map(value => { const cell = document.createElement("td"); cell.textContent = value; return cell; }));
      return row;
    });
  }
}
