// What was locked on this page and is not solved yet: by line, with undo; and how a lock changes hands.
import { useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";

const MOST_UNDONE = 50;
const CARD = /^[2-9TJQKA][shdc]$/;
/** Less than this of a hand's play is noise of rounding, not a proportion to keep. */
const NOTHING = 0.005;

/**
 * What was changed of a solution, by line: `{strategy, lock}` with one of both or both, `{removed: true}` for a lock of the
 * solution that is taken away; `group` and `words` for locks that were made together. Kept until the browser's tab is closed.
 * Gives the locks, `keep(make, group)`, which takes a function of the locks before, and `undo`, null where nothing is to undo.
 * What is kept with the same group one after the other is undone at once.
 */
export function useLocks(id) {
  const name = `pokerlab-locks-${id}`;
  const [locks, setLocks] = useState(() => {
    try {
      return JSON.parse(sessionStorage.getItem(name)) ?? {};
    } catch {
      return {};
    }
  });
  // Several cells may be painted before the page is drawn again: each adds to what the last one made.
  const current = useRef(locks);
  const past = useRef([]);
  const store = (next) => {
    current.current = next;
    setLocks(next);
    try {
      sessionStorage.setItem(name, JSON.stringify(next));
    } catch {
      // Full: it holds until the page is left.
    }
  };
  const keep = (make, group = null) => {
    const together = group !== null && past.current.at(-1)?.group === group;
    if (!together) past.current = [...past.current.slice(1 - MOST_UNDONE), { locks: current.current, group }];
    store(make(current.current));
  };
  const undo = () => {
    const last = past.current.at(-1);
    if (!last) return;
    past.current = past.current.slice(0, -1);
    store(last.locks);
  };
  return [locks, keep, past.current.length ? undo : null];
}

/** A line without its cards: a lock there holds on all cards. */
export function onAnyCards(line) {
  return line.split("/").filter((token) => !CARD.test(token)).join("/");
}

/** The line, with its cards or without, at which a decision is among some lines; null where it is not. */
export function lineAmong(lines, line) {
  const open = onAnyCards(line);
  return line in lines ? line : open !== line && open in lines ? open : null;
}

/** The strategy of the player who acts, as it is locked: shares by action and hand, null where free. */
function lockedStrategy(node) {
  const locked = new Set(node.locked);
  return node.strategy.map((row) => row.map((share, hand) => (locked.has(hand) ? share : null)));
}

/** What is locked at a decision on this page: the strategy, null where nothing is, and what a change begins from. */
export function useHeld(id, node, locks) {
  const decides = node.kind === "decision";
  const line = decides ? lineAmong(locks, node.line) : null;
  const entry = line === null ? null : locks[line];
  const texts = entry && !entry.strategy ? entry.lock : null;
  const [read, setRead] = useState(null);
  useEffect(() => {
    if (!texts) return undefined;
    let gone = false;
    post(`/api/solutions/${id}/lock`, { line: node.line, lock: texts }).then(
      (made) => gone || setRead({ texts, line: node.line, strategy: made.strategy }), () => {});
    return () => { gone = true; };
  }, [id, node.line, texts]);
  const strategy = entry?.strategy ?? (read && read.texts === texts && read.line === node.line ? read.strategy : null);
  const base = !decides ? null : strategy ?? (entry?.removed ? node.strategy.map((row) => row.map(() => null)) : lockedStrategy(node));
  return { line, entry, strategy, base };
}

/** Give hands so much of an action; their other actions keep their proportions. */
export function withShare(strategy, node, numbers, action, share) {
  const next = strategy.map((row) => row.slice());
  for (const number of numbers) {
    const now = next.map((row, place) => row[number] ?? node.strategy[place][number] ?? 0);
    const rest = now.reduce((sum, each, place) => (place === action ? sum : sum + each), 0);
    const others = next.length - 1;
    next.forEach((row, place) => {
      const part = place === action ? share : rest > 1e-9 ? ((1 - share) * now[place]) / rest : (1 - share) / others;
      row[number] = Math.round(10000 * part) / 10000;
    });
  }
  return next;
}

/**
 * Make hands never take an action: it goes to the others in proportion. Hands that do nothing else take the best of the others
 * by its EV, or all of them equally where EVs are not there yet; `alone` counts those.
 */
export function withNever(strategy, node, hands, action) {
  let alone = 0;
  let next = strategy;
  for (const hand of hands) {
    const now = next.map((row, place) => row[hand.number] ?? node.strategy[place][hand.number] ?? 0);
    const rest = now.reduce((sum, each, place) => (place === action ? sum : sum + each), 0);
    if (rest >= NOTHING) {
      next = withShare(next, node, [hand.number], action, 0);
      continue;
    }
    alone += 1;
    const others = now.map((_, place) => place).filter((place) => place !== action);
    const known = hand.actionEv && others.filter((place) => hand.actionEv[place] !== null);
    const best = known?.length ? known.reduce((most, place) => (hand.actionEv[place] > hand.actionEv[most] ? place : most)) : null;
    next = next.map((row, place) => row.with(hand.number, place === action ? 0 : best === null ? 1 / others.length : Number(place === best)));
  }
  return { strategy: next, alone };
}

/** Hands that are free again. */
export function withFree(strategy, numbers) {
  const chosen = new Set(numbers);
  return strategy.map((row) => row.map((share, number) => (chosen.has(number) ? null : share)));
}

/** Keep a strategy at a decision; without any locked hand its lock is gone. */
export function keepStrategy(locks, once, line, strategy) {
  if (strategy[0].some((share) => share !== null)) return { ...locks, [line]: { strategy, lock: null } };
  const { [line]: _, ...rest } = locks;
  return line in once.locks ? { ...rest, [line]: { removed: true } } : rest;
}
