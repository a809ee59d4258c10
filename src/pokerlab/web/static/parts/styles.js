// Style sheets of pages and parts that are not on every page: each is loaded when it is first needed.
//
// Those that index.html names as `disabled` belong to all pages but the Library; there they keep their order.
const loaded = new Map();

/** A promise that the style sheet is there; without it the page is shown all the same. */
export function loadStyle(address) {
  if (!loaded.has(address)) {
    loaded.set(address, new Promise((resolve) => {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
      document.querySelector("link[href='/static/phone.css']").before(link); // which has the last word
    }));
  }
  return loaded.get(address);
}

/** A promise that the sheets which index.html names are there, too. */
export function loadNamedStyles() {
  return Promise.all([...document.querySelectorAll("link[rel=stylesheet][disabled]")].map((link) => {
    const there = new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }));
    link.disabled = false;
    return there;
  }));
}
