// Runs before anything is painted, so that a dark page never flashes white.
try {
  const kept = JSON.parse(localStorage.getItem("pokerlab") || "{}");
  if (kept.theme === "light" || kept.theme === "dark") document.documentElement.dataset.theme = kept.theme;
  if (kept.palette === "safe") document.documentElement.dataset.palette = "safe";
} catch {
  // A browser that keeps nothing shows what the system prefers.
}
