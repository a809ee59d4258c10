// Hands: the hands of the histories of the folder, filtered and sorted by the server; their players; a night judged.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, useLatest } from "../../parts/api.js";
import { Board, HandText } from "../../parts/cards.js";
import { sendFiles, useDrop } from "../../parts/drop.js";
import { useKeys } from "../../parts/keys.js";
import { Lazy } from "../../parts/lazy.js";
import { Link, go, setQuery } from "../../parts/navigation.js";
import { Table } from "../../parts/table.js";
import { FILTERS, Filters } from "./filters.js";
import { Won, useNarrow } from "./shown.js";

const WINDOW = 100;
const LOOK_AGAIN = 700;
const TABS = [["hands", "Hands"], ["players", "Players"], ["judge", "Judge a night"]];

/** What the server is asked: the files and filters of the address. */
function askedOf(query) {
  return Object.fromEntries(["files", ...FILTERS].filter((name) => query[name]).map((name) => [name, query[name]]));
}

export default function Hands({ query }) {
  const asked = askedOf(query);
  const order = query.order ?? "place";
  const descending = query.descending === "1";
  const text = new URLSearchParams({ ...asked, order, descending: descending ? "1" : "" }).toString();
  const { data, error, fresh, reload } = useLatest(`/api/hands?${text}&count=${WINDOW}`);
  const [message, setMessage] = useState(null);
  const chooser = useRef();
  const search = useRef();
  const last = useRef(null);
  if (data) last.current = data;
  const shown = data ?? last.current;
  const tab = TABS.some(([name]) => name === query.tab) ? query.tab : "hands";
  const add = async (files) => {
    const { added, faults } = await sendFiles(files, (done, all) => setMessage({ text: `${done} of ${all} files added` }));
    const others = added.filter((file) => file.kind !== "history");
    if (faults.length) setMessage({ bad: true, text: faults.slice(0, 5).join("; ") + (faults.length > 5 ? `; and ${faults.length - 5} more` : "") });
    else setMessage(others.length ? { text: `${others.map((file) => file.name).join(", ")}: in the Library` } : null);
    const ids = added.filter((file) => file.kind === "history").map((file) => file.id);
    if (ids.length && ids.length <= 20) go(`/hands?files=${ids.join(",")}`);
    else if (ids.length) go("/hands");
    reload();
  };
  const dropping = useDrop(add);
  useEffect(() => { document.title = "Hands · pokerlab"; }, []);
  useKeys({ "/": [() => search.current?.focus(), "number or date"] });
  useEffect(() => {
    if (!shown?.reading.length) return undefined;
    const timer = setTimeout(reload, LOOK_AGAIN);
    return () => clearTimeout(timer);
  }, [shown]);
  if (error && !error.status && !shown) return html`<p class="nothing">…</p>`;
  if (!shown && error) {
    return html`<section class="narrow"><h1>Hands</h1><p class="error" role="alert">${error.message}</p><p><${Link} href="/hands">All hands<//></p></section>`;
  }
  if (!shown) return html`<p class="nothing">…</p>`;
  const chosen = (query.files ?? "").split(",").filter(Boolean);
  const pick = (event) => go(event.target.value ? `/hands?files=${event.target.value}` : "/hands");
  const buttons = html`<button type="button" onClick=${() => chooser.current.click()}>Add files</button>
    <input type="file" class="hidden" multiple ref=${chooser} aria-label="Files" onChange=${(event) => add([...event.target.files]).then(() => { event.target.value = ""; })} />`;
  const note = message && html`<p class=${message.bad ? "error" : "quiet-text"} role="status">${message.text} <button type="button" class="quiet" aria-label="Close" onClick=${() => setMessage(null)}>✕</button></p>`;
  if (!shown.files.length) {
    return html`<div class=${dropping ? "dropping" : ""}><div class="page-head"><h1>Hands</h1></div>${note}<${Empty} buttons=${buttons} /></div>`;
  }
  return html`<div class=${`hands-page${dropping ? " dropping" : ""}`}>
    <div class="page-head"><h1>Hands</h1>
      <select id="history" aria-label="History" value=${chosen.length === 1 ? chosen[0] : chosen.length ? "several" : ""} onChange=${pick}>
        <option value="">All histories</option>
        ${chosen.length > 1 && html`<option value="several" disabled>${chosen.length} files</option>`}
        ${shown.files.map((file) => html`<option key=${file.id} value=${file.id}>${file.name.replace(/^hands\//, "")}</option>`)}</select>
      <span class="space" />${buttons}</div>
    ${note}
    ${shown.reading.length > 0 && html`<p class="row small" role="status"><span class="pulse" />Reading ${shown.reading.slice(0, 3).map((file) => file.name).join(", ")}${shown.reading.length > 3 ? ` and ${(shown.reading.length - 3).toLocaleString("en")} more` : ""}: ${Math.max(...shown.reading.map((file) => file.hands)).toLocaleString("en")} hands so far</p>`}
    ${shown.faults.map((file) => html`<p key=${file.name} class="error small">${file.name}: ${file.error}</p>`)}
    <${Filters} data=${shown} query=${query} error=${fresh ? error : null} search=${search} />
    <div class="panel flush">
      <div class="tabs" role="tablist" aria-label="What to see">${TABS.map(([name, title]) => html`<button type="button" role="tab" key=${name} id=${`tab-${name}`}
        aria-selected=${tab === name} onClick=${() => setQuery({ tab: name === "hands" ? null : name })}>${title}</button>`)}</div>
      ${tab === "hands" ? html`<${List} data=${shown} text=${text} asked=${asked} order=${order} descending=${descending} />`
        : tab === "players" ? html`<${Lazy} key="players" load=${() => import("./players.js")} asked=${asked} data=${shown} task=${query.model} />`
        : html`<${Lazy} key="judge" load=${() => import("./judge.js")} asked=${asked} data=${shown} />`}
    </div>
    <${LeftOut} data=${shown} files=${query.files} />
  </div>`;
}

/** The rows of a list that are there, a hundred at a time; others come when they are to be seen. */
function useWindows(text, data) {
  const [version, setVersion] = useState(0);
  const kept = useRef({ text: null });
  if (kept.current.text !== text || kept.current.data !== data) kept.current = { text, data, windows: new Map([[0, data.rows]]), asked: new Set([0]) };
  const { windows, asked } = kept.current;
  return useMemo(() => ({
    total: data.totals.hands,
    row: (place) => windows.get(Math.floor(place / WINDOW))?.[place % WINDOW],
    need: (first, last) => {
      for (let number = Math.floor(first / WINDOW); number * WINDOW < last; number += 1) {
        if (asked.has(number)) continue;
        asked.add(number);
        get(`/api/hands?${text}&first=${number * WINDOW}&count=${WINDOW}`).then((more) => {
          windows.set(number, more.rows);
          setVersion((count) => count + 1);
        }, () => asked.delete(number));
      }
    },
  }), [text, data, version]);
}

function List({ data, text, asked, order, descending }) {
  const remote = useWindows(text, data);
  const narrow = useNarrow();
  const several = data.files.length > 1 && !(asked.files && !asked.files.includes(","));
  const name = (row) => row.number || row.place;
  const address = (row) => `/hands/of/${row.id}/${row.place}${data.player ? `?player=${encodeURIComponent(data.player)}` : ""}`;
  const columns = [
    { key: "place", title: "Hand", cell: (row) => html`<${Link} href=${address(row)} title=${several ? data.files.find((file) => file.id === row.id)?.name : undefined}>${name(row)}<//>` },
    { key: "when", title: "Date", cell: (row) => html`<span class="nowrap">${row.when || "–"}</span>`, wide: true },
    { key: "stakes", title: "Blinds", number: true, wide: true },
    { key: "players", title: "Players", number: true, wide: true },
    { key: "position", title: "Position", cell: (row) => row.position ?? "–", own: true, wide: true },
    { key: "cards", title: "Cards", cell: (row) => html`<${HandText} hand=${row.cards} />`, own: true },
    { key: "kind", title: "Pot type", wide: true },
    { key: "pot", title: "Pot, bb", number: true, cell: (row) => row.pot.toFixed(1) },
    { key: "board", title: "Board", sortable: false, cell: (row) => html`<${Board} board=${row.board} small />` },
    { key: "reached", title: "Ended", wide: true },
    { key: "won", title: "Won, bb", number: true, own: true, cell: (row) => html`<${Won} won=${row.won} />` },
  ].filter((column) => (!narrow || !column.wide) && (data.player || !column.own));
  if (narrow && data.player) columns.splice(-2, 2, columns.at(-1), columns.at(-2)); // what was won before a long board
  const sort = ([key, down]) => setQuery({ order: key === "place" ? null : key, descending: down ? "1" : null }, { replace: true });
  return html`<${Sums} data=${data} />
    <${Table} columns=${columns} rows=${data.rows} remote=${remote} rowKey=${(row) => `${row.id}-${row.place}`} sort=${[order, descending]} onSort=${sort} rowHeight=${36}
      label="Hands" empty="No hand fits these filters." onRow=${(row, event) => event.target.closest("a") || go(address(row))} rowClass=${() => "opens"} />`;
}

function Sums({ data }) {
  const { totals, player } = data;
  return html`<p class="hands-sums" role="status"><span><b>${totals.hands.toLocaleString("en")}</b> ${totals.hands === 1 ? "hand" : "hands"}${data.totals.hands < data.all ? ` of ${data.all.toLocaleString("en")}` : ""}</span>
    ${player && totals.known > 0 && html`<span>${player}: <${Won} won=${totals.won} /> bb${totals.known > 1 && html`, <${Won} won=${totals.per_hundred} /> in 100 hands`}${totals.known < totals.hands ? ` (${(totals.hands - totals.known).toLocaleString("en")} without a known winner)` : ""}</span>`}</p>`;
}

/** What could not be read, by number, and hands of other games. */
function LeftOut({ data, files }) {
  const [found, setFound] = useState(null);
  useEffect(() => setFound(null), [data.left_out, files]);
  const others = Object.entries(data.other_games);
  if (!data.left_out && !others.length) return null;
  const look = (event) => event.target.open && !found && get(`/api/hands/unread?files=${files ?? ""}`).then(setFound, () => {});
  return html`<div class="hands-left small">
    ${others.map(([game, count]) => html`<p key=${game} class="quiet-text">${count.toLocaleString("en")} hands of ${game} are passed over.</p>`)}
    ${data.left_out > 0 && html`<details onToggle=${look}><summary>${data.left_out.toLocaleString("en")} ${data.left_out === 1 ? "hand" : "hands"} could not be read</summary>
      ${found && html`<ul>${found.hands.map((hand) => html`<li key=${`${hand.file}-${hand.place}`}>${hand.file.replace(/^hands\//, "")}, hand ${hand.place}: ${hand.reason.replace(/^hand \w+: /, "")}</li>`)}
        ${found.left_out > found.hands.length && html`<li>and ${(found.left_out - found.hands.length).toLocaleString("en")} more</li>`}</ul>`}</details>`}
  </div>`;
}

function Empty({ buttons }) {
  return html`<div class="panel library-empty">
    <h2>No hands yet</h2>
    <p>Drop your hand histories here, files or whole folders: PokerStars, GGPoker, PartyPoker, iPoker, Ongame, Full Tilt, Absolute Poker, and PHH. They are kept in the folder <code>hands</code>, and nothing leaves this machine.</p>
    <div class="buttons">${buttons}</div>
  </div>`;
}
