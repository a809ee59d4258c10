// The turn: the villain's reach on its way to the rivers, and what the hero's hands are worth on the way back.
//
// There is no showdown: hands need the sums of the villain's reach at folds, by card, which a thread keeps for its
// line in shared memory as [fold][card][lane]. All of it is a hundredth of the work on the rivers.

// What is the same for both kernels: sets NEXTS (another street follows) come before those of folds.
DEVICE void load_sets(const Real *plan, const Real *reach, size_t width, int group, int place, Real (&at_leaf)[SETS]) {
  const Real *row = plan + (size_t)group * EDGES * width;
  Real edge[EDGES];
  UNROLL for (int e = 0; e < EDGES; e++) edge[e] = row[e * width];
  spread<1>(reach[place * width], edge, at_leaf);
}

// flop_reach [flop][hand of the flop][width]; order and groups [board][hand of the turn]; into [next][width]: the line on
// the river or -1; reach [board][hand of the turn][river_width].
extern "C" __global__ void enter_rivers(const Real *__restrict__ plan, const Real *__restrict__ flop_reach, const int *__restrict__ flops, const short *__restrict__ order, const int *__restrict__ groups,
                                        const int *__restrict__ into, Real *reach, int width, int river_width, int flop_hands, int hands) {
  const int line = threadIdx.x, board = blockIdx.y;
  const Real *from = flop_reach + (size_t)flops[board] * flop_hands * width + line;
  int next[NEXTS];
  UNROLL for (int s = 0; s < NEXTS; s++) next[s] = into[s * width + line];
  for (int hand = blockIdx.x; hand < hands; hand += BLOCKS) {
    const size_t at = (size_t)board * hands + hand;
    Real at_leaf[SETS];
    load_sets(plan + line, from, width, groups[at], order[at], at_leaf);
    UNROLL for (int s = 0; s < NEXTS; s++) if (next[s] >= 0) reach[at * river_width + next[s]] = at_leaf[s];
  }
}
EXPORT(enter_rivers)

// amounts [folds][width]; cards [board][hand]: two slots of 6 bits; images [image][hand], image_of [board + 1]: which
// hands symmetries of the board make equal; river_values as `respond_on_rivers` leaves them, `share` what each river
// counts; values [board][hand][width].
extern "C" __global__ void __launch_bounds__(LANES)
    respond_on_turns(const Real *__restrict__ plan, const Real *__restrict__ amounts, const Real *__restrict__ flop_reach, const int *__restrict__ flops, const short *__restrict__ order,
                     const int *__restrict__ groups, const u16 *__restrict__ cards, const int *__restrict__ into, const short *__restrict__ images, const int *__restrict__ image_of,
                     const Real *__restrict__ river_values, Real *values, int width, int river_width, int flop_hands, int hands, double share) {
  SHARED_ROWS(shared);
  const int line = blockIdx.x * LANES + threadIdx.x, board = blockIdx.y;
  Real *column = (Real *)shared + threadIdx.x;
  const Real *from = flop_reach + (size_t)flops[board] * flop_hands * width + line;
  const size_t begin = (size_t)board * hands;
  constexpr int folds = SETS - NEXTS;
  Real total[folds], amount[folds];
  int next[NEXTS];
  UNROLL for (int s = 0; s < NEXTS; s++) next[s] = into[s * width + line];
  UNROLL for (int s = 0; s < folds; s++) {
    total[s] = 0;
    amount[s] = amounts[s * width + line];
    for (int card = 0; card < CARDS; card++) column[(s * CARDS + card) * LANES] = 0;
  }
  for (int hand = 0; hand < hands; hand++) {
    Real at_leaf[SETS];
    load_sets(plan + line, from, width, groups[begin + hand], order[begin + hand], at_leaf);
    const int first = cards[begin + hand] & 63, other = cards[begin + hand] >> 6;
    UNROLL for (int s = 0; s < folds; s++) {
      total[s] += at_leaf[NEXTS + s];
      column[(s * CARDS + first) * LANES] += at_leaf[NEXTS + s];
      column[(s * CARDS + other) * LANES] += at_leaf[NEXTS + s];
    }
  }
  const int first_image = image_of[board], image_count = image_of[board + 1] - first_image;
  const Real scale = (Real)(share / image_count);
  for (int hand = 0; hand < hands; hand++) {
    Real leaf[SETS];
    load_sets(plan + line, from, width, groups[begin + hand], order[begin + hand], leaf);
    const int first = cards[begin + hand] & 63, other = cards[begin + hand] >> 6;
    UNROLL for (int s = 0; s < folds; s++)
      leaf[NEXTS + s] = amount[s] * (leaf[NEXTS + s] + total[s] - column[(s * CARDS + first) * LANES] - column[(s * CARDS + other) * LANES]);
    UNROLL for (int s = 0; s < NEXTS; s++) leaf[s] = 0;
    for (int image = 0; image < image_count; image++) {
      const size_t row = begin + images[(size_t)(first_image + image) * hands + hand];
      UNROLL for (int s = 0; s < NEXTS; s++) if (next[s] >= 0) leaf[s] += river_values[row * river_width + next[s]];
    }
    UNROLL for (int s = 0; s < NEXTS; s++) leaf[s] *= scale;
    values[(begin + hand) * width + line] = worth<1>(leaf, leaf);
  }
}
EXPORT(respond_on_turns)

// Sum over the turns of each flop, in double precision and in a fixed order.
//
// places [board][hand of the flop]: the hand on the turn, or -1; turns [flop + 1]; sums [flop][hand of the flop][width].
extern "C" __global__ void add_turns(const Real *__restrict__ values, const double *__restrict__ weights, const short *__restrict__ places, const int *__restrict__ turns, double *sums, int width,
                                     int flop_hands, int hands) {
  const int line = threadIdx.x, hand = blockIdx.x, flop = blockIdx.y;
  double sum = 0;
  for (int board = turns[flop]; board < turns[flop + 1]; board++) {
    const int place = places[(size_t)board * flop_hands + hand];
    if (place >= 0) sum += weights[board] * values[((size_t)board * hands + place) * width + line];
  }
  sums[((size_t)flop * flop_hands + hand) * width + line] = sum;
}
EXPORT(add_turns)
