// What happens at a node where hands share storage: a group of hands plays one strategy.
//
// Rows of reach and values stay hand by hand. A hand looks up what its group plays; a thread that has a group
// adds up what its hands are worth, or how often they arrive, in the order of the hands. So threads look at
// the hands of others, and there are barriers before and after. A block walks one board.
#if GROUPED

// The groups of a player on a board; see `groups.py`.
struct Groups {
  const int *columns; // of the hands
  const int *first;   // where the members of each group begin; one more
  const int *members; // places of hands
  const Real *shares; // of the group's weight
  int length, count;  // of a row of storage; groups
};
DEVICE Groups groups_of(const int *numbers, const int *members, const Real *shares, int board) {
  const int *head = numbers + 4 * board;
  return {numbers + head[0], numbers + head[1], members, shares, head[2], head[3]};
}

// The hands of a node on which a thread works.
struct GroupedNode {
  const Instruction &i;
  const Real *slots, *tables;
  const u32 *cards;
  const Groups &groups;
  int actions, hand;
  // What a hand is worth behind an action.
  DEVICE Real value(int action, int place) const {
    if (action > 0 || !(flags_of(i) & FOLD)) return slots[row_of(i, action) * SLOT + place];
    const int wide = sizeof(Real) / 4;
    const u32 q = cards[place];
    const char *reach = (const char *)(slots + row_of(i, 0) * SLOT), *sums = (const char *)(tables + i.table * CARD_TABLE);
    const Real same = *(const Real *)(reach + (q >> 16) * wide), total = ((const Real *)sums)[TOTAL];
    return i.factor * (total + same - *(const Real *)(sums + (q & 255) * wide) - *(const Real *)(sums + ((q >> 8) & 255) * wide));
  }
  // What the thread's hands are worth if each plays what its group does.
  DEVICE Four mean(const Stored *weights, bool normalise) const {
    Four found;
    UNROLL for (int k = 0; k < 4; k++) {
      const Stored *own = weights + groups.columns[hand + k];
      Real total = 0, sum = 0, plain = 0;
      for (int a = 0; a < actions; a++) {
        const Real weight = positive(kept_one(own + a * groups.length)), v = value(a, hand + k);
        total += weight;
        sum += weight * v;
        plain += v;
      }
      found.v[k] = !normalise ? sum : some(total) ? sum / total : plain / actions;
    }
    return found;
  }
};

#if LOCKED
DEVICE void impose_lock_on_groups(const Groups &groups, Stored *weights, const float *locked, int actions, int thread) {
  for (int n = thread; n < actions * groups.length; n += THREADS)
    if (locked[n] >= 0) keep_one(weights + n, locked[n]);
}
#endif

// The opponent acts: split the reach; the sums of a group get the mean reach of its hands.
DEVICE void split_groups(const Instruction &i, Real *slots, Real *scratch, const Groups &groups, Stored *weights, Stored *sums, const float *locked, int hand,
                         int opposing, int team, const Step &step) {
  const int thread = threadIdx.x % THREADS, actions = actions_of(i), length = groups.length;
  const bool learn = WRITES_SUMS && (flags_of(i) & SUMS);
  const Real *source = slots + source_of(i) * SLOT;
#if LOCKED
  if (locked) {
    impose_lock_on_groups(groups, weights, locked, actions, thread);
    team_barrier<THREADS>(team);
  }
#endif
  if (learn) {
    team_barrier<THREADS>(team);
    for (int n = thread; n < groups.count; n += THREADS) {
      const int first = groups.first[n], last = groups.first[n + 1];
      Real total = 0;
      for (int m = first; m < last; m++) total += source[groups.members[m]];
      scratch[n] = total / (last - first);
    }
    team_barrier<THREADS>(team);
  }
  if (4 * thread < ROW) {
    Four reach = row(source + hand);
    Four total = zeros();
    int column[4];
    const bool there = hand < opposing;
    UNROLL for (int k = 0; k < 4; k++) {
      column[k] = there ? groups.columns[hand + k] : 0;
      reach.v[k] = there ? reach.v[k] : 0;
      for (int a = 0; a < actions; a++) total.v[k] += positive(kept_one(weights + a * length + column[k]));
    }
    for (int a = 0; a < actions; a++) {
      Four x;
      UNROLL for (int k = 0; k < 4; k++) {
        const Real share = some(total.v[k]) ? positive(kept_one(weights + a * length + column[k])) / total.v[k] : (Real)1 / actions;
        x.v[k] = there ? reach.v[k] * share : 0;
      }
      put(slots + row_of(i, a) * SLOT + hand, x);
    }
  }
  if (learn) {
    team_barrier<THREADS>(team); // the sums may be what the opponent plays
    for (int n = thread; n < groups.count; n += THREADS) {
      Real total = 0;
      for (int a = 0; a < actions; a++) total += positive(kept_one(weights + a * length + n));
      for (int a = 0; a < actions; a++) {
        const Real share = some(total) ? positive(kept_one(weights + a * length + n)) / total : (Real)1 / actions;
        Stored *sum = sums + a * length + n;
        keep_one(sum, kept_one(sum) * step.average + scratch[n] * share);
      }
    }
  }
}

#if TASK == LEARN || TASK == SEED || TASK == BEST_BY_GROUP
// A group learns from what its hands are worth together; also its best action, the last of equals.
DEVICE int learn_group(const GroupedNode &node, int group, Stored *weights, Stored *strategy, const Step &step) {
  const Groups &groups = node.groups;
  const int actions = node.actions, length = groups.length;
  Real v[MOST_ACTIONS];
  int best = 0;
  for (int a = 0; a < actions; a++) {
    Real total = 0;
    for (int m = groups.first[group]; m < groups.first[group + 1]; m++) total += groups.shares[m] * node.value(a, groups.members[m]);
    v[a] = total;
    if (total >= v[best]) best = a;
  }
#if TASK == LEARN && LEARNING == GREEDY
  const Real stays = 1 - step.greedy, away = step.hedge * ((Real)1 / actions);
  Real others = 0;
  for (int a = 0; a < actions; a++) {
    if (a == best) continue;
    const Real less = positive(kept_one(weights + a * length + group) * stays - away);
    others += less;
    keep_one(weights + a * length + group, less);
  }
  keep_one(weights + best * length + group, 1 - others);
#elif TASK != BEST_BY_GROUP
  const Stored *played = TASK == SEED ? strategy : weights;
  Real total = 0, mean = 0, plain = 0, largest = 0;
  for (int a = 0; a < actions; a++) {
    const Real weight = positive(kept_one(played + a * length + group));
    total += weight;
    mean += weight * v[a];
    plain += v[a];
    largest = larger(largest, weight);
  }
  mean = some(total) ? mean / total : plain / actions;
  for (int a = 0; a < actions; a++) {
    Stored *here = weights + a * length + group;
    const Real gain = v[a] - mean;
#if TASK == SEED || LEARNING == PREDICTED_REGRETS
    Stored *beside = strategy + a * length + group;
#endif
#if TASK == SEED
    const Real whole = some(total) ? total : 1, mixed = 1 - largest / whole;
    const Real scale = step.positive * (1 + mixed * (2 + 9 * mixed)) / whole;
    keep_one(here, positive(kept_one(beside)) * scale - positive(-gain) * step.negative);
#elif LEARNING == PREDICTED_REGRETS
    const Real before = kept_one(beside), after = before * (before > 0 ? step.positive : step.negative) + gain;
    keep_one(beside, after);
    keep_one(here, positive(after) + step.prediction * gain);
#else
    const Real before = kept_one(here);
    keep_one(here, before * (before > 0 ? step.positive : step.negative) + gain);
#endif
  }
#endif
  return best;
}
#endif

// The hero acts: the value of the node for each hand, and what the groups learn.
DEVICE void value_groups(const Instruction &i, Real *slots, const Real *tables, const u32 *cards, Real *scratch, const Groups &groups, Stored *weights,
                         Stored *strategy, const float *locked, int hand, int own, int team, const Step &step) {
  const int thread = threadIdx.x % THREADS;
  const GroupedNode node = {i, slots, tables, cards, groups, actions_of(i), hand};
  const bool there = hand < own && 4 * thread < ROW, greedy = LEARNING == GREEDY;
  const bool plays_best = TASK == BEST_BY_GROUP || (TASK == LEARN && greedy && PASSED_UP == BEST_VALUE);
  Four value = zeros();
#if LOCKED
  if (locked && TASK == LEARN) {
    impose_lock_on_groups(groups, weights, locked, node.actions, thread);
    team_barrier<THREADS>(team);
  }
#endif
  if (there && TASK == BEST) {
    UNROLL for (int k = 0; k < 4; k++) {
      value.v[k] = node.value(0, hand + k);
      for (int a = 1; a < node.actions; a++) value.v[k] = larger(value.v[k], node.value(a, hand + k));
    }
  } else if (there && !plays_best) {
    value = node.mean(TASK == LEARN ? weights : strategy, TASK != LEARN || !greedy);
  }
#if TASK == LEARN || TASK == SEED || TASK == BEST_BY_GROUP
  team_barrier<THREADS>(team);
  for (int n = thread; n < groups.count; n += THREADS) {
    const int best = learn_group(node, n, weights, strategy, step);
    if (plays_best) scratch[n] = (Real)best;
  }
  team_barrier<THREADS>(team);
  if (there && TASK == LEARN && PASSED_UP == NEW_VALUE) value = node.mean(weights, true);
  if (there && plays_best) {
    UNROLL for (int k = 0; k < 4; k++) {
      const int column = groups.columns[hand + k];
      value.v[k] = node.value(column < groups.count ? (int)scratch[column] : 0, hand + k);
    }
  }
#endif
#if LOCKED
  if (there && locked) { // not even a best response leaves a locked strategy
    UNROLL for (int k = 0; k < 4; k++) {
      const float *share = locked + groups.columns[hand + k];
      if (share[0] < 0) continue;
      value.v[k] = 0;
      for (int a = 0; a < node.actions; a++) value.v[k] += node.value(a, hand + k) * (Real)share[a * groups.length];
    }
  }
#endif
  if (flags_of(i) & FOLD) team_barrier<THREADS>(team); // others may still read the row that is written
  if (there) put(slots + out_of(i) * SLOT + hand, value);
}
#endif
