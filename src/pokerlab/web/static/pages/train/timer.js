// The time for a decision: a bar that shrinks.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";

const STEP = 100;

/** `seconds` for the decision that `key` names; `over` is called once when they have passed. */
export function Timer({ seconds, decision, over }) {
  const [left, setLeft] = useState(seconds);
  const ending = useRef(over);
  ending.current = over;
  useEffect(() => {
    const end = performance.now() + 1000 * seconds;
    setLeft(seconds);
    const timer = setInterval(() => {
      const now = Math.max(0, (end - performance.now()) / 1000);
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      ending.current();
    }, STEP);
    return () => clearInterval(timer);
  }, [decision, seconds]);
  return html`<div class=${`timer${left < 0.25 * seconds ? " urgent" : ""}`} role="timer" aria-label=${`${Math.ceil(left)} seconds left`}>
    <span class="timer-bar"><span style=${{ width: `${(100 * left) / seconds}%` }} /></span><b>${Math.ceil(left)} s</b></div>`;
}

/** Seconds since the decision came up: a function to ask when it is made. */
export function useStopwatch(decision) {
  const began = useRef(performance.now());
  useEffect(() => { began.current = performance.now(); }, [decision]);
  return () => Math.round(performance.now() - began.current) / 1000;
}
