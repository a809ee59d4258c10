// The Editor: ranges, board, chips, menus and tree of a spot, and what its solve takes.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, post } from "../parts/api.js";
import { Board, CardPicker, splitCards } from "../parts/cards.js";
import { confirmed, prompted } from "../parts/dialog.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { Link, go } from "../parts/navigation.js";
import { preference, setPreference } from "../parts/preferences.js";
import { RangePainter } from "../parts/range-painter.js";
import { keepTarget, targetOf } from "../parts/targets.js";
import { Cost } from "./editor-cost.js";
import { PRIZES, inUnit, toFields, toForm } from "./editor-form.js";
import { Menus } from "./editor-menus.js";
import { TreeEditor } from "./editor-tree.js";
import { Prizes } from "./editor/prizes.js";

const OPTIONS = { precision: 32, device: "auto", groups: "" };

export default function Editor({ params, query }) {
  const [file, setFile] = useState(null);
  const [problem, setProblem] = useState(null);
  // A new spot may begin as a line of a chart before the flop, or as a hand that was played.
  const { chart, line = "", flop = "", history, hand, ranges } = params.id === "new" ? query : {};
  const source = chart ? `/api/charts/${encodeURIComponent(chart)}/spot?${new URLSearchParams({ line, flop })}`
    : `/api/spots/${params.id}${history ? `?${new URLSearchParams({ history, hand, ...(ranges ? { ranges } : {}) })}` : ""}`;
  useEffect(() => {
    let gone = false;
    get(source).then((answer) => gone || setFile(answer), (error) => gone || setProblem(error.message));
    return () => { gone = true; };
  }, [source]);
  if (problem) return html`<section class="narrow"><h1>This spot cannot be opened</h1><p class="error">${problem}</p><p><${Link} href="/">To the Library<//></p></section>`;
  if (!file) return html`<p class="nothing">…</p>`;
  return html`<${Form} file=${file} query=${query} key=${file.id ?? file.version} />`;
}

/** The bits, the device and the groups that were used last, and the target of this spot. */
function keptOptions(id) {
  const kept = preference("solve", {});
  const known = Object.entries(OPTIONS).map(([name, otherwise]) => [name, kept[name] ?? otherwise]);
  return { target: targetOf(id), ...Object.fromEntries(known) };
}

function draftName(file) {
  return `pokerlab-draft-${file.id ?? file.version ?? "new"}`;
}

function readDraft(file) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(draftName(file)) ?? "null");
    return draft && draft.version === file.version ? draft : {};
  } catch {
    return {};
  }
}

function Form({ file, query }) {
  const saved = useMemo(() => toForm(file.fields), [file]);
  const [form, setForm] = useState(() => readDraft(file).form ?? saved);
  const [version, setVersion] = useState(file.version);
  const [kept, setKept] = useState(saved);
  const [options, choose] = useState(() => keptOptions(file.id));
  const [opened, setOpened] = useState(new Set());
  const [problem, setProblem] = useState("");
  const [conflict, setConflict] = useState("");
  const [solving, setSolving] = useState(false);
  const [stories, setStories] = useState([]);
  const past = useRef(null);
  past.current ??= { forms: readDraft(file).past ?? [], at: 0 };
  const set = (changes, step = false) => setForm((before) => {
    // What is typed in one go is one step back.
    if (step || Date.now() - past.current.at > 500) past.current.forms = [...past.current.forms.slice(-49), before];
    past.current.at = Date.now();
    return { ...before, ...(typeof changes === "function" ? changes(before) : changes) };
  });
  const undo = () => {
    const before = past.current.forms.pop();
    past.current.at = 0;
    if (before) setForm(before);
  };
  const setOptions = (next) => {
    choose(next);
    const { target, ...others } = next;
    setPreference("solve", others);
    keepTarget(file.id, target);
  };
  const fields = useMemo(() => toFields(form), [form]);
  const changed = JSON.stringify(form) !== JSON.stringify(kept);
  const cards = splitCards(form.board);

  useEffect(() => {
    get("/api/ranges").then((answer) => setStories(answer.stories), () => {});
  }, []);
  useEffect(() => {
    try {
      if (changed) sessionStorage.setItem(draftName(file), JSON.stringify({ version, form, past: past.current.forms.slice(-20) }));
      else sessionStorage.removeItem(draftName(file));
    } catch {
      // Without room for drafts the form lives as long as the page.
    }
  }, [form, changed]);

  const body = useMemo(() => ({ spot: fields, id: file.id ?? undefined, ...options, open: [...opened] }), [fields, options, opened]);
  const [checked, stale] = useAnswers("/api/spots/check", body, 60);
  const good = checked && !stale && !Object.keys(checked.errors).length;
  const fits = checked?.spot?.cost.memory.find((each) => each.bits === options.precision)?.fits;
  const [weighed, old] = useAnswers("/api/spots/weigh", good ? body : null, 350);
  const [fitted, unfitted] = useAnswers("/api/spots/fit", good && (options.groups || !fits) ? body : null, 350);
  const errors = checked?.errors ?? {};
  const last = useRef(null);
  if (checked?.spot) last.current = checked;
  const shown = checked?.spot ? checked : last.current;
  const grey = Boolean(checked) && !checked.spot;

  const store = async (address, name, replace) => {
    const answer = await post(address, { spot: fields, id: file.id ?? undefined, version: version ?? undefined, name, replace });
    sessionStorage.removeItem(draftName(file));
    setKept(form);
    setVersion(answer.version);
    setConflict("");
    return answer;
  };
  const saveAs = () => prompted("Save this spot", "Name", file.id ? `${file.name} 2` : file.name || suggestion(shown), async (name) => {
    try {
      return await store("/api/spots", name, false);
    } catch (error) {
      if (!/already/.test(error.message) || !(await confirmed("Replace it?", error.message, { action: "Replace" }))) throw error;
      return store("/api/spots", name, true);
    }
  }).then((answer) => answer && go(`/spot/${answer.id}`));
  const save = async () => {
    if (!file.id) return saveAs();
    try {
      await store(`/api/spots/${file.id}`, file.name, false);
    } catch (error) {
      setConflict(error.message);
    }
    return undefined;
  };
  const reload = async () => {
    if (!(await confirmed("Open it as it is now?", "What was changed here since is lost.", { action: "Open" }))) return;
    sessionStorage.removeItem(draftName(file));
    location.reload();
  };
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([checked.spot.toml], { type: "application/toml" }));
    link.download = `${file.name || suggestion(shown)}.toml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const solve = async () => {
    setSolving(true);
    setProblem("");
    try {
      const job = await post("/api/jobs", { spot: file.id && !changed ? file.id : checked.spot.question, name: file.name || suggestion(checked), ...options, groups: options.groups || null });
      go(`/job/${job.id}`);
    } catch (error) {
      setProblem(error.message);
      setSolving(false);
    }
  };
  const cut = (way) => set({ [way.kind]: { ...form[way.kind], [way.street]: way.menus } });
  const pick = (card) => {
    const next = cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card].slice(0, 5);
    set({ board: next.join("") });
  };
  const focus = (selector) => () => document.querySelector(selector)?.focus();
  useKeys({
    b: [focus("#board"), "Board"],
    o: [focus('[aria-label="Out of position: painter"] [tabindex="0"]'), "Range out of position"],
    i: [focus('[aria-label="In position: painter"] [tabindex="0"]'), "Range in position"],
    m: [focus("#menus input"), "Bet menus"],
    t: [focus("#tree button:not(:disabled)"), "Betting tree"],
    "Ctrl+z": [undo, "Undo"],
    "Ctrl+s": [() => void save(), "Save"],
    "Ctrl+Enter": [() => document.getElementById("solve").click(), "Solve"],
  });
  // Inside a text field too.
  useEffect(() => {
    const listener = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (event.key === "s") save();
      else if (event.key === "Enter") document.getElementById("solve").click();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listener, true);
    return () => removeEventListener("keydown", listener, true);
  });
  const spot = shown?.spot;
  const common = { form, errors, set };
  return html`<div class="page-head editor-head">
      <h1>${file.name || "New spot"}</h1>
      ${spot && html`<${Board} board=${spot.board} small />`}
      ${changed && html`<span class="badge warn">not saved</span>`}
      ${query.chart && !file.id && html`<${Link} class="small" href=${`/preflop?${new URLSearchParams({ chart: query.chart, line: query.line ?? "", flop: query.flop ?? "" })}`}>from the chart, ${query.line}<//>`}
      <span class="space" />
      <div class="buttons">
        <button type="button" class="quiet" disabled=${!past.current.forms.length} onClick=${undo} title="Ctrl+Z">Undo</button>
        ${changed && html`<button type="button" class="quiet" onClick=${() => { set(kept); setConflict(""); }}>Discard</button>`}
        <button type="button" disabled=${!good} onClick=${download} title="Save the spot as a TOML file in your downloads">Download</button>
        <button type="button" disabled=${!good} onClick=${saveAs}>Save as…</button>
        <button type="button" disabled=${!good || (!changed && Boolean(file.id))} onClick=${save} title="Ctrl+S">Save</button>
      </div>
      ${conflict && html`<p class="error small save-problem" role="alert">${conflict}
        ${file.id && html` <button type="button" class="quiet tiny-button" onClick=${reload}>Open it as it is now</button>`}</p>`}
    </div>
    <div class="editor">
      <div class="editor-main">
        <${ReadySpot} set=${set} begin=${!file.id && !query.chart && !changed} />
        <${Situation} ...${common} cards=${cards} pick=${pick} spot=${spot} stories=${stories} />
        <${Prizes} ...${common} prizes=${spot?.prizes ?? null} stale=${grey} />
        <div class="painters">
          ${[["oop", "Out of position"], ["ip", "In position"]].map(([name, label]) => html`<${RangePainter} key=${name} id=${`range-${name}`} label=${label}
            text=${form.told ? (spot?.[name] ?? "") : form[name]} data=${checked?.ranges[name] ?? null} fresh=${!stale} error=${errors[name]} board=${form.board}
            told=${form.told ? "by the story" : null} onChange=${(text, stroke) => set({ [name]: text }, stroke)} />`)}
        </div>
        <${Menus} ...${common} cards=${cards} checked=${shown} />
        <${Rules} ...${common} spot=${spot} />
        <${TreeEditor} ...${common} tree=${spot?.tree} stale=${grey} opened=${opened} setOpened=${setOpened} />
      </div>
      <${Cost} sizes=${html`<${SizesQuestion} file=${file} name=${file.name || suggestion(shown)} spot=${spot} good=${good} task=${query.sizes} set=${set} form=${form} />`} checked=${shown} stale=${grey} cuts=${good && !old ? weighed.cuts : null} fitted=${good && !unfitted ? fitted : null} errors=${errors} options=${options} setOptions=${setOptions} cut=${cut} solve=${solve} solving=${solving} problem=${problem} />
    </div>`;
}

/** Ranges, chips and sizes in three choices; open where a spot is begun. */
function ReadySpot({ set, begin }) {
  const [open, setOpen] = useState(begin);
  return html`<details class="panel ready-spot" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Spot in three choices, ranges from solutions</summary>
    ${open && html`<${Lazy} load=${() => import("./editor/ready.js")} sheet="/static/pages/editor/ready.css" set=${set} />`}</details>`;
}

/** Few bet sizes; the module is loaded when this is opened. */
function SizesQuestion(props) {
  const [open, setOpen] = useState(Boolean(props.task));
  if (!props.spot) return null;
  return html`<details class="sizes-question" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Few bet sizes</summary>
    ${open && html`<${Lazy} load=${() => import("./editor/sizes.js")} sheet="/static/pages/editor/sizes.css" ...${props} />`}</details>`;
}

function suggestion(checked) {
  return checked?.spot ? checked.spot.board : "spot";
}

/**
 * What the server answers to `body`, some milliseconds after its last change: `[answer, stale]`.
 * One request is under way at a time, and only the newest body is asked next.
 */
function useAnswers(address, body, wait) {
  const [state, setState] = useState({ answer: null, of: null });
  const newest = useRef(body);
  const busy = useRef(false);
  const there = useRef(true);
  newest.current = body;
  useEffect(() => () => { there.current = false; }, []);
  const ask = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      while (there.current && newest.current) {
        const asked = newest.current;
        const answer = await post(address, asked);
        if (!there.current) return;
        if (newest.current === asked) {
          setState({ answer, of: asked });
          return;
        }
      }
    } catch (error) {
      if (there.current && error.status) setState({ answer: { errors: { [error.field ?? "spot"]: error.message }, ranges: {}, spot: null }, of: newest.current });
    } finally {
      busy.current = false;
    }
  };
  useEffect(() => {
    if (!body) return undefined;
    const timer = setTimeout(ask, wait);
    return () => clearTimeout(timer);
  }, [body]);
  useEffect(() => {
    addEventListener("pokerlab-back", ask);
    return () => removeEventListener("pokerlab-back", ask);
  }, []);
  return [state.answer, state.of !== body];
}

export function Text({ label, name, form, errors, set, help, placeholder, ...rest }) {
  const error = errors[name];
  return html`<label class="field"><span title=${help}>${label}</span>
    <input id=${name} value=${form[name]} placeholder=${placeholder} title=${help} spellcheck=${false} autocomplete="off" aria-invalid=${Boolean(error)} aria-describedby=${`${name}-error`}
      onInput=${(event) => set({ [name]: event.target.value })} ...${rest} />
    ${error && html`<span class="error" id=${`${name}-error`} role="alert">${error}</span>`}</label>`;
}

/** The board, and who has how many chips, by hand or told. */
function Situation({ form, errors, set, cards, pick, spot, stories }) {
  const common = { form, errors, set };
  const known = stories.find((each) => each.file === form.ranges);
  return html`<section class="panel situation" aria-label="Board and chips">
    <div class="board-side">
      <div class="row spread"><h2>Board</h2><span class="buttons">
        <button type="button" class="quiet tiny-button" onClick=${() => set({ board: randomFlop() })}>Random flop</button>
        <button type="button" class="quiet tiny-button" disabled=${!form.board} onClick=${() => set({ board: "" })}>Clear</button></span></div>
      <${Text} ...${common} label="Cards" name="board" placeholder="Td9d6h" />
      <${CardPicker} chosen=${cards} dead=${[]} onPick=${pick} label="Cards of the board" />
    </div>
    <div class="chips-side">
      <div class="row spread"><h2>Chips</h2>
        <div class="segments" role="group" aria-label="Where the chips come from">
          <button type="button" aria-pressed=${!form.told} onClick=${() => set({ told: false, ...(form.told && spot ? fromStory(form, spot) : {}) })}>By hand</button>
          <button type="button" aria-pressed=${form.told} onClick=${() => form.told || set({ told: true, instead: {}, ranges: form.ranges || stories[0]?.file || "" })}>Pre-flop story</button>
        </div></div>
      ${form.told ? html`
        <${Text} ...${common} label="What happened before the flop" name="preflop" placeholder="BTN raise 2.5, BB call" list="stories" />
        <datalist id="stories">${known?.stories.map((story) => html`<option value=${story} />`)}</datalist>
        <${Text} ...${common} label="Ranges: 200bb (charts of two players), six-max, or a file by position and action (.toml)" name="ranges" placeholder="100bb" list="story-files" />
        ${stories.length === 0 && html`<p class="small quiet-text">Without an answer here, the charts of two players with 100 big blinds are used. six-max is for six players with 100 big blinds.</p>`}
        <datalist id="story-files"><option value="100bb" /><option value="six-max" />${stories.map((each) => html`<option value=${each.file} />`)}</datalist>
        ${Object.keys(form.instead).length > 0 && html`<p class="small">The file itself says: ${Object.entries(form.instead).map(([name, value]) => `${name} ${value}`).join(", ")}
          <button type="button" class="quiet tiny-button" onClick=${() => set({ instead: {} })}>Let the story say it</button></p>`}
        ${spot && !errors.preflop && !errors.ranges && html`<p class="small quiet-text">Pot ${spot.pot}, ${[...new Set(spot.stacks)].join(" and ")} behind, ${spot.aggressor ? `${spot.aggressor.toUpperCase()} raised last` : "nobody raised"}.</p>`}`
      : html`<div class="chip-fields">
          <${Text} ...${common} label=${form.unit === "bb" ? "Pot, big blinds" : "Pot, chips"} name="pot" inputmode="decimal" />
          <${Text} ...${common} label="Behind" name="stack" placeholder="900 or 900, 1200" help="One number for both, or two: OOP, IP" />
          <label class="field"><span>Unit</span><select value=${form.unit} onChange=${(event) => set(inUnit(form, event.target.value))}>
            <option value="chips">chips</option><option value="bb">big blinds</option></select></label>
          <${Text} ...${common} label="Big blind, chips" name="big_blind" placeholder="none" />
          <label class="field"><span title="After it a first bet of OOP is a donk bet">Raised last</span><select value=${form.aggressor} aria-invalid=${Boolean(errors.aggressor)} onChange=${(event) => set({ aggressor: event.target.value })}>
            <option value="">nobody</option><option value="oop">OOP</option><option value="ip">IP</option></select></label>
        </div>
        ${errors.aggressor && html`<p class="error small">${errors.aggressor}</p>`}`}
      ${spot && html`<p class="small quiet-text chips-said">${spot.chips_text}</p>`}
    </div>
  </section>`;
}

/** The ranges and chips that a story gave, to be changed by hand. */
function fromStory(form, spot) {
  const chips = { pot: String(spot.pot), stack: [...new Set(spot.stacks)].join(", "), unit: "chips" };
  return { ...chips, oop: spot.oop, ip: spot.ip, aggressor: spot.aggressor ?? "" };
}

function randomFlop() {
  const deck = [..."AKQJT98765432"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
  const dealt = [];
  while (dealt.length < 3) dealt.push(...deck.splice(Math.floor(Math.random() * deck.length), 1));
  return dealt.join("");
}

const RULES = [
  ["max_bets", "Bets a street", "no cap", "After this number of bets and raises on a street only all-in is left"],
  ["add_allin", "Add all-in up to", "never", "All-in is added to the bet sizes if it is at most this multiple of the pot"],
  ["force_allin", "Force all-in at", "never", "A size becomes all-in if at most this part of the pot would be left behind"],
  ["merge", "Merge closer than", "never", "Sizes closer than this become one"],
  ["rake", "Rake", "0", "The part of the pot that the house takes, for example 0.05"],
  ["rake_cap", "Rake cap", "no cap", "At most this number of chips, or of big blinds, for example 3bb"],
  ["runouts", "Run-outs of a flop", "all", "Solve some turns and rivers after each in place of all, for example 12x10"],
  ["smallest_chip", "Smallest chip", "by itself", "What sizes are rounded to: 1, 0.1, 0.01 or 0.001"],
];

function Rules({ form, errors, set, spot }) {
  const locks = Object.keys(form.locks ?? {});
  return html`<section class="panel" aria-label="Rules of sizes"><h2>Limits and rake</h2>
    <div class="rule-fields">${RULES.map(([name, label, placeholder, help]) => html`<${Text} key=${name} ...${{ form, errors, set, name, label, placeholder, help }} />`)}</div>
    ${locks.length > 0 && html`<p class="small">Locked: ${locks.map((line) => html`<code key=${line}>${line || "first decision"}</code> `)}
      <button type="button" class="quiet tiny-button" onClick=${() => set({ locks: undefined })}>Unlock all</button></p>`}
    ${Object.entries(errors).filter(([name]) => name === "locks" || name.startsWith("locks.") || !KNOWN.has(name.split(".")[0])).map(([name, text]) => html`<p class="error small" key=${name} role="alert">${name}: ${text}
      ${name in form.unknown && html` <button type="button" class="quiet tiny-button" onClick=${() => set({ unknown: Object.fromEntries(Object.entries(form.unknown).filter(([each]) => each !== name)) })}>Remove</button>`}</p>`)}
  </section>`;
}

const KNOWN = new Set([...PRIZES, "progressive", "board", "oop", "ip", "pot", "stack", "bet", "raise", "donk", "aggressor", "preflop", "ranges", "big_blind", "added", "removed", "target", "precision", "device", "groups", "spot", ...RULES.map(([name]) => name)]);
