// A new batch: which spot, which boards, how exactly. What it takes is said before it begins.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { Link, go } from "../../parts/navigation.js";
import { TARGET } from "../../parts/targets.js";

const KEEPS = { root: "the first street (small files)", partial: "flop and turn (rivers are solved again)", full: "everything (large files)" };

export function NewBatch({ spot }) {
  const { data, error } = useLatest("/api/batches");
  useEffect(() => { document.title = "New batch · pokerlab"; }, []);
  if (error) return html`<p class="error">${error.message}</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  if (!data.spots.length) return html`<section class="narrow"><h1>New batch</h1><p>A batch solves a spot on many boards, and there is no spot in this folder yet.</p>
    <p><${Link} href="/">To the Library<//></p></section>`;
  return html`<${Form} choices=${data} spot=${data.spots.some((each) => each.id === spot) ? spot : data.spots[0].id} />`;
}

function Form({ choices, spot }) {
  const nameOf = (id) => choices.spots.find((each) => each.id === id).name.replace(/^.*\//, "").replace(/\.\w+$/, "");
  const [form, setForm] = useState({ spot, kind: "25", list: "", target: TARGET, keep: "root", precision: 32, name: null });
  const [plan, setPlan] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  // Where flops cannot stand for others, the form begins with boards, and says why.
  const [why, setWhy] = useState("");
  const touched = useRef(false);
  // Named after the spot and the kind of boards, until somebody types a name.
  const name = form.name ?? `${nameOf(form.spot)} ${form.kind === "boards" ? "boards" : "flops"}`;
  const set = (changes) => {
    touched.current = true;
    setForm((before) => ({ ...before, ...changes }));
  };
  const refuse = (problem) => {
    setPlan(null);
    if (touched.current || problem.field !== "spot") setError(problem);
    else {
      setWhy(problem.message);
      set({ kind: "boards" });
    }
  };
  const asked = {
    spot: form.spot, target: form.target, keep: form.keep, precision: Number(form.precision), name,
    ...(form.kind === "boards" ? { boards: form.list } : { flops: form.kind === "list" ? form.list : form.kind }),
  };
  const empty = ["list", "boards"].includes(form.kind) && !form.list.trim();
  const key = JSON.stringify({ ...asked, name: "" });
  useEffect(() => {
    if (empty) {
      setPlan(null);
      setError(null);
      return undefined;
    }
    let gone = false;
    const timer = setTimeout(() => post("/api/batches/check", asked).then(
      (found) => gone || (setPlan({ ...found, key }), setError(null)),
      (problem) => gone || refuse(problem),
    ), 250);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, empty]);
  const begin = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      go(`/batch/${(await post("/api/batches", asked)).id}`);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const wrong = (name) => error?.field === name && html`<span class="error" role="alert">${error.message}</span>`;
  const kinds = [...choices.subsets.map((size) => [String(size), `${size} flops`]), ["all", "all 1,755"], ["list", "flops…"], ["boards", "boards…"]];
  return html`<section class="narrow new-batch">
    <h1>New batch</h1>
    <p class="quiet-text">One spot on many boards: how a line is played on all of them, by texture, as a map, and a solution of each to study.</p>
    <form class="panel stack" onSubmit=${begin}>
      <label class="field"><span>Spot (its own board does not count)</span><select name="spot" value=${form.spot} onChange=${(event) => set({ spot: event.target.value })}>
        ${choices.spots.map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select>${wrong("spot")}</label>
      <div class="field"><span>Boards</span><div class="segments wrap" role="radiogroup" aria-label="Boards">${kinds.map(([kind, title]) => html`<button type="button" key=${kind} role="radio" data-kind=${kind}
        aria-checked=${form.kind === kind} onClick=${() => set({ kind })}>${title}</button>`)}</div>
        <span class="quiet-text small">${{ all: "Each flop counts as often as it is dealt.", list: "Flops up to suits: AK7r, 987tt, QQ2, monotone, A-high paired; weights after a colon.", boards: "Boards of three to five cards, each for itself, with commas, blanks or new lines between: QhJh2c, Td9d6hQc:2." }[form.kind] ?? "A subset with weights, which stands for all flops."}</span></div>
      ${why && form.kind === "boards" && html`<p class="quiet-text small">${why}.</p>`}
      ${["list", "boards"].includes(form.kind) && html`<label class="field"><span>${form.kind === "list" ? "Flops" : "Boards"}</span>
        <textarea name="list" rows="3" spellcheck=${false} value=${form.list} placeholder=${form.kind === "list" ? "AK7r, 987tt, monotone" : "QhJh2c, Td9d6hQc:2"} onInput=${(event) => set({ list: event.target.value })} /></label>`}
      ${wrong("flops")}${wrong("boards")}
      <div class="columns">
        <label class="field"><span>Exploitability</span><input name="target" value=${form.target} onInput=${(event) => set({ target: event.target.value })} />${wrong("target")}</label>
        <label class="field"><span>Precision</span><select name="precision" value=${form.precision} onChange=${(event) => set({ precision: event.target.value })}><option value="32">32 bits</option><option value="16">16 bits</option></select></label>
      </div>
      <label class="field"><span>Keep of each solution</span><select name="keep" value=${form.keep} onChange=${(event) => set({ keep: event.target.value })}>
        ${Object.entries(KEEPS).map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}</select>${wrong("keep")}</label>
      <label class="field"><span>Name</span><input name="name" value=${name} spellcheck=${false} onInput=${(event) => set({ name: event.target.value })} />${wrong("name")}</label>
      <div class="plan" role="status">${plan ? html`<b>${plan.text}</b>${plan.time_text && html`<br />on this machine about ${plan.time_text}`}
        ${plan.impossible.length > 0 && html`<br />${plan.impossible.length} boards leave a player no hand and are left out`}` : error && !error.field ? html`<span class="error">${error.message}</span>`
        : html`<span class="quiet-text">${empty ? "Name some boards." : error ? "" : "Counting…"}</span>`}</div>
      <div class="buttons end"><button class="primary" id="begin" disabled=${busy || !plan}>Begin</button></div>
    </form>
  </section>`;
}
