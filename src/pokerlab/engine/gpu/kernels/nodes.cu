// What happens at a node. A thread owns four places of every row: nothing here needs a barrier.
//
// `mine` is the first place of the thread in slot 0; `weights` and the like point to the first action of the
// node at those hands, and `length` is how far the next action is.

// Nodes of fewer actions than SUMS_AT_ONCE load the sums together with the weights, and those of fewer than
// VALUES_AT_ONCE keep the values of all actions in registers: what is fastest was measured.
#ifndef SUMS_AT_ONCE
#define SUMS_AT_ONCE (STORED_BITS == 16 ? 3 : 2)
#endif
#ifndef VALUES_AT_ONCE
#define VALUES_AT_ONCE (STORED_BITS == 16 ? 3 : 4)
#endif

// The coefficients of an iteration, see `pokerlab.solvers.rules.Step`; how its sums are rounded.
struct Step {
  Real positive, negative, average, prediction, greedy, hedge, trial;
  u32 turn;
};

// ---- two numbers in one place: a negative regret behind what its action is played with on trial, see `store_two`
// in pokerlab/vector_kernels.py
#if STORED_BITS == 16
typedef u16 Bits;
enum { SECOND_BITS = 8, MANTISSA_BITS = 10 };
DEVICE Bits bits_of(Real x) { return (Bits)pack_halves((float)x, 0); }
DEVICE Bits first_bits_of(Real x) { return bits_of(bits_to_float(float_to_bits((float)x) & ~0x1FFFu)); }
DEVICE Real number_of(Bits x) { return half_to_float(x); }
#elif STORED_BITS == 32
typedef u32 Bits;
enum { SECOND_BITS = 19, MANTISSA_BITS = 23 };
DEVICE Bits bits_of(Real x) { return float_to_bits((float)x); }
DEVICE Bits first_bits_of(Real x) { return bits_of(x); }
DEVICE Real number_of(Bits x) { return bits_to_float(x); }
#else
typedef u64 Bits;
enum { SECOND_BITS = 31, MANTISSA_BITS = 52 };
DEVICE Bits bits_of(Real x) { return double_to_bits(x); }
DEVICE Bits first_bits_of(Real x) { return bits_of(x); }
DEVICE Real number_of(Bits x) { return (Real)bits_to_double(x); }
#endif
#define SIGN ((Bits)((Bits)1 << (STORED_BITS - 1)))

// A regret that cannot be taken for two numbers. As a half it is the nearest even word, of two the one farther from
// zero.
DEVICE Real unmarked(Real x) {
#if STORED_BITS == 16
  const float largest = 65472.f;
  return bits_to_float((float_to_bits(fminf(fmaxf((float)x, -largest), largest)) + 0x2000u) & ~0x3FFFu);
#else
  return number_of((Bits)(bits_of(x) & ~(Bits)1));
#endif
}
// The regret in what is stored.
DEVICE Real regret_in(Real x) {
#if LEARNING == TRIED_REGRETS
  const Bits bits = bits_of(x), second = bits & (Bits)((((Bits)1 << SECOND_BITS) - 1) << 1);
  if (bits & 1) return -number_of((Bits)(second << (STORED_BITS - 2 - SECOND_BITS)));
#endif
  return x;
}
// What is stored of a regret, of which `trial` is played where it is not positive.
DEVICE Real weight_of(Real regret, Real trial) {
#if LEARNING == TRIED_REGRETS
  const Bits bits = bits_of(regret), first = first_bits_of(trial), size = bits & (Bits)~SIGN;
  const bool two = (size == 0 || (bits & SIGN)) && !(first & SIGN) && first >= (Bits)((Bits)1 << MANTISSA_BITS);
  const Bits kept_of_first = first & (Bits) ~(((Bits)2 << SECOND_BITS) - 1);
  const Bits second = (Bits)((size >> (STORED_BITS - 1 - SECOND_BITS)) << 1);
  return two ? number_of((Bits)(kept_of_first | second | 1)) : unmarked(regret);
#else
  return regret;
#endif
}

#if LOCKED
// Locked probabilities take the place of the weights; −1 leaves a hand free. A *soft* lock leaves a part of the
// decision free: its probabilities sum to its weight, `free` is the rest, and the weights stay what that part
// has learned.
DEVICE void impose_lock(Stored *weights, const float *locked, int actions, int length) {
  for (int a = 0; a < actions; a++) {
    Four now = kept(weights + a * length);
    UNROLL for (int k = 0; k < 4; k++) {
      const float share = locked[a * length + k];
      now.v[k] = share < 0 ? now.v[k] : (Real)share;
    }
    keep(weights + a * length, now);
  }
}

// What the free part of a soft lock plays, given the mixture.
DEVICE void take_out_lock(Stored *weights, const Stored *strategy, const float *locked, int actions, int length) {
  Four total = zeros();
  for (int a = 0; a < actions; a++) {
    const Four x = kept(strategy + a * length);
    UNROLL for (int k = 0; k < 4; k++) total.v[k] += positive(x.v[k]);
  }
  for (int a = 0; a < actions; a++) {
    Four x = kept(strategy + a * length);
    UNROLL for (int k = 0; k < 4; k++) {
      const float share = locked[a * length + k];
      const Real played = positive(x.v[k]) / (some(total.v[k]) ? total.v[k] : 1);
      x.v[k] = share < 0 ? played : positive(played - share);
    }
    keep(weights + a * length, x);
  }
}
#endif

// The opponent acts: split the reach, add it to the sums of strategies. ACTIONS = 0: any number.
template <int ACTIONS>
DEVICE void split_reach(const Instruction &i, Real *mine, const Stored *weights, Stored *sums, int length, const Step &step) {
  Four x[ACTIONS], s[ACTIONS < SUMS_AT_ONCE ? ACTIONS : 1];
  const bool learn = WRITES_SUMS && (flags_of(i) & SUMS);
  UNROLL for (int a = 0; a < ACTIONS; a++) x[a] = kept(weights + a * length);
  if (ACTIONS < SUMS_AT_ONCE && learn) {
    UNROLL for (int a = 0; a < ACTIONS; a++) s[a < SUMS_AT_ONCE ? a : 0] = kept(sums + a * length);
  }
  const Four reach = row(mine + source_of(i) * SLOT);
  UNROLL for (int k = 0; k < 4; k++) {
    Real total = 0;
    UNROLL for (int a = 0; a < ACTIONS; a++) {
      x[a].v[k] = positive(x[a].v[k]);
      total += x[a].v[k];
    }
    const bool any = some(total);
    const Real factor = any ? reach.v[k] * reciprocal(total) : reach.v[k] * ((Real)1 / ACTIONS);
    UNROLL for (int a = 0; a < ACTIONS; a++) x[a].v[k] = any ? x[a].v[k] * factor : factor;
  }
  UNROLL for (int a = 0; a < ACTIONS; a++) put(mine + row_of(i, a) * SLOT, x[a]);
  if (learn) {
    UNROLL for (int a = 0; a < ACTIONS; a++) {
      Four sum;
      if (ACTIONS < SUMS_AT_ONCE)
        sum = s[a < SUMS_AT_ONCE ? a : 0];
      else
        sum = kept(sums + a * length);
      UNROLL for (int k = 0; k < 4; k++) sum.v[k] = sum.v[k] * step.average + x[a].v[k];
      keep_sums(sums + a * length, sum, step.turn);
    }
  }
}
// The same for any number of actions, and for soft locks: what is `locked` is mixed in.
DEVICE void split_reach_any(const Instruction &i, Real *mine, const Stored *weights, Stored *sums, int length, const Step &step, const float *locked = 0,
                            Real free = 1) {
  const int actions = actions_of(i);
  const bool learn = WRITES_SUMS && (flags_of(i) & SUMS);
  const Four reach = row(mine + source_of(i) * SLOT);
  Four total = zeros();
  for (int a = 0; a < actions; a++) {
    const Four x = kept(weights + a * length);
    UNROLL for (int k = 0; k < 4; k++) total.v[k] += positive(x.v[k]);
  }
  for (int a = 0; a < actions; a++) {
    Four x = kept(weights + a * length);
    UNROLL for (int k = 0; k < 4; k++) {
      Real share = some(total.v[k]) ? positive(x.v[k]) * reciprocal(total.v[k]) : (Real)1 / actions;
      if (locked && locked[a * length + k] >= 0) share = free * share + (Real)locked[a * length + k];
      x.v[k] = reach.v[k] * share;
    }
    put(mine + row_of(i, a) * SLOT, x);
    if (learn) {
      Four sum = kept(sums + a * length);
      UNROLL for (int k = 0; k < 4; k++) sum.v[k] = sum.v[k] * step.average + x.v[k];
      keep_sums(sums + a * length, sum, step.turn);
    }
  }
}

// What the hands win (times the factor) when somebody folds: the reach that they meet. `cards` has for each
// hand where its cards stand in a table and where the same hand stands in the opponent's row, in bytes of floats.
DEVICE Four fold_values(const Instruction &i, const Real *slots, const Real *tables, const u32 *cards) {
  const int wide = sizeof(Real) / 4;
  const char *reach = (const char *)(slots + row_of(i, 0) * SLOT), *sums = (const char *)(tables + i.table * (BOARDS * CARD_TABLE));
  const Real total = ((const Real *)sums)[TOTAL];
  const Words4 q = *(const Words4 *)cards;
  Four v;
  UNROLL for (int k = 0; k < 4; k++) {
    const Real same = *(const Real *)(reach + (q.v[k] >> 16) * wide);
    const Real first = *(const Real *)(sums + (q.v[k] & 255) * wide), second = *(const Real *)(sums + ((q.v[k] >> 8) & 255) * wide);
    v.v[k] = i.factor * (total + same - first - second);
  }
  return v;
}

// The hero acts: the value of the node. With LEARN, the regrets are updated.
template <int ACTIONS>
DEVICE void value_node(const Instruction &i, const Real *slots, Real *mine, const Real *tables, const u32 *cards, Stored *weights, const Stored *strategy,
                       int length, const Step &step) {
  Four x[ACTIONS], value;
  const bool fold = flags_of(i) & FOLD;
  if (TASK != BEST) {
    const Stored *source = TASK == LEARN ? (const Stored *)weights : strategy;
    UNROLL for (int a = 0; a < ACTIONS; a++) x[a] = kept(source + a * length);
  }
  Four c[ACTIONS < VALUES_AT_ONCE ? ACTIONS : 1]; // of many actions, values are read again
  c[0] = fold ? fold_values(i, slots, tables, cards) : row(mine + row_of(i, 0) * SLOT);
  Four total, mean, plain;
  UNROLL for (int k = 0; k < 4; k++) {
    if (TASK == BEST) {
      value.v[k] = c[0].v[k];
    } else {
      const Real weight = positive(x[0].v[k]);
      total.v[k] = weight;
      mean.v[k] = weight * c[0].v[k];
      plain.v[k] = c[0].v[k];
    }
  }
  UNROLL for (int a = 1; a < ACTIONS; a++) {
    const Four d = row(mine + row_of(i, a) * SLOT);
    if (ACTIONS < VALUES_AT_ONCE) c[a < VALUES_AT_ONCE && ACTIONS < VALUES_AT_ONCE ? a : 0] = d;
    UNROLL for (int k = 0; k < 4; k++) {
      if (TASK == BEST) {
        value.v[k] = larger(value.v[k], d.v[k]);
      } else {
        const Real weight = positive(x[a].v[k]);
        total.v[k] += weight;
        mean.v[k] += weight * d.v[k];
        plain.v[k] += d.v[k];
      }
    }
  }
  if (TASK != BEST) {
    UNROLL for (int k = 0; k < 4; k++)
      value.v[k] = some(total.v[k]) ? mean.v[k] * reciprocal(total.v[k]) : plain.v[k] * ((Real)1 / ACTIONS);
  }
  if (TASK == LEARN) {
    UNROLL for (int a = 0; a < ACTIONS; a++) {
      Four d;
      if (a == 0 || ACTIONS < VALUES_AT_ONCE)
        d = c[a < VALUES_AT_ONCE && ACTIONS < VALUES_AT_ONCE ? a : 0];
      else
        d = row(mine + row_of(i, a) * SLOT);
      UNROLL for (int k = 0; k < 4; k++) {
        const Real before = regret_in(x[a].v[k]), gain = d.v[k] - value.v[k];
        x[a].v[k] = weight_of(before * (before > 0 ? step.positive : step.negative) + gain, step.trial * gain);
      }
      keep(weights + a * length, x[a]);
    }
  }
  put(mine + out_of(i) * SLOT, value);
}

// ---- any rule, any number of actions: values and weights are read again instead of kept in registers

struct NodeValues { // of the hero's actions, at the thread's hands
  const Instruction &i;
  const Real *mine;
  Four first;
  int actions, length;
  DEVICE Four of(int action) const { return action == 0 ? first : row(mine + row_of(i, action) * SLOT); }
};

// The mean under the strategy that is proportional to `weights`.
DEVICE Four mean_value(const NodeValues &values, const Stored *weights) {
  Four total = zeros(), mean = zeros(), plain = zeros();
  for (int a = 0; a < values.actions; a++) {
    const Four x = kept(weights + a * values.length), v = values.of(a);
    UNROLL for (int k = 0; k < 4; k++) {
      const Real weight = positive(x.v[k]);
      total.v[k] += weight;
      mean.v[k] += weight * v.v[k];
      plain.v[k] += v.v[k];
    }
  }
  UNROLL for (int k = 0; k < 4; k++) mean.v[k] = some(total.v[k]) ? mean.v[k] / total.v[k] : plain.v[k] / values.actions;
  return mean;
}

DEVICE Four best_value(const NodeValues &values) {
  Four best = values.of(0);
  for (int a = 1; a < values.actions; a++) {
    const Four v = values.of(a);
    UNROLL for (int k = 0; k < 4; k++) best.v[k] = larger(best.v[k], v.v[k]);
  }
  return best;
}

#if TASK == LEARN && LEARNING == GREEDY
// Moves the strategy towards the best action, the last of equals.
DEVICE Four hedge_strategy(const NodeValues &values, Stored *strategy, const Step &step) {
  const Four best = best_value(values);
  Four mean = zeros(), others = zeros();
  int chosen[4] = {-1, -1, -1, -1};
  for (int a = 0; a < values.actions; a++) {
    const Four v = values.of(a), x = kept(strategy + a * values.length);
    UNROLL for (int k = 0; k < 4; k++) {
      mean.v[k] += v.v[k] * x.v[k];
      if (!(best.v[k] - v.v[k] > 0)) chosen[k] = a;
    }
  }
  const Real stays = 1 - (Real)step.greedy, away = step.hedge * ((Real)1 / values.actions);
  for (int a = 0; a < values.actions; a++) {
    Four x = kept(strategy + a * values.length);
    UNROLL for (int k = 0; k < 4; k++) {
      x.v[k] = a == chosen[k] ? 0 : positive(x.v[k] * stays - away);
      others.v[k] += x.v[k];
    }
    keep(strategy + a * values.length, x);
  }
  UNROLL for (int k = 0; k < 4; k++) {
    // One hand at a time: each has its own best action.
    Four x = kept(strategy + chosen[k] * values.length);
    x.v[k] = 1 - others.v[k];
    keep(strategy + chosen[k] * values.length, x);
  }
  return PASSED_UP == BEST_VALUE ? best : mean;
}
#endif

DEVICE Four match_regrets(const NodeValues &values, Stored *weights, const Step &step) {
  const Four mean = mean_value(values, weights);
  for (int a = 0; a < values.actions; a++) {
    const Four v = values.of(a);
    Four x = kept(weights + a * values.length);
    UNROLL for (int k = 0; k < 4; k++) {
      const Real before = regret_in(x.v[k]), gain = v.v[k] - mean.v[k];
      x.v[k] = weight_of(before * (before > 0 ? step.positive : step.negative) + gain, step.trial * gain);
    }
    keep(weights + a * values.length, x);
  }
  return mean;
}

// The same for a rule that stores regrets beside the weights: these hold what is predicted.
DEVICE Four match_predicted(const NodeValues &values, Stored *weights, Stored *regrets, const Step &step) {
  const Four mean = mean_value(values, weights);
  for (int a = 0; a < values.actions; a++) {
    const Four v = values.of(a);
    Four regret = kept(regrets + a * values.length), weight;
    UNROLL for (int k = 0; k < 4; k++) {
      const Real gain = v.v[k] - mean.v[k];
      regret.v[k] = regret.v[k] * (regret.v[k] > 0 ? step.positive : step.negative) + gain;
      weight.v[k] = regret.v[k] > 0 ? regret.v[k] + step.prediction * gain : (step.prediction + step.trial) * gain;
    }
    keep(regrets + a * values.length, regret);
    keep(weights + a * values.length, weight);
  }
  return mean;
}

// Regrets that a solve which arrived at `strategy` may have; see `seed_regrets` of the processor's kernels.
DEVICE Four seed_regrets(const NodeValues &values, Stored *weights, const Stored *strategy, const Step &step) {
  const Four mean = mean_value(values, strategy);
  Four total = zeros(), largest = zeros(), scale;
  for (int a = 0; a < values.actions; a++) {
    const Four x = kept(strategy + a * values.length);
    UNROLL for (int k = 0; k < 4; k++) {
      total.v[k] += positive(x.v[k]);
      largest.v[k] = larger(largest.v[k], positive(x.v[k]));
    }
  }
  UNROLL for (int k = 0; k < 4; k++) {
    const Real whole = some(total.v[k]) ? total.v[k] : 1, mixed = 1 - largest.v[k] / whole;
    scale.v[k] = step.positive * (1 + mixed * (2 + 9 * mixed)) / whole;
  }
  for (int a = 0; a < values.actions; a++) {
    const Four v = values.of(a);
    Four x = kept(strategy + a * values.length);
    UNROLL for (int k = 0; k < 4; k++) x.v[k] = unmarked(positive(x.v[k]) * scale.v[k] - positive(mean.v[k] - v.v[k]) * step.negative);
    keep(weights + a * values.length, x);
  }
  return mean;
}

#if LOCKED
#define LOCKED_PARAMETER , const float *locked, Real free
#define LOCKED_ARGUMENT , locked, free
#else
#define LOCKED_PARAMETER
#define LOCKED_ARGUMENT
#endif
DEVICE void value_node_any(const Instruction &i, const Real *slots, Real *mine, const Real *tables, const u32 *cards, Stored *weights, Stored *strategy,
                           int length, const Step &step LOCKED_PARAMETER) {
  NodeValues values = {i, mine, zeros(), actions_of(i), length};
  values.first = (flags_of(i) & FOLD) ? fold_values(i, slots, tables, cards) : row(mine + row_of(i, 0) * SLOT);
  Four value;
#if LOCKED && TASK == SEED
  if (locked && free > 0) {
    take_out_lock(weights, strategy, locked, values.actions, length);
    strategy = weights;
  }
#endif
#if TASK == BEST
  value = best_value(values);
#elif TASK == MEAN
  value = mean_value(values, strategy);
#elif TASK == SEED
  value = seed_regrets(values, weights, strategy, step);
#elif LEARNING == GREEDY
  value = hedge_strategy(values, weights, step);
#elif LEARNING == PREDICTED_REGRETS
  value = match_predicted(values, weights, strategy, step);
#else
  value = match_regrets(values, weights, step);
#endif
#if TASK == LEARN
  if (PASSED_UP == NEW_VALUE) value = mean_value(values, weights);
#endif
#if LOCKED
  if (locked) { // not even a best response leaves a locked strategy
    Four mean = zeros();
    for (int a = 0; a < values.actions; a++) {
      const Four v = values.of(a);
      UNROLL for (int k = 0; k < 4; k++) mean.v[k] += v.v[k] * (Real)locked[a * length + k];
    }
    UNROLL for (int k = 0; k < 4; k++) value.v[k] = locked[k] < 0 ? value.v[k] : free * value.v[k] + mean.v[k];
  }
#endif
  put(mine + out_of(i) * SLOT, value);
}
