// What kind of screen this is: a page asks only where CSS alone cannot say it.
import { useEffect, useState } from "/static/vendor/preact-htm.js";

/** As wide as a telephone; the same width is in phone.css. */
export const NARROW = "(max-width: 640px)";
/** Where a finger points: phone.css makes everything large enough to be hit. */
export const TOUCH = "(max-width: 640px), (pointer: coarse)";

/** Whether the screen is one of these now; the component follows. */
export function useMedia(query) {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const listener = () => setFits(list.matches);
    listener();
    list.addEventListener("change", listener);
    return () => list.removeEventListener("change", listener);
  }, [query]);
  return fits;
}
