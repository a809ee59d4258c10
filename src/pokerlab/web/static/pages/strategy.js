// A trained strategy of a limit game: decision by decision, by hand or by group, and lines of one deal.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board, HandText, RANKS } from "../parts/cards.js";
import { actionColours, background } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { Matrix } from "../parts/matrix.js";
import { Link, setQuery } from "../parts/navigation.js";
import { Table } from "../parts/table.js";
import { Copyable } from "./study/copy.js";
import { DealTab } from "./study/deal.js";
import { Bar } from "./study/hands.js";

const TABS = { hands: "Hands", tree: "Tree" };

export default function Strategy({ params, query }) {
  const base = `/api/strategies/${params.id}`;
  const once = useLatest(base);
  const line = query.line ?? "", board = query.board ?? "";
  const node = useLatest(`${base}/node?${new URLSearchParams({ line, board })}`);
  useEffect(() => { if (once.data) document.title = `${once.data.name} · pokerlab`; }, [once.data]);
  if (once.error && !once.data) return html`<section class="narrow"><h1>This strategy cannot be shown</h1><p class="error">${once.error.message}</p><p><${Link} href="/">To the Library<//></p></section>`;
  if (node.error && !node.data) return html`<section class="narrow"><h1>There is no such decision</h1><p class="error" role="alert">${node.error.message}</p>
    <div class="buttons"><button type="button" class="primary" onClick=${() => setQuery({ line: null, board: null })}>To the first decision</button></div></section>`;
  if (!once.data || !node.data) return html`<p class="nothing" role="status">Opening…</p>`;
  return html`<${View} base=${base} once=${once.data} node=${node.data} query=${query} late=${node.loading} problem=${node.error} />`;
}

/** Where to go: a board of another street is left behind. */
function goTo(once, line, board) {
  const street = line.split("/").length - 1;
  const cards = once.board_cards[street] ?? 0;
  setQuery({ line, board: board.length === 2 * cards ? board : null });
}

function View({ base, once, node, query, late, problem }) {
  const tab = query.tab in TABS ? query.tab : "hands";
  const board = query.board ?? "";
  const colours = actionColours(node.actions);
  const field = useRef();
  const up = node.path.at(-1);
  const players = Array.from({ length: once.players }, (_, seat) => `player ${seat}`);
  useKeys({
    ...Object.fromEntries(node.options.map((option, place) => [String(place + 1), [() => option.line !== null && goTo(once, option.line, board), "an action"]])),
    Backspace: [() => up && goTo(once, up.line, board), "one step back"],
    b: [() => field.current?.focus(), "board"],
    t: [() => setQuery({ tab: tab === "tree" ? null : "tree" }, { replace: true }), "tree of one deal"],
  });
  return html`<div class=${`study strategy${late ? " late" : ""}`} data-line=${node.line}>
    <div class="page-head study-head"><h1>${once.name.replace(/\.safetensors$/, "")}</h1>${board && html`<${Board} board=${board} small />`}
      <span class="quiet-text small">${once.game} · groups ${once.groups} · ${once.trained} · ε ${once.reached} with these groups</span></div>
    <nav class="row strategy-path" aria-label="The way to this decision">
      ${node.path.map((step) => html`<button type="button" key=${step.line} onClick=${() => goTo(once, step.line, board)}><span class="quiet-text small">player ${step.player}</span> ${step.word}</button>`)}
      <span class="strategy-now"><b>player ${node.player}</b> acts ${node.where}, pot ${node.pot.toLocaleString("en")}${node.arrives ? ` · gets here with ${node.arrives} of its hands` : " · no hand gets here"}</span></nav>
    ${problem && html`<p class="error" role="alert">${problem.message}</p>`}
    <div class="study-body">
      <section class="study-left">
        <div class="strategy-options">${node.options.map((option, place) => html`<button type="button" key=${option.action} class="option" disabled=${option.line === null} onClick=${() => goTo(once, option.line, board)}>
          <span class="option-name">${option.word} <small>${option.after}</small></span><span class="option-share">${option.text}</span>
          <span class="option-bar" style=${{ width: `${100 * option.share}%`, background: background(colours[place]) }} /></button>`)}</div>
        ${node.board_needed > 0 && html`<${BoardField} field=${field} board=${board} needed=${node.board_needed} />`}
        ${node.cells ? html`<${Matrix} label="Hands" cells=${node.cells} colours=${colours} />`
          : html`<p class="small quiet-text">${node.sampled ? `Groups as they were seen on ${node.dealt.toLocaleString("en")} random deals; a board shows all hands on it.` : "All hands of this street."}</p>`}
      </section>
      <section class="study-right panel">
        <div class="tabs" role="tablist" aria-label="Views">${Object.entries(TABS).map(([key, words]) => html`<button type="button" role="tab" key=${key} id=${`tab-${key}`} aria-selected=${tab === key}
          aria-controls="strategy-tab" onClick=${() => setQuery({ tab: key === "hands" ? null : key }, { replace: true })}>${key === "hands" && !node.hands.length ? "Groups" : words}</button>`)}</div>
        <div class="tab-body" id="strategy-tab" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
          ${tab === "hands" ? html`<${Rows} node=${node} colours=${colours} />` : html`<${DealTab} source=${base} players=${players} node=${node} query=${query} onGo=${(line) => goTo(once, line, board)} />`}</div>
      </section>
    </div>
    <footer class="row strategy-foot"><${Copyable} text=${node.command} /></footer>
  </div>`;
}

function BoardField({ field, board, needed }) {
  const [text, setText] = useState(board);
  useEffect(() => setText(board), [board]);
  const send = (event) => {
    event.preventDefault();
    setQuery({ board: text.replaceAll(/\s+/g, "") || null });
  };
  return html`<form class="row" onSubmit=${send}><label class="field"><span>Board (${needed} ${needed === 1 ? "card" : "cards"})</span>
    <input id="board" ref=${field} value=${text} spellcheck=${false} autocomplete="off" placeholder="QhJh2c" onInput=${(event) => setText(event.target.value)} /></label>
    <button type="submit">Show</button>${board && html`<button type="button" class="quiet" onClick=${() => setQuery({ board: null })}>All boards</button>`}</form>`;
}

/** Aces first, as in the matrix: of AKs, AsKd and AKo the suited hands before the others. */
function handOrder(hand) {
  const ranks = hand.replaceAll(/[shdco]/g, "");
  const places = [...ranks].map((rank) => String(RANKS.indexOf(rank)).padStart(2, "0"));
  const suits = hand.replaceAll(/[^shdc]/g, "");
  const apart = suits.length > 1 ? suits[0] !== suits[1] : hand.endsWith("o");
  return `${places.join("")}${apart ? 1 : 0}${[...suits].map((suit) => "shdc".indexOf(suit)).join("")}`;
}

function Rows({ node, colours }) {
  const plays = node.actions.map((action, place) => ({ key: action, title: node.options[place].word, number: true, value: (row) => row.strategy[place], cell: (row) => `${(100 * row.strategy[place]).toFixed(1)}%` }));
  const common = [
    { key: "bar", title: "", sortable: false, cell: (row) => html`<${Bar} shares=${row.strategy} colours=${colours} />` },
    { key: "weight", title: "Weight", number: true, value: (row) => row.weight, cell: (row) => row.weight.toFixed(3) }, ...plays,
    ...([...node.hands, ...node.groups].some((row) => row.strength !== null) ? [{ key: "strength", title: "Strength", number: true, value: (row) => row.strength, cell: (row) => (row.strength === null ? "–" : row.strength.toFixed(3)) }] : []),
  ];
  if (node.hands.length) {
    const columns = [{ key: "hand", title: "Hand", value: (row) => handOrder(row.hand), cell: (row) => html`${/[shdc]/.test(row.hand.slice(1, 2)) ? html`<${HandText} hand=${row.hand} />` : row.hand}${row.trained ? "" : "*"}` },
      { key: "group", title: "Group", number: true }, ...common];
    return html`<${Table} label="Hands" columns=${columns} rows=${node.hands} sort=${["hand", false]} rowKey=${(row) => row.hand} />
      ${node.hands.some((row) => !row.trained) && html`<p class="small quiet-text">* training never came here: a bot checks and calls</p>`}`;
  }
  const columns = [{ key: "group", title: "Group", number: true, cell: (row) => `${row.group}${row.trained ? "" : "*"}` },
    { key: "share", title: "Share", number: true, value: (row) => row.share, cell: (row) => `${(100 * row.share).toFixed(2)}%` }, ...common,
    { key: "examples", title: "Examples", sortable: false, cell: (row) => html`<span class="small">${row.examples.join(", ")}</span>` }];
  return html`<${Table} label="Groups" columns=${columns} rows=${node.groups} rowKey=${(row) => row.group} />`;
}
