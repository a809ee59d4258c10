// A spot in three choices, from the ranges of the package, and ranges taken from lines of solutions.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { get } from "../../parts/api.js";
import { percent } from "../study/sums.js";
import { toForm } from "../editor-form.js";

const FILLED = ["oop", "ip", "pot", "stack", "unit", "big_blind", "aggressor", "bet", "raise", "donk", "force_allin", "max_bets"];
const AS_NEW = { told: false, instead: {}, preflop: "", ranges: "", added: [], removed: [], locks: undefined };
/** What is chosen, in this order: what comes later gives way to what comes before. */
const ORDER = ["table", "opener", "other", "stack", "pot", "raiser"];
const WORDS = {
  table: { "heads-up": "Heads-up", "six-max": "Six-max" },
  raiser: { nobody: "Nobody" },
};

export default function Ready({ set }) {
  const [choices, setChoices] = useState([]);
  const [chosen, setChosen] = useState({ table: "heads-up", opener: "SB", other: "BB", stack: 100, pot: "single-raised", raiser: "SB" });
  const [problem, setProblem] = useState("");
  useEffect(() => {
    get("/api/spots/ready").then((answer) => setChoices(answer.choices), (error) => setProblem(error.message));
  }, []);
  const fits = (wanted) => choices.filter((each) => Object.entries(wanted).every(([name, value]) => each[name] === value));
  const before = (name, wanted) => Object.fromEntries(ORDER.slice(0, ORDER.indexOf(name)).map((each) => [each, wanted[each]]));
  const values = (name, wanted = chosen) => [...new Set(fits(before(name, wanted)).map((each) => each[name]))];
  // What the choice before leaves is kept; otherwise the usual one, or the first that there is.
  const usual = { opener: "BTN", other: "BB", stack: 100, pot: "single-raised" };
  const choose = (changes) => {
    const wanted = { ...chosen, ...("table" in changes ? usual : {}), ...changes };
    for (const name of ORDER) {
      const there = values(name, wanted);
      if (!there.includes(wanted[name])) wanted[name] = there.includes(usual[name]) ? usual[name] : there[0];
    }
    setChosen(wanted);
  };
  const found = fits(chosen)[0];
  const six = chosen.table === "six-max";
  const fill = async () => {
    try {
      const form = toForm((await get(`/api/spots/ready?${new URLSearchParams(chosen)}`)).fields);
      set({ ...Object.fromEntries(FILLED.map((name) => [name, form[name]])), ...AS_NEW }, true);
      setProblem("");
    } catch (error) {
      setProblem(error.message);
    }
  };
  const segments = (name, label, words = (value) => WORDS[name]?.[value] ?? capital(String(value))) => html`<div class="field"><span>${label}</span><div class="segments" role="group" aria-label=${label} data-choice=${name}>
    ${values(name).map((value) => html`<button type="button" key=${value} aria-pressed=${chosen[name] === value} onClick=${() => choose({ [name]: value })}>${words(value)}</button>`)}</div></div>`;
  // All of it at once, so that nothing moves below the pointer.
  if (!choices.length && !problem) return html`<p class="nothing">…</p>`;
  return html`<div class="stack ready">
    <div class="row ready-row">
      ${segments("table", "Table")}
      ${six && segments("opener", "First in")}${six && segments("other", "Against")}
      ${segments("stack", "Stack, big blinds")}
      ${segments("pot", "Pot")}
      ${(!six || values("raiser").length > 1) && segments("raiser", "Raised last", (name) => (name === "SB" && !six ? "SB, the button" : WORDS.raiser[name] ?? name))}
      <button type="button" class="primary" id="fill-in" disabled=${!found} onClick=${fill}>Fill in</button></div>
    ${found && html`<p class="small quiet-text">${found.story}${found.share === null ? "" : `: ${percent(found.share)} of all hands`}. ${six ? "Ranges of our own making, not solved, for 100 big blinds alone; sizes of raises are usual ones." : "Two players, from the solved charts."}
      ${" "}Ranges, pot, stacks, who raised last and few bet sizes are filled in, the board stays. Undo takes it back.</p>`}
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}
    <${FromLine} set=${set} />
  </div>`;
}

/** The range of a player at a line of a solution of the folder. */
function FromLine({ set }) {
  const [files, setFiles] = useState(null);
  const [asked, setAsked] = useState({ file: "", line: "", player: "oop", into: "oop" });
  const [state, setState] = useState({ text: "", error: false });
  useEffect(() => {
    get("/api/library").then((answer) => {
      const found = answer.files.filter((each) => each.kind === "solution" && !each.error);
      setFiles(found);
      setAsked((before) => ({ ...before, file: found[0]?.id ?? "" }));
    }, (error) => setState({ text: error.message, error: true }));
  }, []);
  const change = (name) => (event) => setAsked({ ...asked, [name]: event.target.value });
  const take = async (event) => {
    event.preventDefault();
    try {
      const { line, player, into } = asked;
      const { range, combos } = await get(`/api/solutions/${asked.file}/range?${new URLSearchParams({ line: line.trim(), player })}`);
      // A range that a story tells is taken in its place.
      set((form) => ({ [into]: range, ...(form.told ? { instead: { ...form.instead, [into]: range } } : {}) }), true);
      setState({ text: `${combos.toFixed(1)} combos of ${player.toUpperCase()} are now the range of ${into.toUpperCase()}.`, error: false });
    } catch (error) {
      setState({ text: error.message, error: true });
    }
  };
  if (files && !files.length) return html`<p class="small quiet-text">Ranges of lines can be taken from solutions; this folder has none yet.</p>`;
  const players = (name, label) => html`<label class="field"><span>${label}</span><select id=${`line-${name}`} value=${asked[name]} onChange=${change(name)}><option value="oop">OOP</option><option value="ip">IP</option></select></label>`;
  return html`<form class="row ready-row" aria-label="A range from a line of a solution" onSubmit=${take}>
    <label class="field ready-file"><span>Range from the solution</span><select id="line-file" value=${asked.file} onChange=${change("file")}>${files?.map((each) => html`<option key=${each.id} value=${each.id}>${each.name.replace(/\.safetensors$/, "")}</option>`)}</select></label>
    <label class="field"><span>at the line</span><input id="line-text" value=${asked.line} placeholder="x/b18/c/5c" spellcheck=${false} autocomplete="off" onInput=${change("line")} /></label>
    ${players("player", "of")}${players("into", "becomes that of")}
    <button type="submit" id="take-range" disabled=${!asked.file}>Take it</button>
    ${state.text && html`<p class=${`small ${state.error ? "error" : "quiet-text"}`} role=${state.error ? "alert" : "status"}>${state.text}</p>`}
  </form>`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
