// The Library: the spots, solutions and batches of the folder, and the solves that run.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, post, useLatest } from "../parts/api.js";
import { Board } from "../parts/cards.js";
import { Dialog, confirmed, prompted } from "../parts/dialog.js";
import { sendFiles, useDrop } from "../parts/drop.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { Miniature } from "../parts/matrix.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { usePreference } from "../parts/preferences.js";
import { keepTarget, targetOf } from "../parts/targets.js";
import { useUnits } from "../parts/units.js";

const KINDS = [["all", "All"], ["spot", "Spots"], ["solution", "Solutions"], ["batch", "Batches"], ["chart", "Charts"], ["strategy", "Strategies"], ["range", "Ranges"], ["model", "Models"], ["history", "Hands"]];
const ADDRESSES = { spot: "/spot/", solution: "/solution/", batch: "/batch/", chart: "/preflop?chart=", strategy: "/strategy/", history: "/hands?files=" };
const NOTHING = {
  all: "Nothing here.", spot: "No spot is here yet: make a new one.", solution: "No solution is here yet: solve a spot.",
  batch: "No batch is here yet: a new one solves a spot on many boards.", chart: "No chart is here yet: pokerlab preflop -o saves them; those of the package are under Preflop.", strategy: "No strategy is here yet: pokerlab train makes them for limit games.", range: "No range is here yet: keep one in the Editor, or add text files.",
  model: "No model of a player is here yet: Hands makes one of the hands of a player.",
  history: "No hand history is here yet: add files of a poker site, or PHH.",
};
const byName = (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true });
/** How the files may be sorted; a spot and its solution have one name, so that they stand together. */
const ORDERS = {
  newest: ["Newest first", (one, other) => other.modified - one.modified || byName(one, other)],
  name: ["By name", byName],
  board: ["By board", (one, other) => (one.board ?? "~").localeCompare(other.board ?? "~") || byName(one, other)],
  largest: ["Largest first", (one, other) => other.bytes - one.bytes || byName(one, other)],
};
/** A search for a board: that of a batch is offered. */
const BOARD = /^\s*([2-9tjqka][shdc][\s,]*){3,5}$/i;
const LOOK_AGAIN = 1500;
/** The number of closed folders that are remembered. */
const MOST_CLOSED = 200;

export default function Library({ query }) {
  const { data, error, reload } = useLatest("/api/library");
  // In the address, so that Back from a file finds the list as it was.
  const search = query.search ?? "", kind = KINDS.some(([name]) => name === query.kind) ? query.kind : "all";
  const [closed, setClosed] = usePreference("libraryClosed", []);
  const [order, setOrder] = usePreference("libraryOrder", "newest");
  const [picked, setPicked] = useState([]);
  const [solving, setSolving] = useState(null);
  const [message, setMessage] = useState(null);
  const field = useRef();
  const chooser = useRef();
  const jobs = useJobs(reload);
  const add = async (files) => {
    const { added, faults } = await sendFiles(files, (done, all) => setMessage({ text: `${done} of ${all} files added` }));
    reload();
    if (faults.length) setMessage({ bad: true, text: faults.join("; ") });
    else if (added.length && added.every((file) => file.kind === "history")) go(added.length === 1 ? `/hands?files=${added[0].id}` : "/hands");
    else if (added.length) setMessage({ text: `${added.at(-1).name} is in the Library` });
  };
  const dropping = useDrop(add);
  useEffect(() => { document.title = "Library · pokerlab"; }, []);
  useKeys({
    "/": [() => field.current?.focus(), "search"],
    n: [() => go("/spot/new"), "new spot"],
    ArrowDown: [() => step(1), "next file"],
    ArrowUp: [() => step(-1), "previous file"],
  });
  if (error && (!data || error.status)) return html`<section class="narrow"><h1>Library</h1><p class="error" role="alert">${error.message}</p></section>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const change = async (work) => {
    try {
      const done = await work();
      if (done) reload();
    } catch (problem) {
      setMessage({ bad: true, text: problem.message });
      reload();
    }
  };
  const acts = {
    solve: setSolving,
    rename: (file) => change(() => prompted("Rename", "Name", stem(file), (name) => post("/api/library/rename", { id: file.id, name }))),
    move: (file) => change(() => prompted("Move", "Folder (empty for the top; a new one is made)", folderOf(file), (folder) => post("/api/library/move", { id: file.id, folder }), { action: "Move", choices: folders })),
    duplicate: (file) => change(() => post("/api/library/duplicate", { id: file.id })),
    remove: (file) => change(async () => (await confirmed("Delete", `Delete ${file.name}? This cannot be undone.`, { action: "Delete", danger: true })) && post("/api/library/delete", { id: file.id })),
    pick: (file) => setPicked(picked.includes(file.id) ? picked.filter((id) => id !== file.id) : [...picked, file.id].slice(-2)),
  };
  const folders = foldersOf(data.files);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const allClosed = folders.every((name) => closed.includes(`${name}/`));
  const shown = data.files.filter((file) => (kind === "all" || file.kind === kind)
    && words.every((word) => `${file.name} ${file.player ?? ""} ${file.board ?? ""} ${file.street ?? ""} ${file.kind} ${file.error ?? ""}`.toLowerCase().includes(word)))
    .sort(ORDERS[order] ? ORDERS[order][1] : ORDERS.newest[1]);
  return html`<div class=${dropping ? "dropping" : ""}>
    <div class="page-head">
      <h1>Library</h1><span class="quiet-text">${data.folder}</span>
      <div class="library-tools">
        <input type="search" ref=${field} placeholder="Search ( / )" aria-label="Search" value=${search} onInput=${(event) => setQuery({ search: event.target.value }, { replace: true })} />
        <div class="segments" role="group" aria-label="Kind">
          ${KINDS.map(([name, title]) => html`<button type="button" key=${name} aria-pressed=${kind === name} onClick=${() => setQuery({ kind: name === "all" ? null : name }, { replace: true })}>${title}</button>`)}
        </div>
        <label><span class="visually-hidden">Sorted by</span><select id="order" value=${order} onChange=${(event) => setOrder(event.target.value)}>
          ${Object.entries(ORDERS).map(([name, [title]]) => html`<option key=${name} value=${name}>${title}</option>`)}</select></label>
        ${folders.length > 1 && !words.length && html`<button type="button" id="fold" onClick=${() => setClosed(allClosed ? [] : folders.map((name) => `${name}/`).slice(0, MOST_CLOSED))}>${allClosed ? "Open folders" : "Close folders"}</button>`}
        ${picked.length === 2 && html`<${Link} class="button primary" href=${`/compare/${picked[0]}/${picked[1]}`}>Compare<//>`}
        <button type="button" onClick=${() => chooser.current.click()}>Add files</button>
        <input type="file" class="hidden" multiple ref=${chooser} aria-label="Files" onChange=${(event) => add([...event.target.files]).then(() => { event.target.value = ""; })} />
        <${Link} class="button" id="new-batch" href="/batch/new" title="One spot on many boards">New batch<//>
        <${Link} class="button primary" href="/spot/new">New spot<//>
      </div>
    </div>
    ${message && html`<p class=${message.bad ? "error" : "quiet-text"} role="status">${message.text} <button type="button" class="quiet" onClick=${() => setMessage(null)}>✕</button></p>`}
    <${ActiveJobs} jobs=${jobs} />
    ${BOARD.test(search) && data.files.some((file) => file.kind === "batch") && html`<${Lazy} load=${() => import("./library-boards.js")} board=${search} />`}
    ${data.files.length === 0 ? html`<${Empty} onAdd=${() => chooser.current.click()} />`
      : html`<div class="panel flush library-list" role="list">
          ${words.length ? shown.map((file) => html`<${File} key=${file.id} file=${file} title=${file.name} acts=${acts} picked=${picked.includes(file.id)} />`)
            : html`<${Folder} files=${shown} acts=${acts} picked=${picked} />`}
          ${shown.length === 0 && html`<p class="nothing">${words.length ? "Nothing fits the search." : NOTHING[kind]}</p>`}
        </div>`}
    ${data.cut && html`<p class="small quiet-text">There is more below this folder than is shown: serve a smaller one.</p>`}
    ${solving && html`<${SolveDialog} file=${solving} onClose=${() => setSolving(null)} />`}
  </div>`;
}

function folderOf(file) {
  return file.name.split("/").slice(0, -1).join("/");
}

/** All folders that hold files, and those that hold these. */
function foldersOf(files) {
  const found = new Set();
  for (const file of files) for (let name = folderOf(file); name; name = name.split("/").slice(0, -1).join("/")) found.add(name);
  return [...found].sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
}

function stem(file) {
  return file.name.split("/").at(-1).replace(/\.(toml|safetensors|txt|csv|tsv|phh|phhs|xml)$/, "");
}

/** Whether this tab holds changes of a spot that were not saved. */
function hasDraft(file) {
  try {
    return file.kind === "spot" && sessionStorage.getItem(`pokerlab-draft-${file.id}`) !== null;
  } catch {
    return false;
  }
}

/** Move the focus between the files. */
function step(by) {
  const links = [...document.querySelectorAll(".library-file .name a")];
  const place = links.findIndex((link) => link.closest(".library-file").contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, place + by))]?.focus();
}

/** Solves; they are asked for again while one waits or runs, and the files once one has ended. */
function useJobs(reload) {
  const [jobs, setJobs] = useState([]);
  useEffect(() => {
    let gone = false;
    let timer = null;
    let active = -1;
    const look = async () => {
      try {
        const found = (await get("/api/jobs")).jobs;
        if (gone) return;
        const now = found.filter((job) => !job.ended).length;
        if (active > now) reload();
        active = now;
        setJobs(found);
      } catch {
        // The banner says it.
      }
      if (!gone && active !== 0) timer = setTimeout(look, LOOK_AGAIN);
    };
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  return jobs;
}

function ActiveJobs({ jobs }) {
  const shown = jobs.filter((job) => !job.ended || job.status === "paused" || job.status === "interrupted" || job.status === "failed");
  if (!shown.length) return null;
  return html`<div class="library-jobs">${shown.map((job) => html`
    <${Link} key=${job.id} class="panel library-job" href=${job.kind === "batch" ? `/batch/${job.batch}` : job.address ?? `/job/${job.id}`}>
      <b>${job.name}</b><${Badge} job=${job} /><span class="quiet-text small">${job.phase}</span>
      ${job.reached_text && html`<span class="small">ε ${job.reached_text}</span>`}
      ${job.kind === "batch" && job.total && html`<span class="small">${job.done ?? 0} of ${job.total} boards</span>`}
      ${job.left_text && html`<span class="small quiet-text">${job.left_text}${job.left === null ? "" : " left"}</span>`}
      ${job.error && html`<span class="error small">${job.error}</span>`}
    <//>`)}</div>`;
}

export function Badge({ job }) {
  const look = { running: "good", done: "good", failed: "bad", interrupted: "warn", paused: "warn" }[job.status] ?? "";
  return html`<span class=${`badge ${look}`}>${job.status}</span>`;
}

/** The files of a folder: first the folders in it, which can be closed, then its own. */
function Folder({ files, path = "", acts, picked }) {
  const [closed, setClosed] = usePreference("libraryClosed", []);
  const inside = new Map();
  const own = [];
  for (const file of files) {
    const [first, ...rest] = file.name.slice(path.length).split("/");
    if (!rest.length) own.push(file);
    else if (inside.has(first)) inside.get(first).push(file);
    else inside.set(first, [file]);
  }
  const names = [...inside.keys()].sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
  return html`${names.map((name) => {
      const below = `${path}${name}/`;
      const open = !closed.includes(below);
      const turn = () => setClosed(open ? [...closed, below].slice(-MOST_CLOSED) : closed.filter((each) => each !== below));
      return html`<div key=${below} role="listitem" class="library-folder" data-folder=${below}>
        <button type="button" class="quiet" aria-expanded=${open} onClick=${turn}><span aria-hidden="true">${open ? "▾" : "▸"}</span> ${name} <span class="quiet-text small">${inside.get(name).length}</span></button>
        ${open && html`<div role="list" aria-label=${below}><${Folder} files=${inside.get(name)} path=${below} acts=${acts} picked=${picked} /></div>`}
      </div>`;
    })}
    ${own.map((file) => html`<${File} key=${file.id} file=${file} title=${file.name.slice(path.length)} acts=${acts} picked=${picked.includes(file.id)} />`)}`;
}

function File({ file, title, acts, picked }) {
  const units = useUnits(file);
  const missing = file.missing ?? [];
  const address = ADDRESSES[file.kind] && !(file.error && file.kind !== "spot") ? ADDRESSES[file.kind] + file.id : null;
  return html`<div role="listitem" class=${`library-file${picked ? " picked" : ""}${["range", "model"].includes(file.kind) || (file.error && file.kind !== "spot") ? " library-plain" : ""}`} data-kind=${file.kind} data-name=${file.name}>
    <div class="ranges">${file.ranges?.map((levels, seat) => html`<${Miniature} key=${seat} levels=${levels} label=${file.ranges.length === 1 ? "range" : seat ? "range in position" : "range out of position"} />`)}</div>
    <div class="board-cell">${file.board ? html`<${Board} board=${file.board} />` : file.kind === "batch" && file.boards !== undefined ? html`<span class="small">${file.done} of ${file.boards} boards</span>` : null}</div>
    <div class="name">
      ${address ? html`<${Link} href=${address}>${title}<//>` : html`<b>${title}</b>`}
      <div class="about">
        <span class="badge">${file.kind}</span>
        ${file.pot !== undefined && file.pot !== null && html`<span>pot ${units.amount(file.pot)} · stack ${[file.stack].flat().map(units.amount).join(", ")}</span>`}
        ${file.payouts?.length > 0 && html`<span class="badge" title=${`Payouts ${file.payouts.join(", ")}`}>prizes</span>`}
        ${file.locks?.length > 0 && html`<span class="badge warn" title=${lockTitle(file)}>${file.locks.length} locked</span>`}
        ${file.partial && html`<span class="badge" title="Rivers are solved again when they are shown">without rivers</span>`}
        ${file.kind === "chart" && !file.error && html`<span>before the flop, ${[file.stack].flat().join(", ")} big blinds</span>`}
        ${file.game && html`<span>${file.game}</span>`}
        ${file.kind === "model" && file.player !== undefined && html`<span title="Lock their play on the tab Lock of Study">${file.player}, ${file.hands.toLocaleString("en")} hands, ${file.decisions.toLocaleString("en")} decisions after the flop</span>`}
        ${file.site && html`<span>${file.site}</span>`}
        ${file.groups && html`<span class="badge">groups ${file.groups}</span>`}
        ${hasDraft(file) && html`<span class="badge warn" title="Changes in the Editor that are not saved yet">draft</span>`}
        ${missing.length > 0 && html`<span class="badge warn">without ${missing.join(", ")}</span>`}
        ${file.error && html`<span class="error">${file.error}</span>`}
      </div>
    </div>
    <div class="reached number">${file.reached && html`<span title=${`exploitability, in ${file.kind === "strategy" ? "mbb a hand, as it was trained" : file.kind === "chart" ? "thousandths of a big blind" : units.unit === "bb" ? "thousandths of a big blind" : units.unit === "prizes" ? "% of the prizes" : "% of the pot"}`}>ε ${file.exploitability && units.unit !== "chips" && units.unit !== "pot" ? units.gap(file.exploitability.chips).replace(" of the prizes", "") : file.reached}</span>`}</div>
    <div class="size number">${file.size}</div>
    <div class="date"><time datetime=${new Date(1000 * file.modified).toISOString()}>${dateText(file.modified)}</time></div>
    <div class="actions">
      ${file.kind === "spot" && !file.error && !missing.length && html`<button type="button" onClick=${() => acts.solve(file)}>Solve</button>`}
      ${file.kind === "spot" && html`<${Link} class="button" href=${address}>Edit<//>`}
      ${file.kind === "solution" && !file.error && html`<label class="check small" title="Choose two to compare them"><input type="checkbox" checked=${picked} onChange=${() => acts.pick(file)} /><span aria-hidden="true">Compare</span><span class="visually-hidden">Compare ${file.name}</span></label>
        <${Link} class="button" href=${address}>Study<//><${Link} class="button" href=${`/train/${file.id}`}>Train<//>`}
      ${file.kind === "chart" && address && html`<${Link} class="button" href=${address}>Open<//>`}
      ${file.kind === "strategy" && address && html`<${Link} class="button" href=${address}>Open<//>`}
      ${file.kind === "history" && address && html`<${Link} class="button" href=${address}>Hands<//>`}
      ${file.kind === "batch" && address && html`<${Link} class="button" href=${address}>Open<//><${Link} class="button" href=${`/train/${file.id}`}>Train<//>`}
      <${Menu} label=${`More for ${file.name}`}>
        ${["spot", "solution"].includes(file.kind) && !file.error && missing.every((field) => field === "board") && html`<button type="button" onClick=${() => go(`/batch/new?spot=${file.id}`)}>On many boards…</button>`}
        <button type="button" onClick=${() => acts.rename(file)}>Rename</button>
        <button type="button" onClick=${() => acts.move(file)}>Move</button>
        <button type="button" onClick=${() => acts.duplicate(file)}>Duplicate</button>
        <button type="button" class="danger" onClick=${() => acts.remove(file)}>Delete</button>
      <//>
    </div>
  </div>`;
}

/** Who is locked, and at which lines; of many the first. */
function lockTitle(file) {
  const lines = file.locks.slice(0, 6).map((line) => line || "first decision").join(", ");
  return `${file.locked ? `${file.locked}: ` : ""}${lines}${file.locks.length > 6 ? " …" : ""}`;
}

/** A menu that closes when something is chosen, or when the focus leaves it. */
function Menu({ label, children }) {
  const element = useRef();
  const close = () => element.current?.removeAttribute("open");
  const leave = (event) => element.current?.contains(event.relatedTarget) || close();
  return html`<details class="file-menu" ref=${element} onFocusOut=${leave} onKeyDown=${(event) => event.key === "Escape" && close()}>
    <summary aria-label=${label} title="More">⋯</summary><div onClick=${close}>${children}</div></details>`;
}

function dateText(seconds) {
  const date = new Date(1000 * seconds);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}

function Empty({ onAdd }) {
  return html`<div class="panel library-empty">
    <h2>Nothing here yet</h2>
    <p>A spot is a board, two ranges, a pot and the sizes that may be bet. Make one, and solve it; or drop in a spot (TOML), a solution, a range as text or from PioSOLVER, or hand histories of poker sites and PHH.</p>
    <div class="buttons"><${Link} class="button primary" href="/spot/new">New spot<//><button type="button" onClick=${onAdd}>Add files</button></div>
  </div>`;
}

/** How exactly, how, and where to: then it is in the queue. */
function SolveDialog({ file, onClose }) {
  const [form, setForm] = useState({ target: targetOf(file.id), precision: "32", name: stem(file) });
  const [error, setError] = useState(null);
  const set = (name) => (event) => setForm({ ...form, [name]: event.target.value });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const { id } = await post("/api/jobs", { spot: file.id, target: form.target.trim(), precision: Number(form.precision), name: form.name.trim() });
      keepTarget(file.id, form.target.trim());
      onClose();
      go(`/job/${id}`);
    } catch (problem) {
      setError(problem);
    }
  };
  const fault = (name) => error?.field === name && html`<span class="error" role="alert">${error.message}</span>`;
  return html`<${Dialog} title=${`Solve ${file.name}`} onClose=${onClose}>
    <form class="stack" onSubmit=${submit}>
      <label class="field"><span>Stop at an exploitability of (% of the pot, or chips)</span>
        <input name="target" value=${form.target} autofocus aria-invalid=${error?.field === "target"} onInput=${set("target")} />${fault("target")}</label>
      <label class="field"><span>Numbers</span>
        <select name="precision" value=${form.precision} onChange=${set("precision")}><option value="32">32 bits</option><option value="16">16 bits: half the memory</option></select></label>
      <label class="field"><span>Name of the solution</span>
        <input name="name" value=${form.name} aria-invalid=${error?.field === "name"} onInput=${set("name")} />${fault("name")}</label>
      ${error && !["target", "name"].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
      <div class="buttons end"><button type="button" onClick=${onClose}>Cancel</button><button class="primary">Solve</button></div>
    </form>
  <//>`;
}
