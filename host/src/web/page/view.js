// The live view: it shows what the server tells, and sends what the person wants. The server alone knows the rules.

import { Board } from "./board.js";
import { Graph, chance } from "./charts.js";
import { man, node, NAMES } from "./pieces.js";
import { Panels, put, written } from "./panels.js";

const $ = id => document.getElementById(id);
const panels = new Panels(), graph = new Graph($("graph"), ply => ask("show", { ply }));
let fields = {};
let game = null, live = null, socket = null, pause = 250, turnedFor = null;

const board = new Board($("board"), {
  onMove: text => ask("move", { text, ply: game.ply }),
  onSay: text => say(text),
  chooser: promotion,
});

// The line to the server, which is opened again when it is lost.
function connect() {
  socket = new WebSocket(`ws://${location.host}/live`);
  socket.onopen = () => { pause = 250; };
  socket.onmessage = event => hear(JSON.parse(event.data));
  socket.onclose = () => {
    badge("not connected", "lost");
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 4000);
  };
}

function ask(what, more = {}) {
  if (socket?.readyState !== WebSocket.OPEN) return say("not connected: is bluebelle web still running?", true);
  socket.send(JSON.stringify({ do: what, ...more }));
}

function hear(message) {
  if (message.kind === "game") { const first = game === null; game = message; showGame(first); }
  else if (message.kind === "live") live = message;
  else if (message.kind === "devices") return offer(message.names);
  else if (message.kind === "error") {
    // What was refused goes out of its field.
    fields = {};
    if (game) settings(false);
    return say(message.text, true);
  }
  if (game && live) showLive();
}

function say(text, problem = false) {
  put($("status"), text);
  $("status").classList.toggle("problem", problem);
}
function badge(text, kind) { put($("state"), text); $("state").className = `badge ${kind}`; }

function showGame(first) {
  const last = game.ply > 0 ? game.moves[game.ply - 1].uci : "";
  board.show({ fen: game.fen, legal: game.legal, last: last ? [last.slice(0, 2), last.slice(2, 4)] : [], check: game.check });
  // A person who takes Black sees the board from Black's side, until the person turns it.
  if (turnedFor !== game.mode && (game.mode === "black" || game.mode === "white")) turn(game.mode === "black");
  turnedFor = game.mode;
  for (const button of $("modes").children) button.setAttribute("aria-pressed", String(button.dataset.mode === game.mode));
  moveList();
  settings(first);
  if (game.over) say(game.over);
  else if (game.ply > 0) say(`${game.moves[game.ply - 1].san} was played; ${game.turn} to move`);
  else say(`${game.turn} to move`);
}

function showLive() {
  const { main, beside, opening } = live;
  badge(opening ? "opening" : main.searching ? "thinking" : game.over && game.ply === game.moves.length ? "game over" : "ready", main.searching ? "thinking" : "");
  $("now").disabled = !main.searching;
  panels.search(live, game); panels.hardware(live); panels.pair(live, game);
  // The server keeps the scores; the newest are told with the search.
  [main, beside].forEach((view, who) => {
    const line = view?.lines[0];
    if (line && view.searching && view.ply < game.scores[who].length) game.scores[who][view.ply] = line.mate !== null ? Math.sign(line.mate || 1) * 3000 : line.centipawns;
  });
  graph.draw(game.scores, game.ply);
  const best = main.lines[0];
  bar(main.ply === game.ply ? best : null);
  arrows();
}

function bar(line) {
  const known = line ? (line.mate !== null ? Math.sign(line.mate) * 3000 : line.centipawns) : game.scores[0][game.ply] ?? 0;
  $("bar-white").style.height = `${50 + 50 * chance(known)}%`;
  put($("bar-score"), line ? written({ ...line, bound: "exact" }).replace(/(\.\d)\d$/, "$1") : "");
}

function arrows() {
  const { main, beside } = live, drawn = [];
  if ($("arrows").checked && main.ply === game.ply) {
    const arrow = (uci, kind, weight) => uci && drawn.push({ from: uci.slice(0, 2), to: uci.slice(2, 4), kind, weight });
    if (beside?.ply === game.ply && beside.lines[0]?.uci[0] !== main.lines[0]?.uci[0]) arrow(beside.lines[0]?.uci[0], "soft", 11);
    arrow(main.lines[0]?.uci[1], "reply", 9);
    main.lines.slice(1).forEach(line => arrow(line.uci[0], "reply", 7));
    arrow(main.lines[0]?.uci[0], "best", 15);
  }
  const key = JSON.stringify(drawn) + board.turned;
  if (arrows.key !== key) { arrows.key = key; board.draw(drawn); }
}

function moveList() {
  const key = JSON.stringify([game.moves.length, game.moves.at(-1)?.uci, game.start]), list = $("moves");
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    const made = [];
    game.moves.forEach((move, at) => {
      const half = at + (game.first_turn === "black" ? 1 : 0);
      const item = document.createElement("li"), button = document.createElement("button");
      if (half % 2 === 0 || at === 0) { const number = document.createElement("span"); number.className = "number"; number.textContent = `${game.first_number + Math.floor(half / 2)}${half % 2 ? "…" : "."}`; item.append(number); }
      button.textContent = move.san; button.dataset.ply = at + 1; item.append(button); made.push(item);
    });
    list.replaceChildren(...made);
  }
  for (const button of list.querySelectorAll("button")) {
    const here = Number(button.dataset.ply) === game.ply;
    button.setAttribute("aria-current", String(here));
    if (here && list.scrollHeight > list.clientHeight) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

function settings(first) {
  // A field is written when the server's value has changed, and not while a person fills it in.
  const { choice } = game, set = (id, value) => { if (fields[id] !== value) { fields[id] = value; $(id).value = value; } };
  if (first) {
    $("elo").replaceChildren(new Option("full", 0), ...Array.from({ length: 10 }, (_, at) => new Option(`${800 + at * 200} Elo`, 800 + at * 200)));
    $("threads").max = game.most_threads;
  }
  set("seconds", choice.seconds); set("elo", choice.elo); set("threads", choice.threads); set("count", choice.lines); set("accelerator", choice.accelerator);
  $("beside").checked = choice.beside; $("eager").checked = choice.eager;
}

function offer(names) {
  $("devices").replaceChildren(...names.map(name => new Option(name, name)));
  const quick = ["", ...names.slice(0, 7)].map(name => {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = name || "software"; button.onclick = () => ask("accelerator", { name });
    return button;
  });
  $("quick").replaceChildren(...quick);
}

function turn(turned) { board.turn(turned); $("bar").classList.toggle("turned", board.turned); arrows.key = ""; }

// To what a pawn promotes: the letter that is chosen, or null.
function promotion(letters, pawn) {
  const box = $("promotion"), white = pawn === "P";
  return new Promise(done => {
    const end = letter => { box.hidden = true; document.removeEventListener("keydown", key, true); done(letter); };
    const key = event => {
      const letter = event.key.toLowerCase();
      if (event.key === "Escape") end(null); else if (letters.includes(letter)) end(letter); else return;
      event.preventDefault(); event.stopPropagation();
    };
    const order = ["q", "r", "b", "n"].filter(letter => letters.includes(letter));
    box.replaceChildren(...order.map(letter => {
      const button = document.createElement("button");
      button.setAttribute("aria-label", NAMES[letter]);
      button.append(node("svg", { viewBox: "0 0 45 45" }, man(white ? letter.toUpperCase() : letter)));
      button.onclick = () => end(letter);
      return button;
    }));
    document.addEventListener("keydown", key, true);
    box.hidden = false; box.firstChild.focus();
  });
}

// What the person does.
$("modes").onclick = event => { const { mode } = event.target.dataset; if (mode) ask("mode", { mode }); };
$("new").onclick = () => ask("new");
$("back").onclick = () => ask("back");
$("now").onclick = () => ask("now");
$("flip").onclick = () => turn(!board.turned);
$("first").onclick = () => ask("show", { ply: 0 });
$("previous").onclick = () => ask("show", { ply: Math.max(0, game.ply - 1) });
$("next").onclick = () => ask("show", { ply: game.ply + 1 });
$("last").onclick = () => ask("show", { ply: game.moves.length });
$("moves").onclick = event => { const { ply } = event.target.dataset; if (ply) ask("show", { ply: Number(ply) }); };
$("enter").onsubmit = event => { event.preventDefault(); const text = $("move").value.trim(); if (text) ask("move", { text, ply: game.ply }); $("move").value = ""; };
$("choose").onsubmit = event => { event.preventDefault(); $("accelerator").blur(); ask("accelerator", { name: $("accelerator").value.trim() }); };
$("load").onsubmit = event => { event.preventDefault(); ask("set", { text: $("text").value }); };
$("fen").onclick = async () => {
  $("text").value = game.fen;
  try { await navigator.clipboard.writeText(game.fen); say("the FEN is copied"); } catch { $("text").select(); say("the FEN is in the box below the moves"); }
};
$("choice").onsubmit = event => event.preventDefault();
$("eager").onchange = event => ask("choose", { eager: event.target.checked });
$("choice").onchange = event => {
  const { id, value, checked } = event.target;
  if (id === "arrows") { arrows.key = ""; arrows(); }
  else if (id === "beside") ask("choose", { beside: checked });
  else ask("choose", { [id === "count" ? "lines" : id]: Number(value) });
};

document.addEventListener("keydown", event => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Escape" && typing) return event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !game) return;
  const does = {
    "/": () => $("move").focus(), ArrowLeft: () => $("previous").click(), ArrowRight: () => $("next").click(), Home: () => $("first").click(), End: () => $("last").click(),
    a: () => ask("mode", { mode: "analyse" }), s: () => ask("mode", { mode: "rest" }), m: () => ask("now"), n: () => ask("new"), u: () => ask("back"), f: () => $("flip").click(),
  }[event.key];
  if (does) { event.preventDefault(); does(); }
});

setInterval(() => { if (live) panels.sample(live); }, 100);
addEventListener("resize", () => { if (game) graph.draw(game.scores, game.ply); });
connect();
