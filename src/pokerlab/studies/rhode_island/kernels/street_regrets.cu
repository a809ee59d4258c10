// One street of Rhode Island hold'em for one player (the hero): regrets, choices and sums of a line of betting.
//
// A block takes LINES lines on one board, a warp each; a lane is a hand. Betting, the same on all streets, is a
// table of numbers: sets (slot before or -1, first slot, slots), ends (own slot, the other's slot, 1 if the other
// folds, -1 if the hero does, else 0), and for each call the slots that lead there (-1 where there are fewer).
//
// Bytes moved for each slot and hand: choices of both players read, the hero's choices, regrets and sums written
// and the last two read: 56. Everything is in 64 bits, and no sum is made by atomic additions.

// The chance that a player's actions lead here, with a hand: along the calls of the streets before.
DEVICE double arriving(const double *first, const double *second, const int *paths, int slots, int board, int line, int hand) {
  double chance = 1.0;
  if (STREET == 0) return chance;
  const int call = STREET == 1 ? line : line / CALLS;
  for (int k = 0; k < DEPTH; k++) {
    const int slot = paths[call * DEPTH + k];
    if (slot >= 0) chance *= first[slot * (HANDS / 2) + hand / 2];
  }
  if (STREET == 1) return chance;
  const double *flop = second + ((size_t)(board / BOARDS_A_FLOP) * CALLS + call) * slots * HANDS;
  for (int k = 0; k < DEPTH; k++) {
    const int slot = paths[line % CALLS * DEPTH + k];
    if (slot >= 0) chance *= flop[slot * HANDS + hand];
  }
  return chance;
}

extern "C" __global__ void __launch_bounds__(32 * LINES) street_regrets(
    const int *__restrict__ table, // hero's sets, the other's sets, ends, hero's paths, the other's paths
    const double *first, const double *second, double *choices, double *regrets, double *sums, // the hero's
    const double *other_first, const double *other_second, const double *other_choices,
    // by board hands × hands: how likely they meet, and who wins; by line what is at stake at the ends
    const double *__restrict__ weights, const double *__restrict__ showdowns, const double *__restrict__ stakes,
    const double *__restrict__ below, double *__restrict__ values, // what lines are worth: on the next street, and here
    double positive, double negative, double average, double prediction, double trial) {
  SHARED_ROWS(shared);
  double *meet = (double *)shared, *wins = meet + HANDS * HANDS;
  const int warp = threadIdx.x / 32, hand = threadIdx.x % 32, board = blockIdx.x, line = blockIdx.y * LINES + warp;
  double *reach = wins + HANDS * HANDS + warp * (HERO_SLOTS + OTHER_SLOTS) * HANDS, *worth = reach + OTHER_SLOTS * HANDS;
  const int *sets = table, *other_sets = sets + 3 * HERO_SETS, *ends = other_sets + 3 * OTHER_SETS, *paths = ends + 3 * ENDS,
            *other_paths = paths + CALLS * DEPTH;
  const size_t place = (size_t)board * ALL_LINES + line, row = place * HERO_SLOTS * HANDS + hand;
  for (int i = threadIdx.x; i < HANDS * HANDS; i += 32 * LINES) { // transposed: lanes read neighbours
    const int at = i % HANDS * HANDS + i / HANDS;
    meet[i] = weights[(size_t)board * HANDS * HANDS + at];
    wins[i] = STREET == 2 ? showdowns[(size_t)board * HANDS * HANDS + at] : 0.0;
  }
  if (hand < HANDS) {
    const double other_start = arriving(other_first, other_second, other_paths, OTHER_SLOTS, board, line, hand);
    const double *theirs = other_choices + place * OTHER_SLOTS * HANDS + hand;
    for (int set = 0; set < OTHER_SETS; set++) {
      const int before = other_sets[3 * set], begin = other_sets[3 * set + 1], end = begin + other_sets[3 * set + 2];
      const double base = before < 0 ? other_start : reach[before * HANDS + hand];
      for (int slot = begin; slot < end; slot++) reach[slot * HANDS + hand] = base * theirs[slot * HANDS];
    }
    const double start = arriving(first, second, paths, HERO_SLOTS, board, line, hand);
    for (int set = 0; set < HERO_SETS; set++) { // worth holds the hero's own reach until it is in the sums
      const int before = sets[3 * set], begin = sets[3 * set + 1], end = begin + sets[3 * set + 2];
      const double base = before < 0 ? start : worth[before * HANDS + hand];
      for (int slot = begin; slot < end; slot++) {
        const double here = base * choices[row + slot * HANDS];
        worth[slot * HANDS + hand] = here;
        sums[row + slot * HANDS] = sums[row + slot * HANDS] * average + here;
      }
    }
    for (int slot = 0; slot < HERO_SLOTS; slot++) worth[slot * HANDS + hand] = 0.0;
  }
  __syncthreads();
  if (hand >= HANDS) return;
  int call = 0;
  for (int number = 0; number < ENDS; number++) {
    const int mine = ends[3 * number], theirs = ends[3 * number + 1], folds = ends[3 * number + 2];
    double value = 0.0;
    if (STREET < 2 && folds == 0) {
      const int lines = ALL_LINES * CALLS, at = line * CALLS + call++, split = STREET == 0 ? 2 : 1;
      const double *next = below + ((size_t)board * FAN * lines + at) * HANDS * split + hand * split;
      _Pragma("unroll 5") for (int k = 0; k < FAN; k++)
        for (int part = 0; part < split; part++) value += next[(size_t)k * lines * HANDS * split + part];
    } else {
      const double *matrix = (folds == 0 ? wins : meet) + hand, *other = reach + theirs * HANDS;
      for (int k = 0; k < HANDS; k++) value += matrix[k * HANDS] * other[k];
      value *= folds < 0 ? -stakes[line * ENDS + number] : stakes[line * ENDS + number];
    }
    worth[mine * HANDS + hand] += value;
  }
  double total = 0.0;
  for (int set = HERO_SETS - 1; set >= 0; set--) {
    const int before = sets[3 * set], begin = sets[3 * set + 1], end = begin + sets[3 * set + 2];
    double mean = 0.0, weight_sum = 0.0;
    for (int slot = begin; slot < end; slot++) mean += choices[row + slot * HANDS] * worth[slot * HANDS + hand];
    for (int slot = begin; slot < end; slot++) {
      const double old = regrets[row + slot * HANDS], gain = worth[slot * HANDS + hand] - mean;
      const double regret = old * (old > 0.0 ? positive : negative) + gain;
      const double weight = regret > 0.0 ? fmax(regret + prediction * gain, 0.0) : fmax((prediction + trial) * gain, 0.0);
      regrets[row + slot * HANDS] = regret;
      worth[slot * HANDS + hand] = weight;
      weight_sum += weight;
    }
    for (int slot = begin; slot < end; slot++)
      choices[row + slot * HANDS] = weight_sum > 0.0 ? worth[slot * HANDS + hand] / weight_sum : 1.0 / (end - begin);
    if (before < 0) total += mean;
    else worth[before * HANDS + hand] += mean;
  }
  values[place * HANDS + hand] = total;
}
EXPORT(street_regrets)
