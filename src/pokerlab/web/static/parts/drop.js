// Files that are dropped on a page, whole folders too, or chosen, and sent to the folder that is served.
import { useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { upload } from "./api.js";

const KNOWN = /\.(toml|safetensors|txt|csv|tsv|phh|phhs|xml)$/i;
const MOST_FILES = 5000;

/** Send files one after the other: what was added, and a line for each that was refused; `tell(done, all)` is called on the way. */
export async function sendFiles(files, tell = () => {}) {
  const added = [];
  const faults = [];
  for (const [place, file] of files.entries()) {
    if (files.length > 3) tell(place, files.length);
    try {
      added.push(await upload(`/api/library/upload?name=${encodeURIComponent(file.name)}`, file));
    } catch (problem) {
      faults.push(`${file.name}: ${problem.message}`);
    }
  }
  return { added, faults };
}

/** Whether files are dragged over the page; `add` gets those that are dropped, of folders those whose endings are known. */
export function useDrop(add) {
  const [over, setOver] = useState(false);
  const current = useRef(add);
  current.current = add;
  useEffect(() => {
    const enter = (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => event.relatedTarget || setOver(false);
    const drop = async (event) => {
      event.preventDefault();
      setOver(false);
      // Entries are gone once this function waits, so all are taken first.
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
      const plain = [...event.dataTransfer.files];
      const files = entries.some((entry) => entry.isDirectory) ? await inFolders(entries) : plain;
      if (files.length) current.current(files);
    };
    addEventListener("dragover", enter);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}

/** The files of entries, of folders all below them. */
async function inFolders(entries) {
  const found = [];
  const waiting = [...entries];
  while (waiting.length && found.length < MOST_FILES) {
    const entry = waiting.shift();
    if (entry.isFile) {
      const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
      if (file && KNOWN.test(file.name)) found.push(file);
      continue;
    }
    const reader = entry.createReader();
    for (;;) { // a reader gives a hundred at a time
      const more = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
      if (!more.length) break;
      waiting.push(...more);
    }
  }
  return found;
}
