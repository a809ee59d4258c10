// What happens at a node where hands share storage: a group of hands plays one strategy.
//
// Rows of reach and values stay hand by hand. First a thread takes a group: it adds up what the hands of the
// group are worth, or how often they arrive, in the order of the hands, learns, and writes down in the scratch
// what the group plays. Then every thread looks up what the groups of its hands play. Threads look at the
// hands of others, so there is a barrier before each of the two. A block walks one board. Buckets, which are groups of
// hands on all boards, are looked up at once: nobody learns.
#if GROUPED

// The groups of a player on a board; see `groups.py`.
struct Groups {
  const u16 *columns; // of the hands
  const int *first;   // where the members of each group begin; one more
  const u16 *members; // places of hands
  const Real *shares; // of the group's weight
  int length, count;  // of a row of storage; groups
};
DEVICE Groups groups_of(const int *numbers, const u16 *columns, const u16 *members, const Real *shares, int board) {
  const int *head = numbers + 4 * board;
  return {columns + head[0], numbers + head[1], members, shares, head[2], head[3]};
}

#if GROUPED == BY_BUCKET
// The opponent acts: every thread looks up what the buckets of its hands play. Probabilities are stored, the same for
// all boards.
DEVICE void split_buckets(const Instruction &i, Real *slots, const Groups &groups, const Stored *played, int hand, int opposing) {
  if (4 * (int)(threadIdx.x % THREADS) >= ROW) return;
  const int actions = actions_of(i);
  const bool there = hand < opposing;
  const Four reach = row(slots + source_of(i) * SLOT + hand);
  Halves4 column = {{0, 0, 0, 0}};
  if (there) column = *(const Halves4 *)(groups.columns + hand);
  for (int a = 0; a < actions; a++) {
    Four x;
    UNROLL for (int k = 0; k < 4; k++) x.v[k] = there ? reach.v[k] * kept_one(played + (size_t)a * groups.length + column.v[k]) : 0;
    put(slots + row_of(i, a) * SLOT + hand, x);
  }
}
#else
// Nodes of up to five actions have code of their own; MOST is the number of actions, or more than any node has.
#define FEW 5
#define ACTIONS_OF(i) (MOST > FEW ? actions_of(i) : MOST)
#define FOR_ACTIONS(a) UNROLL for (int a = 0; a < MOST; a++) if (MOST <= FEW || a < actions)

// From what a strategy is proportional to.
template <int MOST> DEVICE void normalise(Real *x, int actions) {
  Real total = 0;
  FOR_ACTIONS(a) {
    x[a] = positive(x[a]);
    total += x[a];
  }
  const bool any = some(total);
  const Real factor = any ? 1 / total : (Real)1 / actions;
  FOR_ACTIONS(a) x[a] = any ? x[a] * factor : factor;
}

// What is stored for a group; where it is locked for all it does, that takes its place.
template <int MOST> DEVICE void load_group(Real *x, Stored *weights, int length, const float *locked, int actions) {
  FOR_ACTIONS(a) {
#if LOCKED
    if (locked && locked[a * length] >= 0) keep_one(weights + a * length, locked[a * length]);
#endif
    x[a] = kept_one(weights + a * length);
  }
}

// The opponent acts: what one of their groups plays; its sums get the mean reach of its hands.
template <int MOST>
DEVICE void split_group(const Instruction &i, const Real *source, Real *played, const Groups &groups, Stored *weights, Stored *sums, const float *locked,
                        Real free, int n, const Step &step) {
  const int actions = ACTIONS_OF(i), length = groups.length;
  Real x[MOST];
  load_group<MOST>(x, weights + n, length, locked && !(free > 0) ? locked + n : 0, actions);
  normalise<MOST>(x, actions);
#if LOCKED
  if (locked && free > 0 && locked[n] >= 0) {
    FOR_ACTIONS(a) x[a] = free * x[a] + (Real)locked[a * length + n];
  }
#endif
  FOR_ACTIONS(a) played[a * groups.count + n] = x[a];
  if (WRITES_SUMS && (flags_of(i) & SUMS)) {
    const int first = groups.first[n], last = groups.first[n + 1];
    Real reach = 0;
    _Pragma("unroll 4") for (int m = first; m < last; m++) reach += source[groups.members[m]];
    reach /= last - first;
    FOR_ACTIONS(a) {
      Stored *sum = sums + a * length + n;
      keep_sum(sum, kept_one(sum) * step.average + reach * x[a], step.turn, n);
    }
  }
}

DEVICE void split_groups(const Instruction &i, Real *slots, Real *scratch, const Groups &groups, Stored *weights, Stored *sums, const float *locked, Real free,
                         int hand, int opposing, int team, const Step &step) {
  const int thread = threadIdx.x % THREADS, actions = actions_of(i);
  const Real *source = slots + source_of(i) * SLOT;
  team_barrier<THREADS>(team);
  for (int n = thread; n < groups.count; n += THREADS) {
    if (actions == 2) split_group<2>(i, source, scratch, groups, weights, sums, locked, free, n, step);
    else if (actions == 3) split_group<3>(i, source, scratch, groups, weights, sums, locked, free, n, step);
#if MOST_ACTIONS >= 4
    else if (actions == 4) split_group<4>(i, source, scratch, groups, weights, sums, locked, free, n, step);
#endif
#if MOST_ACTIONS >= 5
    else if (actions == 5) split_group<5>(i, source, scratch, groups, weights, sums, locked, free, n, step);
#endif
#if MOST_ACTIONS >= 6
    else if (actions >= 6) split_group<MOST_ACTIONS>(i, source, scratch, groups, weights, sums, locked, free, n, step);
#endif
    else split_group<1>(i, source, scratch, groups, weights, sums, locked, free, n, step);
  }
  team_barrier<THREADS>(team);
  if (4 * thread < ROW) {
    const bool there = hand < opposing;
    const Four reach = row(source + hand);
    Halves4 column = {{0, 0, 0, 0}};
    if (there) column = *(const Halves4 *)(groups.columns + hand);
    for (int a = 0; a < actions; a++) {
      Four x;
      UNROLL for (int k = 0; k < 4; k++) x.v[k] = there && column.v[k] < groups.count ? reach.v[k] * scratch[a * groups.count + column.v[k]] : 0;
      put(slots + row_of(i, a) * SLOT + hand, x);
    }
  }
}

// The hero acts: what one of their groups plays, and what it learns from the values of its hands together. The
// values of action a are at `slots + at[a]`.
template <int MOST>
DEVICE void value_group(const Instruction &i, const Real *slots, const Real *folded, Real *played, const Groups &groups, Stored *weights, Stored *strategy,
                        const float *locked, Real free, int n, const Step &step) {
  const int actions = ACTIONS_OF(i), length = groups.length;
  Real x[MOST];
  load_group<MOST>(x, (TASK == LEARN ? weights : strategy) + n, length, TASK == LEARN && locked && !(free > 0) ? locked + n : 0, actions);
#if LOCKED && TASK == SEED
  if (locked && free > 0 && locked[n] >= 0) { // regrets are those of the free part
    normalise<MOST>(x, actions);
    FOR_ACTIONS(a) x[a] = positive(x[a] - (Real)locked[a * length + n]);
  }
#endif
#if TASK == MEAN
  normalise<MOST>(x, actions);
#else
  Real v[MOST];
  int at[MOST];
  FOR_ACTIONS(a) {
    v[a] = 0;
    at[a] = a == 0 && (flags_of(i) & FOLD) ? (int)(folded - slots) : row_of(i, a) * SLOT;
  }
  const int last = groups.first[n + 1];
  _Pragma("unroll 2") for (int m = groups.first[n]; m < last; m++) {
    const int place = groups.members[m];
    const Real share = groups.shares[m];
    FOR_ACTIONS(a) v[a] += share * slots[at[a] + place];
  }
  int best = 0; // the last of equals
  Real most = v[0];
  FOR_ACTIONS(a) {
    best = v[a] >= most ? a : best;
    most = larger(most, v[a]);
  }
#if TASK == BEST_BY_GROUP
  FOR_ACTIONS(a) x[a] = a == best;
#elif TASK == LEARN && LEARNING == GREEDY
  const Real stays = 1 - step.greedy, away = step.hedge * ((Real)1 / actions);
  Real others = 0, after[MOST];
  FOR_ACTIONS(a) {
    after[a] = a == best ? 0 : positive(x[a] * stays - away);
    others += after[a];
  }
  FOR_ACTIONS(a) keep_one(weights + a * length + n, a == best ? 1 - others : after[a]);
  if (PASSED_UP == BEST_VALUE) {
    FOR_ACTIONS(a) x[a] = a == best;
  }
#else
  Real mean = 0, largest = 0, total = 0;
  FOR_ACTIONS(a) {
    largest = larger(largest, x[a]);
    total += positive(x[a]);
  }
  const Real before_scale = some(total) ? total : 1;
  Real before[MOST];
  FOR_ACTIONS(a) before[a] = x[a];
  normalise<MOST>(x, actions);
  FOR_ACTIONS(a) mean += x[a] * v[a];
  FOR_ACTIONS(a) {
    Stored *here = weights + a * length + n;
    const Real gain = v[a] - mean;
#if TASK == SEED
    const Real mixed = 1 - largest / before_scale, scale = step.positive * (1 + mixed * (2 + 9 * mixed)) / before_scale;
    keep_one(here, unmarked(positive(before[a]) * scale - positive(-gain) * step.negative));
#elif LEARNING == PREDICTED_REGRETS
    Stored *regret = strategy + a * length + n;
    const Real old = kept_one(regret), now = old * (old > 0 ? step.positive : step.negative) + gain;
    keep_one(regret, now);
    keep_one(here, now > 0 ? now + step.prediction * gain : (step.prediction + step.trial) * gain);
#else
    const Real old = regret_in(before[a]);
    keep_one(here, weight_of(old * (old > 0 ? step.positive : step.negative) + gain, step.trial * gain));
#endif
  }
#endif
  if (TASK == LEARN && PASSED_UP == NEW_VALUE) {
    load_group<MOST>(x, weights + n, length, 0, actions);
    normalise<MOST>(x, actions);
  }
#endif
#if LOCKED
  if (locked && locked[n] >= 0) { // not even a best response leaves a locked strategy
    FOR_ACTIONS(a) x[a] = free * x[a] + (Real)locked[a * length + n];
  }
#endif
  FOR_ACTIONS(a) played[a * groups.count + n] = x[a];
}

DEVICE void value_groups(const Instruction &i, Real *slots, const Real *tables, const u32 *cards, Real *scratch, const Groups &groups, Stored *weights,
                         Stored *strategy, const float *locked, Real free, int hand, int own, int team, const Step &step) {
  const int thread = threadIdx.x % THREADS, actions = actions_of(i);
  const bool there = hand < own && 4 * thread < ROW, fold = flags_of(i) & FOLD;
  Real *folded = scratch, *played = scratch + ROW;
  Four value = zeros();
  team_barrier<THREADS>(team);
  if (fold) {
    if (there) put(folded + hand, fold_values(i, slots, tables, cards + hand));
    team_barrier<THREADS>(team);
  }
#if TASK == BEST
  if (there) {
    for (int a = 0; a < actions; a++) {
      const Four v = row(a == 0 && fold ? folded + hand : slots + row_of(i, a) * SLOT + hand);
      UNROLL for (int k = 0; k < 4; k++) value.v[k] = a == 0 ? v.v[k] : larger(value.v[k], v.v[k]);
    }
#if LOCKED
    if (locked) {
      UNROLL for (int k = 0; k < 4; k++) {
        const float *share = locked + groups.columns[hand + k];
        if (share[0] < 0) continue;
        value.v[k] *= free;
        for (int a = 0; a < actions; a++) value.v[k] += (a == 0 && fold ? folded[hand + k] : slots[row_of(i, a) * SLOT + hand + k]) * (Real)share[a * groups.length];
      }
    }
#endif
  }
#else
  for (int n = thread; n < groups.count; n += THREADS) {
    if (actions == 2) value_group<2>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
    else if (actions == 3) value_group<3>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
#if MOST_ACTIONS >= 4
    else if (actions == 4) value_group<4>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
#endif
#if MOST_ACTIONS >= 5
    else if (actions == 5) value_group<5>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
#endif
#if MOST_ACTIONS >= 6
    else if (actions >= 6) value_group<MOST_ACTIONS>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
#endif
    else value_group<1>(i, slots, folded, played, groups, weights, strategy, locked, free, n, step);
  }
  team_barrier<THREADS>(team);
  if (there) {
    const Halves4 column = *(const Halves4 *)(groups.columns + hand);
    for (int a = 0; a < actions; a++) {
      const Four v = row(a == 0 && fold ? folded + hand : slots + row_of(i, a) * SLOT + hand);
      UNROLL for (int k = 0; k < 4; k++)
        if (column.v[k] < groups.count) value.v[k] += v.v[k] * played[a * groups.count + column.v[k]];
    }
  }
#endif
  if (there) put(slots + out_of(i) * SLOT + hand, value);
}
#endif
#endif
