// How exactly to solve: one default for all pages, and what was typed last for each spot.
import { preference, setPreference } from "./preferences.js";

export const TARGET = "0.3%";
const MOST_KEPT = 200;

/** The target of a spot: the one that was used for it last, or the default. */
export function targetOf(id) {
  const kept = preference("targets", []).find(([spot]) => spot === id);
  return id && kept ? kept[1] : TARGET;
}

/** Remember the target of a spot; a spot without a file has none. */
export function keepTarget(id, target) {
  if (!id) return;
  const others = preference("targets", []).filter(([spot]) => spot !== id);
  setPreference("targets", [...(target === TARGET ? [] : [[id, target]]), ...others].slice(0, MOST_KEPT));
}
