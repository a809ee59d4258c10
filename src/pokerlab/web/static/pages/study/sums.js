// Sums over hands, as ``pokerlab show --json`` makes them: frequencies by weight, EVs and equities by
// `met`, the weight of a hand times that of the opposing hands that it can meet.

/** The hands of a player at a place: a list of `{number, name, weight, strategy, ev, equity, …}`. */
export function handsOf(once, node, values, seat) {
  const weights = node.weights?.[seat];
  if (!weights) return [];
  const acts = node.kind === "decision" && node.seat === seat;
  const worth = values?.line === node.line ? values : null;
  const locked = new Set(acts ? node.locked : []);
  return once.hands[seat].map((name, number) => {
    const ev = worth ? worth.ev[seat][number] : null, equity = worth ? worth.equity[seat][number] : null;
    return {
      number, name, class: once.classes[seat][number], weight: weights[number],
      strategy: acts ? node.strategy.map((row) => row[number]) : null, locked: locked.has(number),
      made: node.made?.[seat][number], draws: node.draws?.[seat][number] ?? 0,
      met: worth ? worth.met[seat][number] : 0, ev, equity, realised: realised(ev, equity, node.pot),
      actionEv: acts && worth ? worth.action_ev.map((row) => row[number]) : null,
      second: acts && worth ? lostBySecond(worth.action_ev.map((row) => row[number])) : null,
    };
  });
}

/** What the second-best action loses; null where there is none. */
function lostBySecond(evs) {
  const known = evs.filter((ev) => ev !== null).sort((a, b) => b - a);
  return known.length > 1 ? known[0] - known[1] : null;
}

function realised(ev, equity, pot) {
  return ev === null || !equity ? null : ev / (equity * pot);
}

/** What some hands do and earn together. */
export function sumHands(hands, actions, pot) {
  let weight = 0, count = 0, counted = 0, ev = 0, equity = 0, second = 0, chose = 0;
  const strategy = new Array(actions).fill(0), actionEv = new Array(actions).fill(0);
  for (const hand of hands) {
    if (!(hand.weight > 0)) continue;
    weight += hand.weight;
    count += 1;
    if (hand.strategy) for (let action = 0; action < actions; action += 1) strategy[action] += hand.weight * (hand.strategy[action] ?? 0);
    if (hand.met > 0 && hand.ev !== null) {
      counted += hand.met;
      ev += hand.met * hand.ev;
      equity += hand.met * (hand.equity ?? 0);
      if (hand.second !== null) {
        chose += hand.met;
        second += hand.met * hand.second;
      }
      if (hand.actionEv) for (let action = 0; action < actions; action += 1) actionEv[action] += hand.met * hand.actionEv[action];
    }
  }
  const mean = (total) => (counted > 0 ? total / counted : null);
  return {
    weight, count, strategy: strategy.map((share) => (weight > 0 ? share / weight : 0)),
    ev: mean(ev), equity: mean(equity), realised: realised(mean(ev), mean(equity), pot), actionEv: actionEv.map(mean), second: chose > 0 ? second / chose : null,
  };
}

/** Lists of hands by class: 169 of them. */
export function byClass(hands) {
  const found = Array.from({ length: 169 }, () => []);
  for (const hand of hands) found[hand.class].push(hand);
  return found;
}

/** How many combos each class has on a board. */
export function possible(board, classNames) {
  const ranks = {}, suits = {};
  for (const card of board) {
    ranks[card[0]] = (ranks[card[0]] ?? 0) + 1;
    (suits[card[0]] ??= []).push(card[1]);
  }
  const left = (rank) => 4 - (ranks[rank] ?? 0);
  return classNames.map((name) => {
    const [high, low, kind] = name;
    if (high === low) return (left(high) * (left(high) - 1)) / 2;
    const suited = [..."shdc"].filter((suit) => !suits[high]?.includes(suit) && !suits[low]?.includes(suit)).length;
    return kind === "s" ? suited : left(high) * left(low) - suited;
  });
}

export const BUCKETS = Array.from({ length: 10 }, (_, place) => `${90 - 10 * place}-${100 - 10 * place}%`);

export function bucketOf(equity) {
  return equity === null ? -1 : 9 - Math.min(9, Math.floor(10 * equity));
}

/** A function that says whether a hand passes; null for a text that the server must read. */
export function localFilter(text, once) {
  const tests = [];
  for (const part of text.split("&").map((each) => each.trim())) {
    const made = once.made_names.indexOf(part), draw = once.draw_names.indexOf(part);
    const kind = once.class_names.indexOf(part), bucket = BUCKETS.indexOf(part);
    if (made >= 0) tests.push((hand) => hand.made === made);
    else if (draw >= 0) tests.push((hand) => Boolean((hand.draws >> draw) & 1));
    else if (bucket >= 0) tests.push((hand) => bucketOf(hand.equity) === bucket);
    else if (kind >= 0) tests.push((hand) => hand.class === kind);
    else return null;
  }
  return (hand) => tests.every((test) => test(hand));
}

/** Whether a text holds a part that only this page knows, as the tenths of equity. */
export function onlyHere(text) {
  return text.split("&").some((part) => BUCKETS.includes(part.trim()));
}

export function percent(value, digits = 1) {
  if (value === null || value === undefined) return "–";
  const rounded = (100 * value).toFixed(digits);
  return `${Number(rounded) === 0 ? (0).toFixed(digits) : rounded}%`;
}

/** Chips: as many digits as help. */
export function chips(value) {
  if (value === null || value === undefined) return "–";
  const rounded = value.toFixed(Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2);
  return Number(rounded) === 0 ? (0).toFixed(2) : rounded;
}

const ACTIONS = { f: "Fold", x: "Check", c: "Call", b: "Bet", r: "Raise to", a: "All-in" };

/** An action of a line in words: “Bet 50” for “b50”. */
export function actionWords(action) {
  return `${ACTIONS[action[0]] ?? action[0]} ${action.slice(1)}`.trim();
}
