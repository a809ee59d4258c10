// The pages: which module belongs to an address, the frame around it, and keys that hold everywhere.
import { html, render, useEffect, useErrorBoundary, useRef, useState } from "/static/vendor/preact-htm.js";
import { retry, useLost } from "./parts/api.js";
import { Dialog } from "./parts/dialog.js";
import { KeysHelp, isTyping, useKeys } from "./parts/keys.js";
import { NARROW, useMedia } from "./parts/media.js";
import { Link, go, useLocation } from "./parts/navigation.js";
import { loadNamedStyles, loadStyle } from "./parts/styles.js";
import { usePreference } from "./parts/preferences.js";
import { UNITS, chosenUnit } from "./parts/units.js";

// An address, the module that shows it, and its own styles. Parts in brackets become `params`.
const PAGES = [
  [/^\/$/, () => import("./pages/library.js")],
  [/^\/batch\/(?<id>[^/]+)$/, () => import("./pages/batch.js")],
  [/^\/spot\/(?<id>\w+)$/, () => import("./pages/editor.js")],
  [/^\/games$/, () => import("./pages/games.js")],
  [/^\/job\/(?<id>\w+)$/, () => import("./pages/run.js")],
  [/^\/solution\/live-(?<id>[0-9a-f]+)(?:-(?<at>\d+))?$/, () => import("./pages/live.js"), "/static/pages/live.css"],
  [/^\/solution\/(?<id>[^/]+)$/, () => import("./pages/study.js")],
  [/^\/solution\/(?<id>[^/]+)\/report$/, () => import("./pages/report.js")],
  [/^\/strategy\/(?<id>[^/]+)$/, () => import("./pages/strategy.js")],
  [/^\/compare\/(?<first>[^/]+)\/(?<second>[^/]+)$/, () => import("./pages/compare.js")],
  [/^\/train$/, () => import("./pages/train/folder.js"), "/static/pages/train/folder.css"],
  [/^\/train\/(?<id>[^/]+)$/, () => import("./pages/train.js")],
  [/^\/play$/, () => import("./pages/play.js")],
  [/^\/preflop$/, () => import("./pages/preflop.js"), "/static/pages/preflop.css"],
  [/^\/hands$/, () => import("./pages/hands/list.js"), "/static/pages/hands/hands.css"],
  [/^\/hands\/of\/(?<file>\w+)\/(?<place>\d+)$/, () => import("./pages/hands/hand.js"), "/static/pages/hands/hands.css"],
  [/^\/hands\/judged\/(?<id>\w+)$/, () => import("./pages/hands/judged.js"), "/static/pages/hands/hands.css"],
  [/^\/pushfold$/, () => import("./pages/pushfold.js"), "/static/pages/pushfold.css"],
];

function findPage(path) {
  for (const [pattern, load, style] of PAGES) {
    const found = pattern.exec(path);
    if (found) return { load: () => Promise.all([load(), path !== "/" && loadNamedStyles(), style && loadStyle(style)]).then(([module]) => module), params: { ...found.groups } };
  }
  return null;
}

function App() {
  const { path, query } = useLocation();
  const [page, setPage] = useState(null);
  // While the next page loads, the one that is still shown keeps its own query.
  const shownQuery = useRef(query);
  if (page?.path === path) shownQuery.current = query;
  const [failed, setFailed] = useState(null);
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const narrow = useMedia(NARROW);
  useTitle();
  const lost = useLost();
  useEffect(() => {
    const found = findPage(path);
    let gone = false;
    setFailed(null);
    if (!found) setPage({ path, module: null });
    else found.load().then(
      (module) => gone || setPage({ path, module, params: found.params }),
      () => gone || setFailed("This page could not be loaded."),
    );
    return () => { gone = true; };
  }, [path]);
  const first = useRef(true);
  useEffect(() => {
    // Readers of the screen, and Tab, begin with the new page.
    if (!first.current) document.getElementById("main").focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  const common = {
    "?": [() => setHelp(true), "this help"],
    h: [() => go("/"), "Library"],
    Escape: [(event) => isTyping(event.target) && event.target.blur(), ""],
  };
  useKeys(common);
  useKeys(page?.module?.keys ?? {});
  return html`
    <a class="skip" href="#main">Skip to the page</a>
    <header class="top">
      <${Link} href="/" class="brand"><img src="/static/icon.svg" alt="" width="22" height="22" /><span class="brand-name">pokerlab</span><//>
      <nav aria-label="Pages"><${PageLinks} path=${path} /></nav>
      <span class="space" />
      <${UnitSwitch} />
      ${narrow ? html`<button type="button" class="quiet icon" id="menu" aria-haspopup="dialog" aria-label="Menu" onClick=${() => setMenu(true)}>☰</button>` : html`<${Switches} />
      <button type="button" class="quiet icon" aria-label="Keys" title="Keys (?)" onClick=${() => setHelp(true)}>?</button>`}
    </header>
    ${lost && html`<div class="banner" role="alert"><span>${lost}</span><button type="button" onClick=${retry}>Try again</button></div>`}
    <main id="main" tabindex="-1">
      ${failed ? html`<p class="error">${failed}</p>`
        : !page ? html`<p class="nothing">…</p>`
        : !page.module ? html`<section class="narrow"><h1>There is no such page</h1><p><${Link} href="/">To the Library<//></p></section>`
        : html`<${Guard} key=${page.path}><${page.module.default} params=${page.params} query=${shownQuery.current} /><//>`}
    </main>
    ${menu && html`<${Menu} path=${path} onClose=${() => setMenu(false)} />`}
    ${help && html`<${KeysHelp} onClose=${() => setHelp(false)} />`}`;
}

/** All pages, in the header and in the menu; on a telephone the first five are at the bottom, too. */
function PageLinks({ path }) {
  return html`
    <${NavLink} href="/" path=${path}>Library<//>
    <${NavLink} href="/preflop" path=${path}>Preflop<//>
    <${NavLink} href="/batch/new" path=${path} below="/batch/">Batch<//>
    <${NavLink} href="/train" path=${path}>Train<//>
    <${NavLink} href="/play" path=${path}>Play<//>
    <${NavLink} href="/hands" path=${path}>Hands<//>
    <${NavLink} href="/pushfold" path=${path}>Push/fold<//>
    <${NavLink} href="/games" path=${path}>Games<//>`;
}

/** What the header has no room for on a telephone. */
function Menu({ path, onClose }) {
  const place = useRef(path);
  useEffect(() => { if (path !== place.current) onClose(); }, [path]);
  return html`<${Dialog} title="Menu" sheet onClose=${onClose}>
    <nav class="sheet-list" aria-label="All pages"><${PageLinks} path=${path} /></nav>
    <div class="sheet-list"><${Switches} words /></div>
  <//>`;
}

/** The window is called as the heading of the page, unless the page says more. */
function useTitle() {
  useEffect(() => {
    let known = null;
    const look = () => {
      const now = document.querySelector("#main h1")?.textContent.trim();
      if (now && now !== known) document.title = `${now} · pokerlab`;
      known = now ?? known;
    };
    const watching = new MutationObserver(look);
    watching.observe(document.getElementById("main"), { childList: true, characterData: true, subtree: true });
    look();
    return () => watching.disconnect();
  }, []);
}

function NavLink({ href, path, below = href, children }) {
  const current = href === "/" ? path === "/" : path.startsWith(below);
  return html`<${Link} href=${href} aria-current=${current ? "page" : undefined}>${children}<//>`;
}

/** A fault of one page is shown in its place, and the frame stays. */
function Guard({ children }) {
  const [error, again] = useErrorBoundary((problem) => console.error(problem));
  if (!error) return children;
  return html`<section class="narrow"><h1>This page has failed</h1><p class="error">${String(error.message ?? error)}</p>
    <button type="button" onClick=${again}>Try again</button></section>`;
}

const THEMES = { system: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

function UnitSwitch() {
  const [, setUnit] = usePreference("unit", "chips");
  return html`<select id="unit-switch" aria-label="Unit of results" title="Results in chips, big blinds, percent of the pot, or of the prizes" value=${chosenUnit()} onChange=${(event) => setUnit(event.target.value)}>
    ${Object.entries(UNITS).map(([name, { title }]) => html`<option key=${name} value=${name}>${title}</option>`)}</select>`;
}

/** Palette and theme; with `words` beside the pictures. */
function Switches({ words = false }) {
  const [theme, setTheme] = usePreference("theme", "system");
  const [palette, setPalette] = usePreference("palette", "plain");
  const names = Object.keys(THEMES);
  const following = names[(names.indexOf(theme) + 1) % names.length];
  const safe = palette === "safe";
  const look = words ? "quiet" : "quiet icon";
  return html`
    <button type="button" class=${look} id="palette-switch" aria-pressed=${safe} aria-label="Colours for colour-blind people"
      title=${`Colours for colour-blind people: ${safe ? "on" : "off"}`} onClick=${() => setPalette(safe ? "plain" : "safe")}><span class="palette-icon" aria-hidden="true"><i /><i /><i /></span>${words && " Colours for colour-blind people"}</button>
    <button type="button" class=${look} id="theme-switch" aria-label=${`Theme: ${THEMES[theme][1]}`}
      title=${`Theme: ${THEMES[theme][1]}`} onClick=${() => setTheme(following)}>${THEMES[theme][0]}${words && ` Theme: ${THEMES[theme][1]}`}</button>`;
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} />`, place);
