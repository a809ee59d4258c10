// A night's hands to judge: whose, how exactly, what it takes; and nights that were judged before.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { get, post, useLatest } from "../../parts/api.js";
import { Link, go } from "../../parts/navigation.js";
import { usePreference } from "../../parts/preferences.js";

const BEGINS = [["flop", "12x10", "Flop, 12 × 10 run-outs"], ["flop", "all", "Flop, all run-outs"], ["turn", "all", "Turn"], ["river", "all", "River"]];
const KEEPS = [["mistakes", "of hands with a mistake"], ["all", "of all hands"], ["none", "of none"]];
const SETTINGS = { street: "flop", runouts: "12x10", target: "1%", keep: "mistakes", ranges: "", keep_mistakes: true };

export default function Judge({ asked, data }) {
  const [kept, keep] = usePreference("judge", SETTINGS);
  const settings = { ...SETTINGS, ...kept };
  const files = useLatest("/api/ranges").data;
  const ranges = files?.stories.some((story) => story.file === settings.ranges) ? settings.ranges : "";
  const filters = Object.fromEntries(Object.entries(asked).filter(([name]) => name !== "two"));
  const body = { ...filters, player: data.player || "*", ...settings, ranges };
  const text = JSON.stringify(body);
  const [weighed, setWeighed] = useState({ text: null, found: null, error: null });
  const [sending, setSending] = useState(null);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      post("/api/hands/judge/weigh", body).then((found) => gone || setWeighed({ text, found, error: null }), (error) => gone || setWeighed({ text, found: null, error }));
    }, 250);
    return () => { gone = true; clearTimeout(timer); };
  }, [text, data.totals.hands]);
  const set = (changes) => keep({ ...settings, ...changes });
  const begin = async (event) => {
    event.preventDefault();
    try {
      const { id } = await post("/api/hands/judge", body);
      go(`/hands/judged/${id}`);
    } catch (error) {
      setSending(error);
    }
  };
  const { found } = weighed;
  const stale = weighed.text !== text;
  const error = sending ?? weighed.error;
  const fault = (name) => error?.field === name && html`<span class="error" role="alert">${error.message.replace(/^\w+: /, "")}</span>`;
  return html`<div class="hands-judge">
    <form class="stack" onSubmit=${begin}>
      <p class="quiet-text">Each hand in which ${data.player || "the player"} and one other saw the flop becomes a spot, with the bet sizes of the hand, and is solved; the decisions are compared with the solution.</p>
      <div class="field"><span>Spots begin on the</span><div class="segments" role="group" aria-label="Street">
        ${BEGINS.map(([street, runouts, title]) => html`<button type="button" key=${title} aria-pressed=${settings.street === street && (street !== "flop" || settings.runouts === runouts)} onClick=${() => set({ street, runouts })}>${title}</button>`)}</div>
        ${settings.street !== "flop" && html`<span class="small quiet-text">The ranges are those of the flop: what both did in between is not known of them.</span>`}${fault("street")}${fault("runouts")}</div>
      <div class="row judge-row">
        <label class="field"><span>Ranges</span><select id="judge-ranges" value=${ranges} onChange=${(event) => set({ ranges: event.target.value })}>
          <option value="">charts of two players, six-max at fuller tables</option>${files?.stories.map((story) => html`<option key=${story.file} value=${story.file}>${story.file}</option>`)}</select>${fault("ranges")}</label>
        <label class="field short"><span>Exactness</span><input id="judge-target" value=${settings.target} spellcheck=${false} onInput=${(event) => set({ target: event.target.value })} />${fault("target")}</label>
        <label class="field"><span>Keep solutions</span><select id="judge-keep" value=${settings.keep} onChange=${(event) => set({ keep: event.target.value })}>${KEEPS.map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}</select></label></div>
      <label class="check"><input type="checkbox" checked=${settings.keep_mistakes} disabled=${settings.keep === "none"} onChange=${(event) => set({ keep_mistakes: event.target.checked })} />mistakes come back in practice</label>
      <div class=${`judge-cost${stale ? " stale" : ""}`} role="status">
        ${found ? html`<span><b>${found.exact ? "" : "About "}${found.can.toLocaleString("en")} ${found.can === 1 ? "hand" : "hands"}</b> can be judged${found.can > 0 ? html`, in about <b>${found.text}</b> on an idle machine` : ""}.</span>
          ${found.passed.map((each) => html`<span key=${each.reason} class="small quiet-text">${each.hands.toLocaleString("en")} not: ${each.reason}</span>`)}`
          : weighed.error ? null : html`<span class="quiet-text">…</span>`}</div>
      ${error && !["street", "runouts", "ranges", "target"].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
      <div class="buttons"><button class="primary" id="judge" disabled=${stale || !found?.can}>Judge them</button></div>
    </form>
    <${Before} />
  </div>`;
}

/** Nights that wait, run or were judged. */
function Before() {
  const [jobs, setJobs] = useState([]);
  useEffect(() => {
    get("/api/jobs").then((answer) => setJobs(answer.jobs.filter((job) => job.kind === "hands")), () => {});
  }, []);
  if (!jobs.length) return null;
  return html`<div><h2>Judged before</h2><ul class="judged-before">${jobs.map((job) => html`<li key=${job.id}><${Link} href=${`/hands/judged/${job.id}`}>${job.name}<//>
    <span class="badge">${job.status}</span> <span class="small quiet-text">${new Date(1000 * job.created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}</span></li>`)}</ul></div>`;
}
