// All-ins before the river: win margins of hands over all run-outs, and the product of reach and margins.

DEVICE int top_five(int ranks) {
  int code = 0, count = 0;
  for (int k = 12; k >= 0 && count < 5; k--)
    if (ranks >> k & 1) {
      code = code * 13 + k;
      count++;
    }
  return code;
}
DEVICE int straight(int ranks) { // the highest card plus 1, 0 if none; an ace also counts below the two
  const int with_low_ace = (ranks << 1) | (ranks >> 12 & 1);
  for (int k = 12; k >= 3; k--) {
    const int five = 0x1f << (k - 3);
    if ((with_low_ace & five) == five) return k + 1;
  }
  return 0;
}
DEVICE int highest(int ranks) { return 31 - __clz(ranks); }

// The strength of seven cards (4 × rank + suit); more is better.
DEVICE int strength(const int *cards) {
  int suits[4] = {0, 0, 0, 0}, once = 0, twice = 0, thrice = 0, four = 0, flush = 0;
  for (int i = 0; i < 7; i++) {
    const int bit = 1 << (cards[i] >> 2), suit = cards[i] & 3;
    UNROLL for (int s = 0; s < 4; s++) suits[s] |= s == suit ? bit : 0; // no index: it would go through memory
    four |= thrice & bit;
    thrice |= twice & bit;
    twice |= once & bit;
    once |= bit;
  }
  const int category = 2 * 371293; // more than any code of five ranks
  for (int s = 0; s < 4; s++)
    if (__popc(suits[s]) >= 5) flush = suits[s];
  if (flush && straight(flush)) return 8 * category + straight(flush);
  if (four) return 7 * category + highest(four) * 13 + highest(once & ~(1 << highest(four)));
  if (thrice) {
    const int pairs = twice & ~(1 << highest(thrice));
    if (pairs) return 6 * category + highest(thrice) * 13 + highest(pairs);
  }
  if (flush) return 5 * category + top_five(flush);
  if (straight(once)) return 4 * category + straight(once);
  if (thrice) {
    int code = highest(thrice), count = 0;
    for (int r = 12; r >= 0 && count < 2; r--)
      if (r != highest(thrice) && (once >> r & 1)) {
        code = code * 13 + r;
        count++;
      }
    return 3 * category + code;
  }
  if (twice) {
    const int pair = highest(twice), rest = twice & ~(1 << pair);
    if (rest) return 2 * category + (pair * 13 + highest(rest)) * 13 + highest(once & ~(1 << pair) & ~(1 << highest(rest)));
    int code = pair, count = 0;
    for (int r = 12; r >= 0 && count < 3; r--)
      if (r != pair && (once >> r & 1)) {
        code = code * 13 + r;
        count++;
      }
    return category + code;
  }
  return top_five(once);
}

// ranks[board][hand]: the strength plus 1; 0 for a hand that the board does not allow. A block a board.
extern "C" __global__ void rank_hands(const u8 *boards, const int *combos, int hands, const u8 *combo_cards, int length, int *ranks) {
  int cards[7];
  u64 known = 0;
  for (int k = 0; k < 5; k++) {
    cards[k] = boards[5 * blockIdx.x + k];
    known |= 1ull << cards[k];
  }
  for (int hand = threadIdx.x; hand < length; hand += blockDim.x) {
    int rank = 0;
    if (hand < hands) {
      cards[5] = combo_cards[2 * combos[hand]];
      cards[6] = combo_cards[2 * combos[hand] + 1];
      if (!((known >> cards[5] | known >> cards[6]) & 1)) rank = 1 + strength(cards);
    }
    ranks[(size_t)blockIdx.x * length + hand] = rank;
  }
}
EXPORT(rank_hands)

// margins[board][opposing][own] = boards won less boards lost, times `weight`: whole numbers that halves hold
// exactly, 1,980 at most. With TIES a tie counts `tie_share`, and the sum is rounded.
#if TIES
#define TIE_SHARE , float tie_share
#define ADD_TIE ties += own && own == opposing;
#define WITH_TIES(margin) margin + tie_share * (float)(ties * weight)
#else
#define TIE_SHARE
#define ADD_TIE
#define WITH_TIES(margin) margin
#endif
extern "C" __global__ void count_margins(const int *own_rank, const int *opposing_rank, int own_length, int opposing_length, const int *complete, int run_outs,
                                         const u8 *combo_cards, const int *own_combo, const int *opposing_combo, int own_hands, int opposing_hands, int weight,
                                         u16 *margins TIE_SHARE) {
  const int board = blockIdx.z, j = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= own_length) return;
  int margin = 0;
#if TIES
  int ties = 0;
#endif
  if (i < own_hands && j < opposing_hands) {
    const u8 *x = combo_cards + 2 * own_combo[i], *y = combo_cards + 2 * opposing_combo[j];
    if (x[0] != y[0] && x[0] != y[1] && x[1] != y[0] && x[1] != y[1]) {
      _Pragma("unroll 4") for (int k = 0; k < run_outs; k++) {
        const int c = complete[board * run_outs + k];
        const int own = own_rank[(size_t)c * own_length + i], opposing = opposing_rank[(size_t)c * opposing_length + j];
        if (own && opposing) margin += (own > opposing) - (own < opposing);
        ADD_TIE
      }
    }
  }
  margins[((size_t)board * opposing_length + j) * own_length + i] = float_to_half(WITH_TIES((float)(margin * weight)));
}
EXPORT(count_margins)

// values[board][all-in][own] = scale × sum over opposing of reach[board][all-in][opposing] × margins[board][own][opposing];
// the margins are the opponent's, hence a negative scale.
//
// On tensor cores, with products of halves added up in float32: 2,048 times a reach is the sum of two halves,
// reach[board][all-in][2][opposing], and margins are whole, so nothing is lost but the last bits of float32.
// A block has four warps: 4 / PARTS of them side by side on 32 own hands each, PARTS on parts of the opposing
// hands; 48 all-ins at a time.
#if TENSOR_CORES
DEVICE void multiply_add(float *c, const u32 *a, u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <int PARTS>
DEVICE void evaluate_tiles(const u16 *__restrict__ reach, const u16 *__restrict__ margins, float *__restrict__ values, int all_ins, int opposing_length,
                           int own_length, float scale) {
  __shared__ float partial[PARTS > 1 ? 4 : 1][PARTS > 1 ? 48 * 33 : 1];
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, g = lane >> 2, q = lane & 3, part = warp % PARTS, b = blockIdx.y, first = blockIdx.z * 48;
  const int i0 = (blockIdx.x * (4 / PARTS) + warp / PARTS) * 32, steps = (opposing_length + 31) / 32, from = steps * part / PARTS, to = steps * (part + 1) / PARTS;
  float c[3][4][4];
  UNROLL for (int m = 0; m < 3; m++) UNROLL for (int n = 0; n < 4; n++) UNROLL for (int e = 0; e < 4; e++) c[m][n][e] = 0.f;
  const Words4 none = {{0, 0, 0, 0}};
  if (i0 < own_length)
    for (int s = from; s < to; s++) {
      const int j = 32 * s + 8 * q;
      const bool in = j < opposing_length;
      Words4 margin[4];
      UNROLL for (int n = 0; n < 4; n++) {
        const int i = i0 + 8 * n + g;
        margin[n] = in && i < own_length ? *(const Words4 *)(margins + ((size_t)b * own_length + i) * opposing_length + j) : none;
      }
      UNROLL for (int m = 0; m < 3; m++) {
        const int r0 = first + 16 * m + g, r1 = r0 + 8;
        const u16 *p0 = reach + ((size_t)b * all_ins + r0) * 2 * opposing_length + j, *p1 = reach + ((size_t)b * all_ins + r1) * 2 * opposing_length + j;
        UNROLL for (int half = 0; half < 2; half++) {
          const Words4 x = in && r0 < all_ins ? *(const Words4 *)(p0 + half * opposing_length) : none;
          const Words4 y = in && r1 < all_ins ? *(const Words4 *)(p1 + half * opposing_length) : none;
          const u32 one[4] = {x.v[0], y.v[0], x.v[1], y.v[1]}, two[4] = {x.v[2], y.v[2], x.v[3], y.v[3]};
          UNROLL for (int n = 0; n < 4; n++) {
            multiply_add(c[m][n], one, margin[n].v[0], margin[n].v[1]);
            multiply_add(c[m][n], two, margin[n].v[2], margin[n].v[3]);
          }
        }
      }
    }
  const float factor = scale * (1.f / 2048.f);
  if (PARTS > 1) {
    UNROLL for (int m = 0; m < 3; m++) UNROLL for (int n = 0; n < 4; n++) UNROLL for (int e = 0; e < 4; e++)
        partial[PARTS > 1 ? warp : 0][PARTS > 1 ? (16 * m + g + 8 * (e >> 1)) * 33 + 8 * n + 2 * q + (e & 1) : 0] = c[m][n][e];
    __syncthreads();
    if (i0 < own_length)
      for (int x = part * 32 + lane; x < 48 * 32; x += 32 * PARTS) {
        const int a = x >> 5, i = x & 31;
        float sum = 0;
        UNROLL for (int k = 0; k < PARTS; k++) sum += partial[PARTS > 1 ? warp - part + k : 0][PARTS > 1 ? a * 33 + i : 0];
        if (first + a < all_ins && i0 + i < own_length) values[((size_t)b * all_ins + first + a) * own_length + i0 + i] = sum * factor;
      }
  } else if (i0 < own_length) {
    UNROLL for (int m = 0; m < 3; m++) UNROLL for (int n = 0; n < 4; n++) UNROLL for (int e = 0; e < 4; e++) {
      const int a = first + 16 * m + g + 8 * (e >> 1), i = i0 + 8 * n + 2 * q + (e & 1);
      if (a < all_ins && i < own_length) values[((size_t)b * all_ins + a) * own_length + i] = c[m][n][e] * factor;
    }
  }
}
extern "C" __global__ void __launch_bounds__(128) evaluate_all_ins_2(const u16 *reach, const u16 *margins, float *values, int all_ins, int opposing_length,
                                                                     int own_length, double scale) {
  evaluate_tiles<2>(reach, margins, values, all_ins, opposing_length, own_length, (float)scale);
}
extern "C" __global__ void __launch_bounds__(128) evaluate_all_ins_4(const u16 *reach, const u16 *margins, float *values, int all_ins, int opposing_length,
                                                                     int own_length, double scale) {
  evaluate_tiles<4>(reach, margins, values, all_ins, opposing_length, own_length, (float)scale);
}
#endif

// The same without tensor cores (before 8.0), and in float64: reach[board][all-in][opposing]. A thread takes an
// own hand and an all-in.
extern "C" __global__ void evaluate_all_ins(const Real *__restrict__ reach, const u16 *__restrict__ margins, Real *__restrict__ values, int all_ins,
                                            int opposing_length, int own_length, double scale) {
  const int b = blockIdx.y, a = blockIdx.z, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= own_length) return;
  const Real *row = reach + ((size_t)b * all_ins + a) * opposing_length;
  const u16 *column = margins + (size_t)b * opposing_length * own_length + i; // the hero's own: neighbours are own hands
  Real sum = 0;
  for (int j = 0; j < opposing_length; j++) sum += row[j] * (Real)half_to_float(column[(size_t)j * own_length]);
  values[((size_t)b * all_ins + a) * own_length + i] = sum * (Real)scale;
}
EXPORT(evaluate_all_ins)
