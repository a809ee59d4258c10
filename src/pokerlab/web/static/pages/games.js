// Small games: their trees, how they are played, what they are worth, and races of update rules.
import { html, useMemo, useState } from "/static/vendor/preact-htm.js";
import { useEvents, useLatest } from "../parts/api.js";
import { Chart } from "../parts/chart.js";
import { actionColours, background } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { setQuery } from "../parts/navigation.js";
import { Table } from "../parts/table.js";

const TABS = { tree: "Tree", strategy: "Strategy", race: "Race", rules: "Rules" };

export default function Games({ query }) {
  const { data, error } = useLatest("/api/games");
  const name = query.game ?? "kuhn";
  const names = data?.games.map((game) => game.name) ?? [];
  const step = (by) => () => {
    const place = names.indexOf(name) + by;
    if (names[place]) setQuery({ game: names[place], path: null, depth: null, view: null });
  };
  useKeys({
    "[": [step(-1), "Game before"],
    "]": [step(1), "Next game"],
    ...Object.fromEntries(Object.keys(TABS).map((tab, place) => [String(place + 1), [() => setQuery({ tab }), `${TABS[tab]}`]])),
  });
  if (error) return html`<p class="error">${error.message}</p>`;
  return html`<div class="page-head"><h1>Games</h1><span class="quiet-text">trees, strategies, exact values, and races of update rules</span></div>
    <div class="games">
      <nav class="panel game-list" aria-label="Games">
        <select class="only-narrow" aria-label="Game" value=${name} onChange=${(event) => choose(event.target.value)}>
          ${data?.games.map((game) => html`<option value=${game.name}>${game.name}</option>`)}</select>
        <ul class="hide-narrow">${data?.games.map((game) => html`<li key=${game.name}><button type="button" class="quiet" aria-current=${game.name === name ? "true" : undefined}
          onClick=${() => choose(game.name)}><b>${game.name}</b><span class="small quiet-text">${game.description}</span></button></li>`)}</ul>
      </nav>
      <${Game} name=${name} query=${query} key=${name} />
    </div>`;
}

function choose(game) {
  setQuery({ game, path: null, depth: null, view: null });
}

function Game({ name, query }) {
  const { data: game, error } = useLatest(`/api/games/${encodeURIComponent(name)}`);
  const exact = useLatest(game?.exact ? `/api/games/${encodeURIComponent(name)}/solution?rule=lp` : null);
  if (error) return html`<section class="panel"><p class="error">${error.message}</p></section>`;
  if (!game) return html`<section class="panel"><p class="nothing">…</p></section>`;
  const tabs = game.tree ? TABS : { tree: TABS.tree, rules: TABS.rules };
  const tab = query.tab in tabs ? query.tab : "tree";
  const common = { game, query };
  return html`<section class="panel game">
    <header class="game-head">
      <div><h2>${game.name}</h2><p class="quiet-text small">${game.description}</p></div>
      <div class="stats">
        <div class="stat"><b>${game.players}</b><span>players</span></div>
        ${game.tree ? html`
          <div class="stat"><b>${game.tree.nodes.toLocaleString("en")}</b><span>nodes</span></div>
          <div class="stat"><b>${game.tree.information_sets.toLocaleString("en")}</b><span>information sets</span></div>
          <div class="stat"><b>${game.tree.ends.toLocaleString("en")}</b><span>ends</span></div>
          ${game.exact && html`<div class="stat" id="value"><b>${exact.data ? signed(exact.data.values[0]) : exact.error ? "–" : "…"}</b><span title="By linear programming">exact value, player 0</span></div>`}`
        : html`<div class="stat"><b>large</b><span>only its top is drawn</span></div>`}
      </div>
    </header>
    <div class="tabs" role="tablist">${Object.entries(tabs).map(([key, title]) => html`<button type="button" role="tab" key=${key} id=${`tab-${key}`} aria-selected=${tab === key} onClick=${() => setQuery({ tab: key })}>${title}</button>`)}</div>
    <div class="game-body" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
      ${tab === "tree" ? html`<${Tree} ...${common} />`
        : tab === "strategy" ? html`<${Strategy} ...${common} />`
        : tab === "race" ? html`<${Race} ...${common} />`
        : html`<pre class="rules">${game.rules || "This game is not played with cards and chips: it has no file of rules."}</pre>`}
    </div>
  </section>`;
}

function signed(number) {
  return (number > 0 ? "+" : "") + number.toFixed(6).replace("-", "−");
}

const OPENED = 2;
const SHOWN = [["strategy", "frequencies"], ["values", "values"], ["reach", "reach"], ["infosets", "information sets"]];

function Tree({ game, query }) {
  const view = query.view ?? (game.tree && game.tree.nodes <= 100 ? "game" : "action");
  const large = !game.tree || (view !== "action" && game.tree.nodes > 600);
  const depth = query.depth ?? (large ? "3" : "");
  const rule = query.rule ?? "";
  const show = (query.show ?? "strategy").split(",").filter(Boolean);
  const [zoom, setZoom] = useState("fit");
  const address = useMemo(() => {
    const asked = new URLSearchParams({ view, depth, path: query.path ?? "" });
    const words = show.filter((word) => rule || word === "infosets");
    if (rule) asked.set("rule", rule);
    if (words.length && view !== "chance") asked.set("show", words.join(","));
    return `/api/games/${encodeURIComponent(game.name)}/tree?${asked}`;
  }, [game.name, view, depth, rule, query.path, query.show]);
  const { data, error, loading } = useLatest(address);
  // Of a large tree a branch is opened by a few moves; of a small one, all that follows.
  const open = (moves) => setQuery({ path: moves.length ? `${moves.join(" ")} *` : null, depth: moves.length ? (game.tree ? "60" : String(Math.min(60, moves.length + OPENED))) : null });
  const click = (event) => {
    const title = event.target.closest(".node")?.querySelector("title")?.textContent;
    if (!title) return;
    const path = title.slice(0, title.lastIndexOf(": "));
    open(path === "root" ? [] : path.split(" "));
  };
  const moves = (query.path ?? "").replace(/[*…]$/, "").trim().split(" ").filter(Boolean);
  const depths = [1, 2, 3, 4, 5, 6, 8, 60];
  if (depth && !depths.includes(Number(depth))) depths.push(Number(depth));
  return html`<div class="tree-tools">
      <label class="field"><span>Seen by</span><select value=${view} onChange=${(event) => setQuery({ view: event.target.value })}>
        ${game.views.map((each) => html`<option value=${each}>${each.replace("player:", "player ")}</option>`)}</select></label>
      <label class="field"><span>Moves deep</span><select value=${depth} onChange=${(event) => setQuery({ depth: event.target.value || "60" })}>
        <option value="">all</option>${depths.sort((one, other) => one - other).map((each) => html`<option value=${each}>${each === 60 ? "as far as it goes" : each}</option>`)}</select></label>
      ${game.tree && html`<label class="field"><span>Played as</span><select id="played-as" value=${rule} onChange=${(event) => setQuery({ rule: event.target.value })}>
        <option value="">–</option>${game.exact && html`<option value="lp">exact equilibrium</option>`}
        ${game.update_rules.map((each) => html`<option value=${each}>${each}, 1,000 iterations</option>`)}</select></label>
      <fieldset class="shown"><legend>Show</legend>${SHOWN.map(([word, title]) => html`<label class="check" key=${word}><input type="checkbox" checked=${show.includes(word)} disabled=${word !== "infosets" && !rule}
        onChange=${(event) => setQuery({ show: event.target.checked ? [...show, word].join(",") : show.filter((each) => each !== word).join(",") || "none" })} />${title}</label>`)}</fieldset>`}
      <label class="field path"><span title="As 0d{J}1d{K}0c*; a click on a node sets it">Only the path</span><input value=${query.path ?? ""} placeholder="0d{J}*" spellcheck=${false} onChange=${(event) => setQuery({ path: event.target.value || null })} /></label>
      <div class="segments" role="group" aria-label="Size"><button type="button" aria-pressed=${zoom === "fit"} onClick=${() => setZoom("fit")}>Fit</button><button type="button" aria-pressed=${zoom === "full"} onClick=${() => setZoom("full")}>100%</button></div>
    </div>
    ${moves.length > 0 && html`<nav class="row branch-path" aria-label="The way to this branch"><button type="button" onClick=${() => open([])}>root</button>
      ${moves.map((move, place) => html`<button type="button" key=${place} onClick=${() => open(moves.slice(0, place + 1))}><code>${move}</code></button>`)}</nav>`}
    ${error ? html`<p class="error" role="alert">${error.message}</p>`
      : html`<div class=${`game-tree ${zoom}${loading ? " stale" : ""}`} tabindex="0" role="img" aria-label=${`Tree of ${game.name}, ${view}`} onClick=${click}
          dangerouslySetInnerHTML=${{ __html: data?.svg ?? "" }} />
        <p class="small quiet-text">${data ? `${data.nodes} nodes drawn. A click on a node shows what follows it.` : "…"}</p>`}`;
}

function Strategy({ game, query }) {
  const rule = query.rule || (game.exact ? "lp" : "dcfr");
  const iterations = query.iterations ?? "1000";
  const { data, error, loading } = useLatest(`/api/games/${encodeURIComponent(game.name)}/solution?${new URLSearchParams({ rule, iterations })}`);
  const columns = [
    { key: "player", title: "Player", width: "70px" },
    { key: "seen", title: "Has seen", cell: (row) => html`<code>${row.seen || "–"}</code>`, width: "150px" },
    { key: "plays", title: "Plays", sortable: false, cell: (row) => html`<${Plays} row=${row} />` },
  ];
  return html`<div class="tree-tools">
      <label class="field"><span>Solved by</span><select value=${rule} onChange=${(event) => setQuery({ rule: event.target.value })}>
        ${game.exact && html`<option value="lp">linear program (exact)</option>`}${game.update_rules.map((each) => html`<option value=${each}>${each}</option>`)}</select></label>
      ${rule !== "lp" && html`<label class="field"><span>Iterations</span><input value=${iterations} inputmode="numeric" onChange=${(event) => setQuery({ iterations: event.target.value })} /></label>`}
    </div>
    ${error ? html`<p class="error" role="alert">${error.message}</p>` : html`<div class=${loading ? "stale" : ""}>
      ${data && html`<div class="stats solution-stats">
        ${data.values.map((value, seat) => html`<div class="stat" key=${seat}><b>${signed(value)}</b><span>player ${seat}</span></div>`)}
        <div class="stat"><b>${data.exploitability.toExponential(2)}</b><span>exploitability</span></div>
        <div class="stat"><b>${data.iterations.toLocaleString("en")}</b><span>${data.rule === "lp" ? "simplex steps" : "iterations"}</span></div>
      </div>
      <${Table} label=${`Strategy of ${game.name}`} columns=${columns} rows=${data.rows} rowKey=${(row) => row.seen + row.player} rowHeight=${34} />`}</div>`}`;
}

const CALLS = /^(c|x|k)/;

function Plays({ row }) {
  const labels = row.actions.map((action) => (CALLS.test(action) ? "c" : action));
  const colours = actionColours(labels);
  return html`<span class="plays"><span class="plays-bar">${row.shares.map((share, place) => share > 0 && html`<span key=${place} style=${{ flexGrow: share, background: background(colours[place]) }} />`)}</span>
    <span class="plays-text">${row.actions.map((action, place) => html`<span key=${action}><code>${action}</code> ${(100 * row.shares[place]).toFixed(1)}%</span>`)}</span></span>`;
}

const FIRST = ["cfr", "cfr+", "dcfr", "pcfr+"];

function Race({ game, query }) {
  const rules = (query.rules ?? FIRST.join(",")).split(",").filter(Boolean);
  const iterations = query.iterations ?? "2000";
  const [running, setRunning] = useState(null);
  const [points, setPoints] = useState([]);
  const [problem, setProblem] = useState("");
  useEvents(running, {
    points: (news) => setPoints((before) => [...before, ...news]),
    end: (end, source) => {
      source.close();
      setRunning(null);
      setProblem(end.error);
    },
  });
  const start = () => {
    setPoints([]);
    setProblem("");
    const address = `/api/games/${encodeURIComponent(game.name)}/race?${new URLSearchParams({ rules: rules.join(","), iterations, seconds: "20" })}`;
    setRunning(`${address}&n=${Date.now()}`);
  };
  const entrants = [...new Set(points.map((point) => point[0]))];
  const data = useMemo(() => {
    const xs = [...new Set(points.map((point) => point[1]))].sort((one, other) => one - other);
    const place = new Map(xs.map((x, number) => [x, number]));
    const lines = entrants.map(() => new Array(xs.length).fill(null));
    for (const [rule, iteration, , value] of points) lines[entrants.indexOf(rule)][place.get(iteration)] = Math.max(value, 1e-12);
    return [xs, ...lines];
  }, [points]);
  const series = entrants.map((rule, place) => ({ label: rule, colour: `--line-${(place % 4) + 1}`, dashed: place > 3 }));
  const standing = entrants.map((rule) => points.findLast((point) => point[0] === rule)).map(([rule, iteration, seconds, value]) => ({ id: rule, rule, iteration, seconds, value }));
  const toggle = (rule) => setQuery({ rules: rules.includes(rule) ? rules.filter((each) => each !== rule).join(",") || null : [...rules, rule].join(",") }, { replace: true });
  return html`<div class="tree-tools">
      <fieldset class="shown entrants"><legend>Update rules</legend>${game.update_rules.map((rule) => html`<label class="check" key=${rule}><input type="checkbox" checked=${rules.includes(rule)} disabled=${Boolean(running)} onChange=${() => toggle(rule)} />${rule}</label>`)}</fieldset>
      <label class="field"><span>Iterations</span><input value=${iterations} inputmode="numeric" disabled=${Boolean(running)} onChange=${(event) => setQuery({ iterations: event.target.value }, { replace: true })} /></label>
      ${running ? html`<button type="button" onClick=${() => setRunning(null)}>Stop</button>`
        : html`<button type="button" class="primary" id="race" disabled=${!rules.length || rules.length > 8 || !/^[1-9][0-9]{0,5}$/.test(iterations) || Number(iterations) > 100000} onClick=${start}>Race</button>`}
    </div>
    ${problem && html`<p class="error" role="alert">${problem}</p>`}
    ${points.length ? html`
      <${Chart} data=${data} series=${series} log xLog xLabel="iterations" yLabel="exploitability" height=${340} xFormat=${(x) => x.toLocaleString("en")} yFormat=${(y) => y.toExponential(0)} label=${`Exploitability by iterations, ${game.name}`} />
      <${Table} label="Standings" sort=${["value", false]} rows=${standing} columns=${[
        { key: "rule", title: "Rule" },
        { key: "iteration", title: "Iterations", number: true, cell: (row) => row.iteration.toLocaleString("en") },
        { key: "seconds", title: "Seconds", number: true, cell: (row) => row.seconds.toFixed(3) },
        { key: "value", title: "Exploitability", number: true, cell: (row) => row.value.toExponential(2) },
      ]} />`
    : html`<p class="quiet-text race-empty">${running ? "The rules take their places…" : "Each rule is run as far as the others, and the exploitability of all of them is measured on the way."}</p>`}`;
}
