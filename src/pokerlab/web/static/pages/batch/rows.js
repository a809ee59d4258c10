// The rows of a report: boards, classes of flops, and their means, by the names of the columns.

/** A number for people: a share in percent, or an EV in the unit that was chosen; a dash for what is not known. */
export function show(value, share, units) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (share) return `${(100 * value).toFixed(1)}%`;
  return units && units.unit !== "chips" ? units.write(value) : value.toFixed(2);
}

/** The boards, each an object with all columns. */
export function rowsOf(report) {
  const names = Object.keys(report.columns);
  const id = location.pathname.split("/")[2];
  return report.columns.board.map((board, place) => {
    const row = { order: place, place: report.places[place], solution: `${id}-${board}` };
    for (const name of names) row[name] = report.columns[name][place];
    row.texture = [row.high, row.pairing, row.suits, row.connectedness, later(row.turn), later(row.river)].filter(Boolean).join(", ");
    return row;
  });
}

/** What a later card does, in words: `flush-draw-turn` is a "flush draw turn". */
function later(word) {
  return word && !word.startsWith("no-") ? word.replaceAll("-", " ") : "";
}

/** The classes of boards, with the same names. */
export function groupRows(report) {
  return report.groups.map((group, place) => ({ ...flat(group), name: group.flops, boards: group.boards, place }));
}

/** The mean as the last row of a table. */
export function means(report, name) {
  return { ...flat(report.mean), board: name, flops: name, name, texture: "", boards: report.mean.boards, mean: true };
}

function flat(mean) {
  const found = { weight: mean.weight };
  for (const [seat, player] of ["oop", "ip"].entries()) {
    found[`${player}_ev`] = mean.ev[seat];
    found[`${player}_equity`] = mean.equity[seat];
    found[`${player}_realisation`] = mean.realisation[seat];
  }
  for (const [action, share] of Object.entries(mean.actions)) {
    found[action] = share;
    found[`${action}_ev`] = mean.action_ev[action];
  }
  return found;
}
