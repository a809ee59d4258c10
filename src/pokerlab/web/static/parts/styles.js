// Style sheets of pages and parts that are not on every page: each is loaded when it is first needed.
const loaded = new Map();

/** A promise that the style sheet is there; without it the page is shown all the same. */
export function loadStyle(address) {
  if (!loaded.has(address)) {
    loaded.set(address, new Promise((resolve) => {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
      document.head.append(link);
    }));
  }
  return loaded.get(address);
}
