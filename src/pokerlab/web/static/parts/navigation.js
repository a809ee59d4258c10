// Addresses: a page is its path and its query, so back, bookmarks and two tabs work.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";

const listeners = new Set();

export function here() {
  return { path: location.pathname, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

/** Go to an address of ours; `replace` leaves no entry to come back to. */
export function go(address, { replace = false } = {}) {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"]({}, "", address);
  listeners.forEach((listener) => listener());
}

/** Change some entries of the query; null removes one. */
export function setQuery(changes, options) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString().replaceAll("%2F", "/");
  go(location.pathname + (text ? `?${text}` : ""), options);
}

export function useLocation() {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const listener = () => setPlace(here());
    listeners.add(listener);
    addEventListener("popstate", listener);
    return () => {
      listeners.delete(listener);
      removeEventListener("popstate", listener);
    };
  }, []);
  return place;
}

/** A link inside of the pages; with a modifier key the browser does what it always does. */
export function Link({ href, children, ...rest }) {
  const follow = (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
    scrollTo(0, 0);
  };
  return html`<a href=${href} onClick=${follow} ...${rest}>${children}</a>`;
}
