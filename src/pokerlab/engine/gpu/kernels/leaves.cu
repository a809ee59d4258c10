// Leaves, two at a time: what each hand wins at a showdown, and the sums by card that folds need.
//
// The hands of a board are sorted by strength. A hand beats the reach below it and loses to the reach above,
// less the opposing hands that share one of its cards. So a showdown needs sums over the sorted opposing
// hands, up to the end of each group of equal hands, and the same sums over the hands of each card. Sums are
// taken less half of the total: (below) + (up to and with equals) is then the reach beaten less the reach
// that wins.
//
// With TIES a tie counts `t` where a win counts 1: the first sum counts 1 - t times then, the second 1 + t
// times. The same hand of the opponent is among the equals once, and once among those of each of its two cards.
//
// Some warps add up the lists of cards, two more the hands, one for each leaf; then every thread puts
// the numbers of its hands together. Sums of two leaves stand side by side (`Two`).

// Tables of the block's boards in shared memory, all offsets in bytes.
struct BoardTables {
  const u32 *lists;  // entries: place in a row (16 bits), where a sum goes (15), whether one ends here (1)
  const u32 *info;   // lanes: where the first sum goes (16), source of what precedes (4), has it (1), has an end (1), card (6), board (2)
  const u64 *ends;   // lanes of hands: which of them end a group of equals (48 bits), ends before (16)
  const Words2 *showdown; // hands: where the four sums of a hand are
#if TIES
  const u32 *cards;       // hands: where the same hand of the opponent is (16 bits), and the sums of its cards
#endif
};

#if TIES
#define TIES_PARAMETER , Real ties0, Real ties1
#define TIES_ARGUMENT , ties0, ties1
#define BELOW(k, x) ((1 - ties##k) * (x))
#define BOTH(k, below, with_equals) ((1 - ties##k) * (below) + (1 + ties##k) * (with_equals))
#define SAME_HAND(k) +ties##k *load_one(reach##k + same)
#else
#define TIES_PARAMETER
#define TIES_ARGUMENT
#define BELOW(k, x) x
#define BOTH(k, below, with_equals) below + with_equals
#define SAME_HAND(k)
#endif

DEVICE void add_card_lists(const BoardTables &board, Real *scratch, Real *slots, Real *tables, u32 leaf0, u32 leaf1, int thread TIES_PARAMETER) {
  const int kind0 = leaf0 >> 24, kind1 = leaf1 >> 24, lane = thread & (LANES_A_CARD - 1);
  Real e0[ENTRIES_A_LANE], e1[ENTRIES_A_LANE];
  const u32 list = address(board.lists) + 16 * thread;
  {
    const u32 wide = sizeof(Real) / 4;
    const u32 row0 = address(slots) + (leaf0 & 255) * (u32)(SLOT * sizeof(Real)),
              row1 = address(slots) + ((kind1 ? leaf1 : leaf0) & 255) * (u32)(SLOT * sizeof(Real));
    UNROLL for (int j = 0; j < ENTRIES_A_LANE / 4; j++) {
      const Words4 q = load_words4(list + j * 16 * LANES);
      UNROLL for (int n = 0; n < 4; n++) {
        const u32 place = (q.v[n] & 0xffff) * wide;
        e0[4 * j + n] = load_one(row0 + place);
        e1[4 * j + n] = load_one(row1 + place);
      }
    }
  }
  const u32 info = board.info[thread];
  Real s0 = 0, s1 = 0;
  UNROLL for (int j = 0; j < ENTRIES_A_LANE; j++) {
    s0 += e0[j];
    s1 += e1[j];
  }
  Real x0 = s0, x1 = s1;
  UNROLL for (int d = 1; d < LANES_A_CARD; d <<= 1) {
    const Real y0 = __shfl_up_sync(~0u, x0, d, LANES_A_CARD), y1 = __shfl_up_sync(~0u, x1, d, LANES_A_CARD);
    if (lane >= d) {
      x0 += y0;
      x1 += y1;
    }
  }
  const Real total0 = __shfl_sync(~0u, x0, LANES_A_CARD - 1, LANES_A_CARD), total1 = __shfl_sync(~0u, x1, LANES_A_CARD - 1, LANES_A_CARD);
  if (lane == 0) {
    Real *sum = tables + (info >> 30) * CARD_TABLE + ((info >> 24) & 63);
    sum[((leaf0 >> 16) & 255) * (BOARDS * CARD_TABLE)] = total0;
    if (kind1) sum[((leaf1 >> 16) & 255) * (BOARDS * CARD_TABLE)] = total1;
  }
#if LAST_STREET
  if (kind0 == SHOWDOWN_LEAF || kind1 == SHOWDOWN_LEAF) {
    const u32 sums = address(scratch), wide = sizeof(Real) / 4;
    const Real half = (Real)0.5;
    Real c0 = x0 - s0 - half * total0, c1 = x1 - s1 - half * total1, low0 = 0, low1 = 0;
    UNROLL for (int j = 0; j < ENTRIES_A_LANE / 4; j++) {
      const Words4 q = load_words4(list + j * 16 * LANES); // read again: registers are scarce
      UNROLL for (int n = 0; n < 4; n++) {
        const u32 entry = q.v[n];
        const bool end = (int)entry < 0;
        c0 += e0[4 * j + n];
        c1 += e1[4 * j + n];
        store_two_if(end, sums + ((entry >> 16) & 0x7fff) * wide, BOTH(0, low0, c0), BOTH(1, low1, c1));
        low0 = end ? c0 : low0;
        low1 = end ? c1 : low1;
      }
    }
    Real before0 = __shfl_sync(~0u, low0, (info >> 16) & 7, LANES_A_CARD), before1 = __shfl_sync(~0u, low1, (info >> 16) & 7, LANES_A_CARD);
    if (!(info & (1u << 20))) {
      before0 = -half * total0;
      before1 = -half * total1;
    }
    if (info & (1u << 21)) {
      const u32 first = sums + (info & 0xffff) * wide;
      const Two q = load_two(first);
      store_two(first, q.x + BELOW(0, before0), q.y + BELOW(1, before1));
    }
  }
#endif
}

DEVICE void add_hands(const BoardTables &board, Real *scratch, Real *slots, Real *tables, u32 leaf, bool second, int lane) {
  const u32 from = address(slots) + (leaf & 255) * (u32)(SLOT * sizeof(Real)) + lane * (u32)(HANDS_A_LANE * sizeof(Real));
  Two e[HANDS_A_LANE / 2];
  Real s = 0;
  const int l = lane & (LANES_A_BOARD - 1);
  UNROLL for (int j = 0; j < HANDS_A_LANE / 2; j++) e[j] = load_two(from + (u32)sizeof(Two) * j);
  UNROLL for (int j = 0; j < HANDS_A_LANE / 2; j++) s += e[j].x + e[j].y;
  Real x = s;
  UNROLL for (int w = 1; w < LANES_A_BOARD; w <<= 1) {
    const Real y = __shfl_up_sync(~0u, x, w, LANES_A_BOARD);
    if (l >= w) x += y;
  }
  const Real total = __shfl_sync(~0u, x, LANES_A_BOARD - 1, LANES_A_BOARD);
  if (l == 0) tables[((leaf >> 16) & 255) * (BOARDS * CARD_TABLE) + lane / LANES_A_BOARD * CARD_TABLE + TOTAL] = total;
#if LAST_STREET
  if ((leaf >> 24) == SHOWDOWN_LEAF) {
    Real sum = x - s - (Real)0.5 * total;
    const u64 ends = board.ends[lane];
    const u32 low = (u32)ends, high = (u32)(ends >> 32);
    u32 at = address(scratch) + (u32)sizeof(Two) * (BOARDS * CARD_SUMS + lane / LANES_A_BOARD * HAND_SUMS) + (second ? (u32)sizeof(Real) : 0);
    if (l == 0) store_one(at, sum);
    at += (u32)sizeof(Two) * ((high >> 16) + 1);
    UNROLL for (int j = 0; j < HANDS_A_LANE; j++) {
      sum += (j & 1) ? e[j / 2].y : e[j / 2].x;
      const bool end = j < 32 ? (low >> (j & 31)) & 1 : (high >> (j & 31)) & 1;
      store_one_if(end, at, sum);
      at += end ? (u32)sizeof(Two) : 0;
    }
  }
#endif
}

// A leaf is a word: slot of the reach, slot of the values, table of card sums, what it is evaluated for.
DEVICE void evaluate_leaves(const Instruction &i, Real factor0, const BoardTables &board, Real *scratch, Real *slots, Real *tables, int team TIES_PARAMETER) {
  const int thread = hidden(threadIdx.x % THREADS), warp = thread >> 5;
  const u32 leaf0 = i.number, leaf1 = i.rows1;
  team_barrier<THREADS>(team);
  if (warp < LIST_WARPS) {
    add_card_lists(board, scratch, slots, tables, leaf0, leaf1, thread TIES_ARGUMENT);
  } else if (warp < LIST_WARPS + 2) {
    const bool second = warp != LIST_WARPS;
    const u32 leaf = second ? leaf1 : leaf0;
    if (leaf >> 24) add_hands(board, scratch, slots, tables, leaf, second, thread & 31);
  }
  team_barrier<THREADS>(team);
#if LAST_STREET
  const u32 sums = address(scratch), table = address(board.showdown) + 8 * thread, wide = sizeof(Real) / 4, width = sizeof(Real);
  const Real factor1 = i.factor;
  const u32 out0 = address(slots) + (((leaf0 >> 8) & 255) * SLOT + thread) * width, out1 = address(slots) + (((leaf1 >> 8) & 255) * SLOT + thread) * width;
#if TIES
  const u32 reach0 = address(slots) + (leaf0 & 255) * (u32)(SLOT * sizeof(Real)), reach1 = address(slots) + (leaf1 & 255) * (u32)(SLOT * sizeof(Real));
#endif
  UNROLL for (int n = 0; n < 4; n++) {
    if ((n + 1) * THREADS <= ROW || thread + n * THREADS < ROW) {
      const Words2 q = load_words2(table + n * 8 * THREADS);
      const Two below = load_two(sums + (q.y & 0xffff) * wide), with_equals = load_two(sums + (q.y >> 16) * wide),
                first = load_two(sums + (q.x & 0xffff) * wide), other = load_two(sums + (q.x >> 16) * wide);
#if TIES
      const u32 same = (board.cards[thread + n * THREADS] >> 16) * wide;
#endif
      if ((leaf0 >> 24) == SHOWDOWN_LEAF) store_one(out0 + n * width * THREADS, factor0 * (BOTH(0, below.x, with_equals.x) - first.x - other.x SAME_HAND(0)));
      if ((leaf1 >> 24) == SHOWDOWN_LEAF) store_one(out1 + n * width * THREADS, factor1 * (BOTH(1, below.y, with_equals.y) - first.y - other.y SAME_HAND(1)));
    }
  }
#endif
}
