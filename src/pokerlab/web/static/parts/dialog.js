// Dialogs: the browser's own element, so that the focus stays inside and Escape closes it.
import { html, render, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";

/** `wide` for tables; `sheet` comes from below on a telephone. */
export function Dialog({ title, onClose, children, wide = false, sheet = false }) {
  const element = useRef();
  useEffect(() => {
    const before = document.activeElement;
    element.current.showModal();
    return () => before?.focus?.();
  }, []);
  const outside = (event) => event.target === element.current && onClose();
  return html`<dialog ref=${element} class=${wide ? "wide" : sheet ? "sheet" : ""} aria-label=${title} onCancel=${(event) => {
    event.preventDefault();
    onClose();
  }} onMouseDown=${outside}>
    <header><h2>${title}</h2><button type="button" class="quiet icon" aria-label="Close" onClick=${onClose}>✕</button></header>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

/** Show a dialog until it is answered; the promise is for what `content` gives to `close`. */
function show(Content, props) {
  return new Promise((resolve) => {
    const place = document.createElement("div");
    document.body.append(place);
    const close = (value) => {
      render(null, place);
      place.remove();
      resolve(value);
    };
    render(html`<${Content} ...${props} close=${close} />`, place);
  });
}

function Confirm({ title, text, action, danger, close }) {
  return html`<${Dialog} title=${title} onClose=${() => close(false)}>
    <p>${text}</p>
    <div class="buttons end">
      <button type="button" onClick=${() => close(false)}>Cancel</button>
      <button type="button" class=${danger ? "danger" : "primary"} autofocus onClick=${() => close(true)}>${action}</button>
    </div>
  <//>`;
}

/** Ask before something is done: a promise for true or false. */
export function confirmed(title, text, { action = "OK", danger = false } = {}) {
  return show(Confirm, { title, text, action, danger });
}

function Prompt({ title, label, value, action, choices, send, close }) {
  const [text, setText] = useState(value);
  const [error, setError] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    try {
      close(await send(text.trim()));
    } catch (problem) {
      setError(problem.message);
    }
  };
  return html`<${Dialog} title=${title} onClose=${() => close(null)}>
    <form onSubmit=${submit}>
      <label class="field"><span>${label}</span>
        <input value=${text} autofocus list=${choices.length ? "prompt-choices" : undefined} spellcheck=${false} aria-invalid=${Boolean(error)} onInput=${(event) => setText(event.target.value)} />
        ${choices.length > 0 && html`<datalist id="prompt-choices">${choices.map((choice) => html`<option key=${choice} value=${choice} />`)}</datalist>`}
        ${error && html`<span class="error" role="alert">${error}</span>`}
      </label>
      <div class="buttons end">
        <button type="button" onClick=${() => close(null)}>Cancel</button>
        <button class="primary">${action}</button>
      </div>
    </form>
  <//>`;
}

/** Ask for a text; `send` tries it, and what it throws is shown beside the field. `choices` are texts to begin with. */
export function prompted(title, label, value, send, { action = "Save", choices = [] } = {}) {
  return show(Prompt, { title, label, value, action, choices, send });
}
