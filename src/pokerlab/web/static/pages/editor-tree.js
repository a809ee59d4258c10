// The betting tree: lines are opened, added and removed.
import { html, useState } from "/static/vendor/preact-htm.js";
import { actionColours, background } from "../parts/colours.js";

/** `tree` as the server outlines it; `opened` is a set of lines. */
export function TreeEditor({ tree, stale, form, errors, opened, setOpened, set }) {
  const change = (field, lines) => set({ [field]: lines });
  const remove = (line) => change("removed", [...form.removed, line]);
  const restore = (place) => change("removed", form.removed.filter((_, each) => each !== place));
  const add = (line) => change("added", [...form.added, line]);
  const withdraw = (place) => {
    // Lines that were added by hand below it are removed with it.
    const line = form.added[place];
    const below = (each) => each === line || each.startsWith(`${line}/`);
    set({ added: form.added.filter((each) => !below(each)), removed: form.removed.filter((each) => !each.startsWith(`${line}/`)) });
  };
  const toggle = (line) => {
    const next = new Set(opened);
    if (next.has(line)) next.delete(line);
    else next.add(line);
    setOpened(next);
  };
  const edits = [...form.added.map((line, place) => ["added", line, place]), ...form.removed.map((line, place) => ["removed", line, place])];
  return html`<section class=${`panel tree${stale ? " stale" : ""}`} id="tree" aria-label="Betting tree">
    <div class="row spread"><h2>Betting tree</h2>
      <span class="buttons">
        <button type="button" class="quiet" disabled=${!tree} onClick=${() => setOpened(new Set(streetLines(tree)))}>Open one level more</button>
        <button type="button" class="quiet" disabled=${!opened.size} onClick=${() => setOpened(new Set())}>Close all</button>
      </span></div>
    ${edits.length > 0 && html`<ul class="edits" aria-label="Changes by hand">${edits.map(([field, line, place]) => {
      const error = errors[`${field}.${place}`] ?? errors[field];
      return html`<li key=${field + line} class=${error ? "bad" : ""}>
        <span class=${`badge ${field === "added" ? "good" : "warn"}`}>${field}</span> <code>${line}</code>
        <button type="button" class="quiet icon" aria-label=${`Take back: ${field} ${line}`} onClick=${() => (field === "added" ? withdraw(place) : restore(place))}>✕</button>
        ${error && html`<span class="error small" role="alert">${error}</span>`}</li>`;
    })}</ul>`}
    ${tree ? html`<${Decision} node=${tree} removedLines=${form.removed} ...${{ opened, toggle, remove, restore, add, withdraw }} />`
      : html`<p class="quiet-text">The tree appears when the spot has no faults.</p>`}
  </section>`;
}

/** Every line that is shown and leads to a decision. */
function streetLines(node) {
  return node.actions.flatMap((action) => (action.then === "decision" || action.then === "street"
    ? [action.line, ...(action.below ? streetLines(action.below) : [])] : []));
}

const WORDS = { fold: "fold", check: "check", call: "call", bet: "bet", raise: "raise to", "all-in": "all-in" };

function ends(node, action) {
  if (action.then === "decision") return "";
  if (action.then === "street") return `next street, pot ${action.pot}`;
  if (action.then === "fold") return `${node.player === "oop" ? "IP" : "OOP"} takes ${action.pot}`;
  return `${action.then} for ${action.pot}`;
}

function Decision({ node, removedLines, opened, toggle, remove, restore, add, withdraw }) {
  const colours = actionColours(node.actions.map((action) => action.label));
  const rest = { removedLines, opened, toggle, remove, restore, add, withdraw };
  return html`<div class="decision">
    <div class="decision-head"><span class=${`seat seat-${node.player}`}>${node.player.toUpperCase()}</span>
      <span class="quiet-text small">${node.street}, pot ${node.pot}, ${node.behind} behind${node.to_call ? `, ${node.to_call} to call` : ""}</span></div>
    <ul>
      ${node.actions.map((action, place) => {
        const leads = action.then === "decision" || action.then === "street";
        const open = opened.has(action.line) && action.below;
        return html`<li key=${action.label}>
          <div class="action-row">
            ${leads ? html`<button type="button" class="quiet twist" aria-expanded=${Boolean(open)} aria-label=${`After ${action.line}`} onClick=${() => toggle(action.line)}>${open ? "▾" : "▸"}</button>`
              : html`<span class="twist" />`}
            <span class="swatch" style=${{ background: background(colours[place]) }} />
            <span class="action-name">${WORDS[action.action]} ${action.chips ?? ""}</span>
            ${action.percent !== null && html`<span class="quiet-text small">${Math.round(action.percent)}%</span>`}
            <span class="quiet-text small ends">${ends(node, action)}</span>
            ${action.added !== null
              ? html`<span class="badge good">added</span><button type="button" class="quiet icon" aria-label=${`Take back ${action.line}`} title="Take back" onClick=${() => withdraw(action.added)}>✕</button>`
              : node.actions.length > 1 && html`<button type="button" class="quiet icon" aria-label=${`Remove ${action.line}`} title="Remove this line with all that follows" onClick=${() => remove(action.line)}>✕</button>`}
          </div>
          ${open && html`<${Decision} node=${action.below} ...${rest} />`}
        </li>`;
      })}
      ${node.removed.map((place) => html`<li key=${`removed-${place}`}><div class="action-row removed">
        <span class="twist" /><s>${removedLines[place]?.split("/").at(-1)}</s>
        <button type="button" class="quiet tiny-button" aria-label=${`Restore ${removedLines[place]}`} onClick=${() => restore(place)}>Restore</button></div></li>`)}
      ${node.least !== null && html`<li><${AddLine} node=${node} add=${add} /></li>`}
    </ul>
  </div>`;
}

function AddLine({ node, add }) {
  const [text, setText] = useState("");
  const letter = node.to_call ? "r" : "b";
  const submit = (event) => {
    event.preventDefault();
    const size = text.trim().replace(/^[br]/i, "");
    if (!size) return;
    const token = /^a(ll.?in)?$/i.test(size) ? "a" : letter + size;
    add(node.line ? `${node.line}/${token}` : token);
    setText("");
  };
  return html`<form class="action-row add-line" onSubmit=${submit}>
    <span class="twist" />
    <input value=${text} size="12" placeholder=${`${node.to_call ? "raise to" : "bet"} ${node.least}… or 75%`} aria-label=${`Add a ${node.to_call ? "raise" : "bet"} after ${node.line || "the beginning"}`} spellcheck=${false} onInput=${(event) => setText(event.target.value)} />
    <button class="quiet tiny-button" disabled=${!text.trim()}>Add</button>
  </form>`;
}
