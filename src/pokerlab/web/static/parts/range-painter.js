// A range that is painted: 13 × 13 classes, the suits of one class, a weight, a text, and saved ranges.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, post } from "./api.js";
import { HandText, RANKS, SUITS, splitCards } from "./cards.js";
import { Dialog, confirmed, prompted } from "./dialog.js";
import { CLASSES, Miniature, Zoomable } from "./matrix.js";

const CODE_RANKS = "23456789TJQKA";
const CODE_SUITS = "cdhs";

function code(card) {
  return 4 * CODE_RANKS.indexOf(card[0]) + CODE_SUITS.indexOf(card[1]);
}

/** The number of a combo among 1,326, as Python counts them. */
export function comboNumber(first, second) {
  const high = Math.max(code(first), code(second)), low = Math.min(code(first), code(second));
  return (high * (high - 1)) / 2 + low;
}

/** The combos of a class: `{name, number}`, spades first. */
function combosOf(name) {
  const [high, low, kind] = name;
  const found = [];
  for (const [place, one] of [...SUITS].entries()) {
    for (const [other, two] of [...SUITS].entries()) {
      if (high === low ? other <= place : kind === "s" ? one !== two : one === two) continue;
      found.push({ name: high + one + low + two, number: comboNumber(high + one, low + two) });
    }
  }
  return found;
}

const COMBOS = CLASSES.map(combosOf);
const NOTHING = new Array(1326).fill(0);

/** The mean weight of the combos of a class. */
function meanWeight(place, weights) {
  const combos = COMBOS[place];
  return combos.reduce((sum, combo) => sum + weights[combo.number], 0) / combos.length;
}

/**
 * `text` is what stands in the text box, `data` what the server made of it (null where it cannot be
 * read), `fresh` whether that is of the newest text, `error` why it cannot be read. `onChange(text,
 * stroke)` is called for each change, with `stroke` where it was painted. `board` is a text of cards
 * that nobody can hold. `told` says where a range comes from that is not to be changed here.
 */
export function RangePainter({ label, text, data, fresh, error, board = "", onChange, told = null, id }) {
  const [weights, setWeights] = useState(data?.weights ?? NOTHING);
  const [brush, setBrush] = useState(100);
  const [focus, setFocus] = useState(0);
  const [suits, setSuits] = useState(null);
  const [listing, setListing] = useState(false);
  const [pasted, setPasted] = useState(null);
  const stroke = useRef(null);
  const painting = useRef(false); // what was painted is newer than the text
  const painted = useRef(null); // the text that the server made of it
  const latest = useRef(weights);
  const asked = useRef(0);
  const grid = useRef();
  latest.current = weights;

  // What the server says is shown, unless something was painted since it was asked.
  useEffect(() => {
    if (data && !painting.current) setWeights(data.weights);
  }, [data]);

  const dead = useMemo(() => new Set(splitCards(board)), [board]);
  const change = (changed) => {
    latest.current = changed;
    setWeights(changed);
  };
  const send = async () => {
    const number = ++asked.current;
    try {
      const answer = await post("/api/ranges/check", { weights: latest.current });
      if (number !== asked.current) return;
      painted.current = answer.text;
      painting.current = false;
      onChange(answer.text, true);
    } catch {
      // A lost server has its banner; the painted weights stay.
    }
  };
  const paint = (place, weight) => {
    const changed = [...latest.current];
    for (const combo of COMBOS[place]) changed[combo.number] = weight;
    painting.current = true;
    change(changed);
  };
  // A stroke goes on from what stands in the text box, also when that was typed just now.
  const ready = async () => {
    if (fresh || painting.current || text === painted.current) return;
    try {
      change((await post("/api/ranges/check", { text })).weights);
    } catch {
      // What cannot be read is painted over.
    }
  };
  const paintOne = async (place, weight) => {
    if (told) return;
    await ready();
    paint(place, weight());
    send();
  };
  const toggled = (place) => (Math.abs(meanWeight(place, latest.current) - brush / 100) < 1e-6 ? 0 : brush / 100);

  const apply = async (own) => {
    own.waits = false;
    await ready();
    own.weight = toggled(own.places[0]);
    for (const each of own.places) paint(each, own.weight);
    if (own.over) send();
  };
  const begin = (event) => {
    if (told || event.button) return;
    const cell = event.target.closest("[data-place]");
    if (!cell) return;
    const place = Number(cell.dataset.place);
    // A finger may be about to scroll: that shows when it moves or leaves.
    stroke.current = { places: [place], weight: null, over: false, waits: event.pointerType === "touch" };
    setFocus(place);
    if (suits !== null) setSuits(place);
    if (!stroke.current.waits) apply(stroke.current);
  };
  const follow = (event) => {
    const own = stroke.current;
    if (!own) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-place]");
    if (!cell || !grid.current.contains(cell)) return;
    const place = Number(cell.dataset.place);
    if (own.places.includes(place)) return;
    own.places.push(place);
    if (own.waits) apply(own);
    else if (own.weight !== null) paint(place, own.weight);
  };
  useEffect(() => {
    const end = (event) => {
      const own = stroke.current;
      if (!own) return;
      stroke.current = null;
      own.over = true;
      if (own.waits && event.type === "pointerup") apply(own);
      else if (own.weight !== null) send();
    };
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  });
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    if (step) {
      const side = Math.abs(step) === 1 && Math.floor((focus + step) / 13) !== Math.floor(focus / 13);
      const place = focus + step;
      if (!side && place >= 0 && place < 169) {
        setFocus(place);
        if (suits !== null) setSuits(place);
        grid.current.querySelector(`[data-place="${place}"]`).focus();
        if (event.shiftKey) paintOne(place, () => brush / 100);
      }
    } else if (event.key === "Enter" || event.key === " ") paintOne(focus, () => toggled(focus));
    else if (/^[0-9]$/.test(event.key)) paintOne(focus, () => Number(event.key) / 10);
    else if (event.key === "Delete" || event.key === "Backspace") paintOne(focus, () => 0);
    else if (event.key === "s") setSuits(suits === null ? focus : null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const setAll = (weight) => {
    painting.current = true;
    change(new Array(1326).fill(weight));
    send();
  };
  const type = (typed) => {
    asked.current += 1; // an answer to what was painted before comes too late
    painting.current = false;
    setPasted(null);
    onChange(typed);
  };
  // What another program wrote is read as it is; the note says how it was understood.
  const paste = (event) => {
    const own = event.clipboardData?.getData("text") ?? "";
    if (own.trim()) setTimeout(() => post("/api/ranges/check", { text: own }).then(setPasted, () => {}));
  };
  const best = (percent) => type(`top ${percent}%${brush < 100 ? `:${brush / 100}` : ""}`);
  const save = async () => {
    const store = (name, replace) => post("/api/ranges", { name, text: data.text, replace });
    await prompted("Save this range", "Name", "", async (name) => {
      try {
        return await store(name, false);
      } catch (problem) {
        if (!/already/.test(problem.message) || !(await confirmed("Replace it?", problem.message, { action: "Replace" }))) throw problem;
        return store(name, true);
      }
    });
  };
  const errorId = `${id}-error`;
  return html`<section class="panel painter" aria-label=${label}>
    <header class="painter-head">
      <h2>${label}</h2>
      <span class="quiet-text small painter-count">${data ? `${round(data.combos)} combos, ${(100 * data.share).toFixed(1)}%` : "–"}</span>
      <span class="space" />
      ${told ? html`<span class="badge">${told}</span>` : html`
        <button type="button" class="quiet tiny-button" onClick=${() => setListing(true)}>Saved…</button>
        <button type="button" class="quiet tiny-button" disabled=${!data?.combos} onClick=${save}>Keep</button>`}
    </header>
    <${Zoomable} label=${label}><div class="matrix paint" role="grid" aria-label=${`${label}: painter`} ref=${grid} onPointerDown=${begin} onPointerMove=${follow} onKeyDown=${keys}>
      ${[...RANKS].map((_, row) => html`<div role="row" class="matrix-row" key=${row}>
        ${[...RANKS].map((__, column) => {
          const place = 13 * row + column;
          return html`<${Cell} key=${place} place=${place} weights=${weights} dead=${dead} first=${place === focus} chosen=${suits === place} onFocus=${setFocus} />`;
        })}</div>`)}
    </div><//>
    ${!told && html`<div class="painter-tools">
      <label class="brush"><span>Weight</span>
        <input type="range" min="5" max="100" step="5" value=${brush} aria-label=${`${label}: weight of the brush`} onInput=${(event) => setBrush(Number(event.target.value))} />
        <output>${brush}%</output></label>
      <button type="button" class="quiet tiny-button" aria-pressed=${suits !== null} onClick=${() => setSuits(suits === null ? focus : null)}>Suits</button>
      <button type="button" class="quiet tiny-button" onClick=${() => setAll(0)}>None</button>
      <button type="button" class="quiet tiny-button" onClick=${() => setAll(brush / 100)}>All</button>
    </div>
    <label class="brush best-hands" title="The best hands by their equity against a random hand, with the weight of the brush"><span>Top</span>
      <input type="range" min="0" max="100" step="1" value=${topOf(text, data)} aria-label=${`${label}: top hands, percent`} onInput=${(event) => best(event.target.value)} />
      <output>${topOf(text, data)}%</output></label>`}
    ${suits !== null && !told && html`<${Suits} place=${suits} weights=${weights} brush=${brush / 100} dead=${dead}
      onPaint=${(number, weight) => {
        const changed = [...latest.current];
        changed[number] = weight;
        painting.current = true;
        change(changed);
        send();
      }} />`}
    <textarea id=${id} rows="3" spellcheck=${false} aria-label=${`${label}: text`} readonly=${Boolean(told)} aria-invalid=${Boolean(error)} aria-describedby=${errorId}
      placeholder="TT+, AQs+, KQo:0.5, 20% or @file" value=${text} onPaste=${paste} onInput=${(event) => type(event.target.value)} />
    <span class="error small" id=${errorId} role=${error ? "alert" : undefined}>${error}</span>
    ${pasted?.form && !told && html`<p class="small quiet-text pasted" role="status">Pasted: ${pasted.form}, ${round(pasted.combos)} combos, ${(100 * pasted.share).toFixed(1)}%.
      ${data && fresh && data.text !== text && html` <button type="button" class="quiet tiny-button" onClick=${() => onChange(data.text, true)}>Write it short</button>`}</p>`}
    ${listing && html`<${SavedRanges} onClose=${() => setListing(false)} onPick=${(picked) => {
      setListing(false);
      type(picked);
    }} />`}
  </section>`;
}

/** The percentage of a text such as “top 20%”; of any other range, its share of all hands. */
function topOf(text, data) {
  const found = /^\s*(?:top\s*)?([0-9]+(?:\.[0-9]*)?)\s*%(?:\s*:.*)?$/i.exec(text);
  return found ? Math.min(100, Number(found[1])) : Math.round(100 * (data?.share ?? 0));
}

function round(number) {
  return Number.isInteger(number) ? number : number.toFixed(1);
}

function Cell({ place, weights, dead, first, chosen, onFocus }) {
  const name = CLASSES[place], combos = COMBOS[place];
  const free = combos.filter((combo) => !splitCards(combo.name).some((card) => dead.has(card)));
  const weight = meanWeight(place, weights);
  const mixed = combos.some((combo) => Math.abs(weights[combo.number] - weight) > 1e-6);
  const share = Math.round(100 * weight);
  return html`<button type="button" role="gridcell" data-place=${place} tabindex=${first ? 0 : -1} aria-selected=${weight > 0}
    class=${`cell${weight > 0 ? "" : " empty"}${free.length ? "" : " dead"}${chosen ? " chosen" : ""}`} aria-label=${`${name}: ${share}%${mixed ? ", by suits" : ""}`}
    title=${`${name} ${share}%`} onFocus=${() => onFocus(place)}>
    ${weight > 0 && html`<span class="bars" style=${{ height: `${Math.max(5, 100 * weight)}%` }}><span class=${`bar painted${mixed ? " mixed" : ""}`} /></span>`}
    <span class="cell-name">${name}</span>
    ${weight > 0 && weight < 0.9995 && html`<span class="cell-text">${share}</span>`}
  </button>`;
}

/** The combos of one class, each with a weight of its own. */
function Suits({ place, weights, brush, dead, onPaint }) {
  return html`<div class="suits" role="group" aria-label=${`Suits of ${CLASSES[place]}`}>
    ${COMBOS[place].map(({ name, number }) => {
      const weight = weights[number];
      const blocked = splitCards(name).some((card) => dead.has(card));
      return html`<button type="button" key=${name} class=${`suit-combo${blocked ? " blocked" : ""}`} aria-pressed=${weight > 0} title=${blocked ? "a card of the board" : ""}
        onClick=${() => onPaint(number, Math.abs(weight - brush) < 1e-6 ? 0 : brush)}>
        <span class="suit-fill" style=${{ width: `${100 * weight}%` }} /><${HandText} hand=${name} /><span class="small">${Math.round(100 * weight)}%</span></button>`;
    })}
  </div>`;
}

/** Ranges of the folder: one click takes one, and they can be removed. */
function SavedRanges({ onClose, onPick }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState("");
  const load = () => get("/api/ranges").then((answer) => setFound(answer.ranges), (error) => setProblem(error.message));
  useEffect(() => {
    load();
  }, []);
  const remove = async (range) => {
    if (!(await confirmed("Remove this range?", range.file, { action: "Remove", danger: true }))) return;
    await post("/api/ranges/delete", { file: range.file }).catch((error) => setProblem(error.message));
    load();
  };
  return html`<${Dialog} title="Saved ranges" onClose=${onClose}>
    ${problem && html`<p class="error">${problem}</p>`}
    ${found && !found.length && html`<p class="quiet-text">None yet: keep one, or put text files (also of PioSOLVER) or charts (.csv) into the folder “ranges”.</p>`}
    <ul class="saved-ranges">${found?.map((range) => html`<li key=${range.file}>
      <button type="button" class="saved-range" onClick=${() => onPick(range.text)}>
        <${Miniature} levels=${range.classes.map((weight) => Math.min(9, Math.ceil(9 * weight))).join("")} label="" />
        <span class="stack tight"><b>${range.name}</b><span class="quiet-text small">${round(range.combos)} combos, ${(100 * range.share).toFixed(1)}% · ${range.file}</span></span>
      </button>
      <button type="button" class="quiet icon" aria-label=${`Remove ${range.name}`} onClick=${() => remove(range)}>✕</button>
    </li>`)}</ul>
  <//>`;
}
