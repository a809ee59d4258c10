// Keys of a page, and the overlay that lists them.
import { html, useEffect, useRef } from "/static/vendor/preact-htm.js";
import { Dialog } from "./dialog.js";

/** Whether a key belongs to what has the focus, as in a text field. */
export function isTyping(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The name of a key: `x`, `?`, `Enter`, `ArrowLeft`, `Ctrl+z`. */
export function keyName(event) {
  const modified = event.ctrlKey || event.metaKey ? "Ctrl+" : event.altKey ? "Alt+" : "";
  return modified + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
}

const inUse = new Set();

/** `keys` is a map from names to `[function, help text]`; it holds while the component is there. */
export function useKeys(keys) {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    inUse.add(current);
    const listener = (event) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (isTyping(event.target) && event.key !== "Escape") return;
      const found = current.current?.[keyName(event)];
      if (!found) return;
      if (found[0](event) !== false) event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => {
      inUse.delete(current);
      removeEventListener("keydown", listener);
    };
  }, []);
}

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Backspace: "⌫", " ": "Space" };

/** The overlay: what each key does here, now. */
export function KeysHelp({ onClose }) {
  const rows = new Map();
  const keys = [...inUse].reverse().flatMap((each) => Object.entries(each.current ?? {}));
  for (const [key, [, help]] of keys) {
    if (help) rows.set(help, [...(rows.get(help) ?? []), NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)]);
  }
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <table class="keys"><tbody>
      ${[...rows].map(([help, names]) => html`<tr><td>${names.map((name) => html`<kbd>${name}</kbd> `)}</td><td>${help}</td></tr>`)}
    </tbody></table>
  <//>`;
}
