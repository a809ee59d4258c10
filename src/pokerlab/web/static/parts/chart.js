// Charts, drawn by uPlot in the colours of the page.
import { html, useEffect, useRef } from "/static/vendor/preact-htm.js";
import { colourOf } from "./colours.js";
import { isDark, usePreference } from "./preferences.js";

const LEGEND = 26; // pixels below a chart, kept free before it is drawn

let loading = null;

/** uPlot is a plain script; it is loaded with the first chart. */
function loadPlot() {
  loading ??= new Promise((resolve, reject) => {
    if (globalThis.uPlot) return resolve(globalThis.uPlot);
    const script = document.createElement("script");
    script.src = "/static/vendor/uPlot.iife.min.js";
    script.onload = () => resolve(globalThis.uPlot);
    script.onerror = reject;
    document.head.append(script);
    return undefined;
  });
  return loading;
}

/** On a logarithmic axis, lines for 1, 10, 100 alone; for all digits where these are too few. */
function powersOfTen(plot, splits) {
  const whole = splits.filter((split) => Math.abs(Math.log10(split) - Math.round(Math.log10(split))) < 1e-9);
  if (whole.length < 2) return splits.map((split) => (/^[125]/.test(split.toExponential()) ? split : null));
  return splits.map((split) => (whole.includes(split) ? split : null));
}

/**
 * `data` as uPlot has it (`[xs, ys, …]`), `series` a list of `{label, colour, dashed, points, value}`
 * with `colour` the name of a CSS variable, `xLabel`, `yLabel`, `log` for a logarithmic y, `xLog` for
 * x, `xFormat`, `yFormat` to write numbers. The chart fills the width of its place.
 */
export function Chart({ data, series, xLabel, yLabel, log = false, xLog = false, height = 260, xFormat, yFormat, xRange, yRange, label }) {
  const place = useRef();
  const chart = useRef(null);
  const shown = useRef(data);
  shown.current = data;
  const [theme] = usePreference("theme", "system");
  const [palette] = usePreference("palette", "plain");
  const dark = isDark();
  const form = JSON.stringify([series.map((each) => [each.label, each.colour, each.dashed]), log, xLog, xLabel, yLabel, height]);
  useEffect(() => {
    let gone = false;
    let watching;
    loadPlot().then((Plot) => {
      if (gone) return;
      const text = colourOf("--text-quiet"), lines = colourOf("--line");
      // An entry that is there without a value would take the place of what uPlot does by itself.
      const axis = (name, format, filter = {}) => ({
        label: name, stroke: text, labelSize: 18, font: "11px system-ui", labelFont: "11px system-ui",
        grid: { stroke: lines, width: 1, ...filter }, ticks: { stroke: lines, size: 4, ...filter }, ...filter,
        ...(format ? { values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : format(tick))) } : {}),
      });
      const options = {
        width: Math.max(120, place.current.clientWidth), height,
        scales: {
          x: { time: false, ...(xLog ? { distr: 3 } : {}), ...(xRange ? { range: xRange } : {}) },
          y: { ...(log ? { distr: 3 } : {}), ...(yRange ? { range: yRange } : {}) },
        },
        axes: [
          { ...axis(xLabel, xFormat, xLog ? { filter: powersOfTen } : {}), size: 32 },
          { ...axis(yLabel, yFormat, log ? { filter: powersOfTen } : {}), size: 72 },
        ],
        series: [{ label: xLabel, value: (_, value) => (value === null ? "" : (xFormat ?? String)(value)) }, ...series.map((each) => ({
          label: each.label, stroke: colourOf(each.colour), width: 2, dash: each.dashed ? [6, 4] : undefined,
          points: { show: each.points ?? false, size: 5 }, spanGaps: true,
          value: (_, value) => (value === null || value === undefined ? "" : (each.format ?? yFormat ?? String)(value)),
        }))],
        legend: { live: false }, cursor: { drag: { x: false, y: false } },
      };
      chart.current = new Plot(options, shown.current, place.current);
      watching = new ResizeObserver(() => {
        if (place.current?.clientWidth) chart.current.setSize({ width: place.current.clientWidth, height });
      });
      watching.observe(place.current);
    });
    return () => {
      gone = true;
      watching?.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [form, theme, palette, dark]);
  useEffect(() => chart.current?.setData(data), [data]);
  return html`<div class="chart" style=${{ minHeight: `${height + LEGEND}px` }} ref=${place} role="img" aria-label=${label ?? yLabel} />`;
}
