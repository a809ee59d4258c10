// Requests to the server: JSON in and out, one line for what is wrong, a banner when it is lost.
import { useCallback, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";

const listeners = new Set();
let lost = null;

/** What the server said no to: `message`, and the `field` of the form it is about. */
export class ApiError extends Error {
  constructor(message, field = null, status = 0) {
    super(message);
    this.field = field;
    this.status = status;
  }
}

function setLost(message) {
  if (lost === message) return;
  lost = message;
  listeners.forEach((listener) => listener(lost));
}

const RETRY_EVERY = 3000;

/** The message about a lost server, or null; while it is lost, it is looked for again and again. */
export function useLost() {
  const [message, setMessage] = useState(lost);
  useEffect(() => {
    listeners.add(setMessage);
    return () => listeners.delete(setMessage);
  }, []);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setInterval(() => document.hidden || retry(), RETRY_EVERY);
    return () => clearInterval(timer);
  }, [Boolean(message)]);
  return message;
}

/** Ask whether the server is there again; everything that was waiting asks anew. */
export async function retry() {
  try {
    await get("/api/library");
    dispatchEvent(new Event("pokerlab-back"));
  } catch {
    // The banner stays.
  }
}

async function ask(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setLost("The server does not answer. What was saved is safe; solves go on.");
    throw new ApiError("the server does not answer");
  }
  let data = null;
  try {
    data = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (answer.ok && data !== null) {
    setLost(null);
    return data;
  }
  const message = data?.error || `the server answered ${answer.status}`;
  if (answer.status === 403) setLost("This server was started anew: open the address that it printed.");
  else setLost(null);
  throw new ApiError(message, data?.field ?? null, answer.status);
}

const ahead = new Map();

/** Ask before the answer is needed, as for what the pointer is at; the next `get` takes it. */
export function prefetch(url) {
  if (ahead.has(url)) return;
  const answer = ask(url, {});
  answer.catch(() => ahead.delete(url));
  ahead.set(url, answer);
  setTimeout(() => ahead.delete(url), 10_000);
}

export function get(url, { signal } = {}) {
  const early = ahead.get(url);
  if (early) {
    ahead.delete(url);
    return early;
  }
  return ask(url, { signal });
}

export function post(url, data = {}, { signal } = {}) {
  return ask(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
    signal,
  });
}

/** Send a file as it is. */
export function upload(url, file) {
  return ask(url, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
}

/**
 * What is at an address: `{data, error, loading, from, reload}`, `from` being the address of the data. An answer that is late, because the
 * address has changed since, is dropped; the old data stay until the new ones are there.
 */
export function useLatest(url) {
  const [state, setState] = useState({ url: null, data: null, error: null });
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    addEventListener("pokerlab-back", reload);
    return () => removeEventListener("pokerlab-back", reload);
  }, []);
  useEffect(() => {
    if (!url) return undefined;
    const abort = new AbortController();
    get(url, { signal: abort.signal }).then(
      (data) => abort.signal.aborted || setState({ url, data, error: null }),
      (error) => abort.signal.aborted || setState((before) => ({ url, data: error.status ? null : before.data, error })),
    );
    return () => abort.abort();
  }, [url, count]);
  return { data: state.data, error: state.error, loading: Boolean(url) && state.url !== url, fresh: state.url === url, from: state.url, reload };
}

/**
 * Follow a stream of events: `handlers` by name are called with the data of each. The connection
 * is made again by itself; it ends with the component or when `url` is null. With `onlyVisible` it is
 * closed while the page is hidden: a browser keeps few connections open, for all windows together.
 */
export function useEvents(url, handlers, { onlyVisible = false } = {}) {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    if (!url) return undefined;
    let source = null;
    const open = () => {
      source = new EventSource(url);
      for (const name of Object.keys(current.current)) {
        source.addEventListener(name, (event) => {
          setLost(null);
          current.current[name]?.(JSON.parse(event.data), event.target);
        });
      }
      source.addEventListener("error", (event) => {
        if (event.data !== undefined || event.target.readyState === EventSource.OPEN) return;
        // Closed by the server, or the server is lost: a plain request tells which.
        get("/api/library").catch(() => {});
      });
    };
    const seen = () => {
      if (!onlyVisible) return;
      if (document.hidden) source?.close();
      else if (source?.readyState === EventSource.CLOSED) open();
    };
    const again = () => current.current.back?.();
    open();
    document.addEventListener("visibilitychange", seen);
    addEventListener("pokerlab-back", again);
    return () => {
      source.close();
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("pokerlab-back", again);
    };
  }, [url]);
}
