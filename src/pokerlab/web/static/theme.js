// Writes to the root whether the page is light or dark, and its palette: style sheets look there alone.
// Runs before anything is painted, so that a dark page never flashes white.
globalThis.applyTheme = ({ theme, palette }) => {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = theme === "light" || theme === "dark" ? theme : system;
  if (palette === "safe") dataset.palette = "safe";
  else delete dataset.palette;
  // The colour of the header, for the frame of an installed page.
  document.querySelector("meta[name=theme-color]").content = dataset.theme === "dark" ? "#1b201c" : "#ffffff";
};
try {
  globalThis.applyTheme(JSON.parse(localStorage.getItem("pokerlab") || "{}"));
} catch {
  globalThis.applyTheme({}); // a browser that keeps nothing
}
