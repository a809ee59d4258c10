// What this browser remembers: theme, palette, display. Nothing of it is on the server.
import { useEffect, useState } from "/static/vendor/preact-htm.js";

const NAME = "pokerlab";
const listeners = new Set();
let kept = read();

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export function preference(name, otherwise) {
  return name in kept ? kept[name] : otherwise;
}

export function setPreference(name, value) {
  kept = { ...kept, [name]: value };
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // Full, or forbidden: it holds until the page is closed.
  }
  changed();
}

/** `[value, set]`; all components that use the same name follow. */
export function usePreference(name, otherwise) {
  const [, again] = useState(0);
  useEffect(() => {
    const listener = () => again((count) => count + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return [preference(name, otherwise), (value) => setPreference(name, value)];
}

function changed() {
  globalThis.applyTheme(kept); // theme.js
  listeners.forEach((listener) => listener());
}

// Another tab changed something.
addEventListener("storage", (event) => {
  if (event.key !== NAME) return;
  kept = read();
  changed();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);

/** Whether the page is dark now. */
export function isDark() {
  return document.documentElement.dataset.theme === "dark";
}
