// A table that sorts, and draws only the rows that can be seen.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { TOUCH, useMedia } from "./media.js";

const MANY = 120;
const BEYOND = 8;
const FINGER = 41; // pixels of a row that a finger hits, as in phone.css

/**
 * `columns`: `{key, title, value(row), cell(row), number, help, width}`; `value` is what is sorted by
 * (and shown where there is no `cell`), `number` aligns to the right. `rows` with `rowKey(row)`.
 * `sort` is `[key, descending]` to begin with, or controlled with `onSort`. `footer` is a row that stays below, such as
 * the mean, and `footer.name` stands in its first column. With `remote`, `{total, row(place), need(first, last)}`, the server
 * sorts, and gives the rows that can be seen: a row that is not there yet is undefined, `need` asks for those that can be seen.
 */
export function Table({ columns, rows, rowKey = (row, place) => row.id ?? place, sort: given = null, onSort, onRow, rowClass, rowHeight: givenHeight = 28, footer, label, empty = "Nothing here.", remote = null }) {
  const rowHeight = Math.max(givenHeight, useMedia(TOUCH) ? FINGER : 0);
  const [own, setOwn] = useState(given);
  const sort = onSort ? given : own;
  const sorted = useMemo(() => {
    const column = !remote && sort && columns.find((each) => each.key === sort[0]);
    if (!column) return rows;
    const value = column.value ?? ((row) => row[column.key]);
    const sign = sort[1] ? -1 : 1;
    return [...rows].sort((a, b) => sign * compare(value(a), value(b), sign));
  }, [rows, sort?.[0], sort?.[1], columns]);
  const choose = (column) => {
    const next = sort?.[0] === column.key ? [column.key, !sort[1]] : [column.key, Boolean(column.number)];
    onSort ? onSort(next) : setOwn(next);
  };
  const box = useRef();
  const [range, setRange] = useState([0, MANY]);
  const total = remote ? remote.total : sorted.length;
  const many = total > MANY;
  const look = () => {
    const element = box.current;
    if (!element || !many) return;
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - BEYOND);
    const last = first + Math.ceil(element.clientHeight / rowHeight) + 2 * BEYOND;
    // The same range, where nothing was scrolled: then nothing is drawn again.
    setRange((before) => (before[0] === first && before[1] === last ? before : [first, last]));
  };
  useEffect(look, [many, sorted, total]);
  const [first, last] = many ? [Math.min(range[0], total), Math.min(range[1], total)] : [0, total];
  useEffect(() => { remote?.need(first, last); }, [first, last, remote]);
  const shown = remote ? Array.from({ length: last - first }, (_, place) => remote.row(first + place)) : sorted.slice(first, last);
  return html`<div class=${`table-box${many ? " virtual" : ""}`} ref=${box} onScroll=${look} tabindex=${many ? 0 : undefined}>
    <table class="data" aria-label=${label} aria-rowcount=${total}>
      <thead><tr>${columns.map((column) => html`<th key=${column.key} class=${column.number ? "number" : ""} title=${column.help}
        style=${column.width ? { width: column.width } : undefined}
        aria-sort=${sort?.[0] === column.key ? (sort[1] ? "descending" : "ascending") : "none"}>
        ${column.title && column.sortable !== false
          ? html`<button type="button" onClick=${() => choose(column)}>${column.title}<span class="arrow">${sort?.[0] === column.key ? (sort[1] ? "▾" : "▴") : ""}</span></button>`
          : column.title}</th>`)}</tr></thead>
      <tbody>
        ${many && html`<tr aria-hidden="true" style=${{ height: `${first * rowHeight}px` }} />`}
        ${shown.map((row, place) => (row === undefined ? html`<tr key=${`wait-${first + place}`} style=${{ height: `${rowHeight}px` }}><td colspan=${columns.length} class="quiet-text">…</td></tr>` : html`<tr key=${rowKey(row, first + place)} class=${rowClass?.(row) ?? ""}
          style=${many ? { height: `${rowHeight}px` } : undefined} onClick=${onRow && ((event) => onRow(row, event))}>
          ${columns.map((column) => html`<td key=${column.key} class=${column.number ? "number" : ""}>${column.cell ? column.cell(row) : (column.value ? column.value(row) : row[column.key])}</td>`)}
        </tr>`))}
        ${many && html`<tr aria-hidden="true" style=${{ height: `${Math.max(0, total - last) * rowHeight}px` }} />`}
      </tbody>
      ${footer && html`<tfoot><tr>${columns.map((column, place) => html`<td key=${column.key} class=${column.number ? "number" : ""}>${place ? (column.cell ? column.cell(footer) : column.value ? column.value(footer) : footer[column.key]) : footer.name}</td>`)}</tr></tfoot>`}
    </table>
    ${!total && html`<p class="nothing">${empty}</p>`}
  </div>`;
}

/** What is missing comes last, whatever the direction. */
function compare(one, other, sign) {
  const missing = (value) => value === null || value === undefined || Number.isNaN(value);
  if (missing(one) || missing(other)) return sign * (missing(one) - missing(other));
  return typeof one === "string" ? one.localeCompare(other, undefined, { numeric: true }) : one - other;
}
