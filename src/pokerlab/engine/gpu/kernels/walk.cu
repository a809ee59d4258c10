// A block walks the betting of a street on some boards at once, guided by lists of instructions.
//
// Its threads form teams; each takes jobs (some roots of the street) from a queue and follows their
// instructions. All teams share the tables of the boards. Rows (a number for each hand) lie in slots of shared
// memory, BOARD_ROW hands for each board. Thread t of a team owns the places 4t to 4t + 3 of every row, so what
// happens at nodes needs no barrier; only leaves and folds let threads look at other hands.
//
// Bytes moved for each entry of storage: weights read and written once, sums read and written once, 16 in
// float32. No sum is made by atomic additions: the result does not depend on the run.

// Where the parts of shared memory begin; see `SharedMemory` in level.py.
extern "C" __global__ void __launch_bounds__(TEAMS *THREADS, BLOCKS) walk(
    // the instructions of each job; with several `parts`, a block does every `parts`-th job
    const Words4 *__restrict__ instructions, const int *__restrict__ job_first, int jobs, int parts,
    // the boards: hands in storage rows, true hands, where storage begins, and which hand stands where
    int boards, const int *__restrict__ opposing_hands, const int *__restrict__ own_hands, const int *__restrict__ own_true_hands,
    const i64 *__restrict__ opposing_first, const i64 *__restrict__ own_first, const u16 *__restrict__ order, int order_length,
    // the reach that arrives: [root][board above][hand]
    const int *__restrict__ parent, const Real *__restrict__ reach, int reach_length, int boards_above,
    // index tables of the boards, see board_tables.cu
    const u32 *__restrict__ lists, const u32 *__restrict__ lane_info, const u64 *__restrict__ ends, const u32 *__restrict__ showdowns,
    const u32 *__restrict__ cards_of, int table_length,
    // storage: the opponent's strategy and sums; the hero's weights; the hero's strategy, or regrets
    const Stored *opposing_strategy, Stored *opposing_sums, Stored *own_weights, Stored *own_strategy,
    // values of the roots; reach of the next street's roots and of all-ins, and their values
    Real *values, int values_length, Real *next_reach, void *all_in_reach, int next_reach_length, const Real *next_values, const Real *all_in_values,
    int all_ins,
    // locked strategies: where those of a node begin and what the lock leaves free, by board and slot; whether
    // what is played are averages
    const int *__restrict__ opposing_locks, const int *__restrict__ own_locks, const float *__restrict__ opposing_free, const float *__restrict__ own_free,
    int opposing_slots, int own_slots, const float *__restrict__ locked_shares, int averages,
    // groups of hands that share storage
    const int *__restrict__ opposing_groups, const u16 *__restrict__ opposing_columns, const u16 *__restrict__ opposing_members,
    const Real *__restrict__ opposing_shares, const int *__restrict__ own_groups, const u16 *__restrict__ own_columns, const u16 *__restrict__ own_members,
    const Real *__restrict__ own_shares,
    // rows that find no slot
    Real *spilled, int spilled_rows,
    // exact stakes; the step of the rule and its number; slots; whether leaves are evaluated
    const double *__restrict__ factors, Real positive, Real negative, Real average, Real prediction, Real greedy, Real hedge, Real trial, int iteration, int slot_count,
    int with_leaves) {
  SHARED_ROWS(shared);
  const int team = threadIdx.x / THREADS, thread = threadIdx.x % THREADS;
  const int part = blockIdx.x % parts, first_board = (blockIdx.x / parts) * BOARDS;
  // Of all teams: the queue ([0] the next job, [1 + team] what a team has taken), tables of the boards.
  int *queue = (int *)shared;
  u32 *s_lists = (u32 *)shared + HEADER, *s_info = s_lists + ENTRIES_A_LANE * LANES;
  u64 *s_ends = (u64 *)(s_info + LANES), *s_base = s_ends + 32;
  u32 *s_cards = (u32 *)(s_base + 4 * BOARDS);
  Words2 *s_showdowns = (Words2 *)(s_cards + ROW);
  u16 *s_order = (u16 *)(s_showdowns + (LAST_STREET ? ROW : 0));
  // Of a team: sums of leaves, tables of card sums, instructions, slots.
  Real *scratch = (Real *)(s_order + ROW) + team * (SCRATCH + SUM_TABLES * (BOARDS * CARD_TABLE) + 32 / (int)sizeof(Real) * CHUNK + slot_count * SLOT);
  Real *tables = scratch + SCRATCH;
  Words4 *s_instructions = (Words4 *)(tables + SUM_TABLES * (BOARDS * CARD_TABLE));
  Real *slots = (Real *)(s_instructions + 2 * CHUNK);
  // Offsets count bytes of floats; wider rows multiply them.
  const u32 hand_sums = 8 * BOARDS * CARD_SUMS, no_sum = 8 * BOARDS * (CARD_SUMS + HAND_SUMS);
  if (with_leaves) {
    _Pragma("unroll 4") for (int i = threadIdx.x; i < ENTRIES_A_LANE * LANES; i += TEAMS * THREADS) {
      const int lane = (i >> 2) % LANES, entry = i / (4 * LANES) * 4 + (i & 3), k = lane / LIST_LANES, b = first_board + k;
      u32 word = ROW * 4;
      if (k < BOARDS && b < boards) {
        const u32 r = lists[((size_t)b * ENTRIES_A_LANE + (entry & ~3)) * LIST_LANES + (lane - k * LIST_LANES) * 4 + (entry & 3)], place = r & 0xfff;
        word = (place == NOWHERE ? ROW : k * BOARD_ROW + place) * 4 | (8 * (k * CARD_SUMS + ((r >> 12) & 0xfff))) << 16 | (r & 0x80000000u);
      }
      s_lists[i] = word;
    }
    for (int i = threadIdx.x; i < LANES; i += TEAMS * THREADS) {
      const int k = i / LIST_LANES, b = first_board + k;
      u32 word = (u32)UNUSED << 24;
      if (k < BOARDS && b < boards) {
        const u32 r = lane_info[(size_t)b * LIST_LANES + i - k * LIST_LANES];
        word = (8 * (k * CARD_SUMS + (r & 0xfff))) | (r & 0x3fff0000u) | ((u32)k << 30);
      }
      s_info[i] = word;
    }
    _Pragma("unroll 2") for (int i = threadIdx.x; i < ROW; i += TEAMS * THREADS) {
      const int k = i / BOARD_ROW, hand = i - k * BOARD_ROW, b = first_board + k;
      u32 word = (ROW * 4) << 16 | (4 * ZERO) << 8 | 4 * ZERO;
      if (b < boards && hand < own_hands[b]) {
        const u32 r = cards_of[(size_t)b * table_length + hand], same = r >> 16;
        word = (4 * (r & 255)) | (4 * ((r >> 8) & 255)) << 8 | ((same == NOWHERE ? ROW : k * BOARD_ROW + same) * 4) << 16;
      }
      s_cards[i] = word;
#if LAST_STREET
      Words2 q;
      q.x = q.y = no_sum | no_sum << 16;
      if (b < boards && hand < own_true_hands[b]) {
        const u32 r = showdowns[(size_t)b * table_length + hand], below = (r >> 22) & 511, with_equals = below + (r >> 31);
        q.x = 8 * (k * CARD_SUMS + (r & 2047)) | (8 * (k * CARD_SUMS + ((r >> 11) & 2047))) << 16;
        q.y = (hand_sums + 8 * (k * HAND_SUMS + below)) | (hand_sums + 8 * (k * HAND_SUMS + with_equals)) << 16;
      }
      s_showdowns[i] = q;
#endif
    }
#if LAST_STREET
    if (threadIdx.x < 32) {
      const int k = threadIdx.x / LANES_A_BOARD, b = first_board + k;
      s_ends[threadIdx.x] = b < boards ? ends[(size_t)b * LANES_A_BOARD + threadIdx.x % LANES_A_BOARD] : 0;
    }
#endif
  }
  for (int i = threadIdx.x; i < ROW; i += TEAMS * THREADS) {
    const int k = i / BOARD_ROW, hand = i - k * BOARD_ROW, b = first_board + k;
    s_order[i] = b < boards && hand < opposing_hands[b] ? order[(size_t)b * order_length + hand] : NO_HAND;
  }
  if (threadIdx.x < BOARDS && first_board + threadIdx.x < boards) {
    const int b = first_board + threadIdx.x;
    u64 *base = s_base + 4 * threadIdx.x;
    base[0] = (u64)(opposing_strategy + opposing_first[b]);
    base[1] = (u64)(opposing_sums + opposing_first[b]);
    base[2] = (u64)(own_weights + own_first[b]);
    base[3] = (u64)(own_strategy + own_first[b]);
  }
  for (int i = thread; i < SUM_TABLES * BOARDS; i += THREADS) tables[i * CARD_TABLE + ZERO] = 0;
  for (int i = thread; i < slot_count; i += THREADS) slots[i * SLOT + ROW] = 0;
  if (thread < 4) scratch[SCRATCH - 4 + thread] = 0;
  if (threadIdx.x == 0) {
    queue[0] = TEAMS;
    queue[HEADER - 1] = first_board;
  }
#if REAL_BITS == 64
#define FACTOR(word) factors[word]
#else
#define FACTOR(word) bits_to_float(word)
#endif
  // The hands of this thread. What is seldom asked for is computed again, for the sake of registers.
#define PLACE (4 * (hidden(threadIdx.x) % THREADS))
#define MY_BOARD (((const volatile int *)shared)[HEADER - 1] + (BOARDS > 1 ? PLACE / BOARD_ROW : 0))
  int hand, opposing, own; // the first hand; lengths of the board's rows
  Real *mine;
  const volatile u64 *base; // where the board's storage begins
  {
    const int place = 4 * thread, k = place < ROW ? place / BOARD_ROW : 0, b = first_board + k;
    const bool there = place < ROW && b < boards;
    hand = place - k * BOARD_ROW;
    opposing = there ? opposing_hands[b] : 0;
    own = there ? own_hands[b] : 0;
    base = s_base + 4 * k;
    mine = slots + (place < ROW ? place : 0);
  }
  const Step step = {positive, negative, average, prediction, greedy, hedge, trial, first_turn(iteration, opposing_sums, GROUPED ? 0 : hand)};
  const Real *my_tables = tables + (BOARDS > 1 ? (base - s_base) / 4 * CARD_TABLE : 0);
#if TIES
  const BoardTables board = {s_lists, s_info, s_ends, s_showdowns, s_cards};
#else
  const BoardTables board = {s_lists, s_info, s_ends, s_showdowns};
#endif
#define MY_CARDS (s_cards + (mine - slots))
#if GROUPED
  const Groups their_groups = groups_of(opposing_groups, opposing_columns, opposing_members, opposing_shares, first_board);
  const Groups my_groups = groups_of(own_groups, own_columns, own_members, own_shares, first_board);
#endif
  __syncthreads();
  for (int job = team; job * parts + part < jobs;) {
    int first = job_first[job * parts + part];
    {
      const int last = job_first[job * parts + part + 1], count = last - first < CHUNK ? last - first : CHUNK;
      for (int i = thread; i < 2 * count; i += THREADS) s_instructions[i] = instructions[2 * (size_t)first + i];
    }
    team_barrier<THREADS>(team);
    for (const Words4 *at = s_instructions;; at += 2) {
      const Words4 w0 = at[0], w1 = at[1];
      const Instruction i = {w0.v[0], w0.v[1], w0.v[2], w0.v[3], FACTOR(w1.v[0]), w1.v[1], w1.v[2], w1.v[3]};
      const int kind = kind_of(i);
      if (flags_of(i) & SYNC) team_barrier<THREADS>(team);
      // A node that comes soon; what buckets play is the same on all boards, and stays near.
      if (GROUPED != BY_BUCKET && i.next_info && hand == 0 && own && (MOST_ACTIONS <= 8 || actions_of(i) <= 8)) {
        const int actions = i.next_info & 255;
        const bool split = (i.next_info >> 8) == 1;
#if GROUPED
        const int length = split ? their_groups.length : my_groups.length;
#else
        const int length = split ? opposing : own;
#endif
        const u32 bytes = actions * length * (u32)sizeof(Stored), start = i.next * length;
        if (split) {
          prefetch((const Stored *)base[0] + start, bytes);
          if (WRITES_SUMS) prefetch((const Stored *)base[1] + start, bytes);
        } else if (TASK != BEST) {
          prefetch((const Stored *)base[TASK == LEARN ? 2 : 3] + start, bytes);
        }
      }
#if GROUPED == BY_BUCKET
      if (kind == SPLIT) {
        split_buckets(i, slots, their_groups, (const Stored *)base[0] + (size_t)i.number * their_groups.length, hand, opposing);
      }
#elif GROUPED
      if (kind == SPLIT) {
        const u32 start = i.number * their_groups.length;
        const float *locked = 0;
        Real free = 0;
#if LOCKED
        if (opposing_locks) {
          const size_t place = (size_t)first_board * opposing_slots + i.number;
          if (opposing_locks[place] >= 0) locked = locked_shares + opposing_locks[place];
          free = opposing_free[place];
        }
#endif
        split_groups(i, slots, scratch, their_groups, (Stored *)base[0] + start, (Stored *)base[1] + start, locked, free, hand, opposing, team, step);
      }
#else
      if (kind == SPLIT) {
        const int actions = actions_of(i);
        if (hand < opposing) {
          const u32 start = i.number * opposing + hand;
          const Stored *weights = (const Stored *)base[0] + start;
          Stored *sums = (Stored *)base[1] + start;
#if LOCKED
          const size_t place = (size_t)MY_BOARD * opposing_slots + i.number;
          const int lock = opposing_locks ? opposing_locks[place] : -1;
          const Real free = lock >= 0 ? opposing_free[place] : 0;
          if (lock >= 0 && !(free > 0)) impose_lock((Stored *)weights, locked_shares + lock + hand, actions, opposing);
          if (free > 0) split_reach_any(i, mine, weights, sums, opposing, step, locked_shares + lock + hand, free);
          else
#endif
          if (actions == 2) split_reach<2>(i, mine, weights, sums, opposing, step);
          else if (actions == 3) split_reach<3>(i, mine, weights, sums, opposing, step);
#if MOST_ACTIONS >= 4
          else if (actions == 4) split_reach<4>(i, mine, weights, sums, opposing, step);
#endif
#if MOST_ACTIONS >= 5
          else if (actions == 5) split_reach<5>(i, mine, weights, sums, opposing, step);
#endif
#if MOST_ACTIONS >= 6
          else if (actions >= 6) split_reach_any(i, mine, weights, sums, opposing, step);
#endif
          else split_reach<1>(i, mine, weights, sums, opposing, step);
        } else if (PLACE < ROW) {
          for (int a = 0; a < actions; a++) put(mine + row_of(i, a) * SLOT, zeros());
        }
      }
#endif
      else if (kind == VALUE) {
#if GROUPED == BY_GROUP
        const u32 start = i.number * my_groups.length;
        const float *locked = 0;
        Real free = 0;
#if LOCKED
        if (own_locks) {
          const size_t place = (size_t)first_board * own_slots + i.number;
          if (own_locks[place] >= 0) locked = locked_shares + own_locks[place];
          free = own_free[place];
          if (TASK == MEAN && averages && free > 0) locked = 0; // they are those of the mixture
        }
#endif
        value_groups(i, slots, my_tables, s_cards, scratch, my_groups, (Stored *)base[2] + start, (Stored *)base[3] + start, locked, free, hand, own, team, step);
#else
        if (hand < own) {
          const u32 start = i.number * own + hand;
          Stored *weights = (Stored *)base[2] + start, *strategy = (Stored *)base[3] + start;
#if LOCKED
          const float *locked = 0;
          Real free = 0;
          if (own_locks) {
            const size_t place = (size_t)MY_BOARD * own_slots + i.number;
            const int lock = own_locks[place];
            free = own_free[place];
            if (lock >= 0) locked = locked_shares + lock + hand;
            if (lock >= 0 && TASK == LEARN && !(free > 0)) impose_lock(weights, locked, actions_of(i), own);
            if (TASK == MEAN && averages && free > 0) locked = 0; // they are those of the mixture
          }
#endif
#if LOCKED || TASK == SEED || (TASK == LEARN && ((LEARNING != REGRETS && LEARNING != TRIED_REGRETS) || PASSED_UP != OLD_VALUE))
          value_node_any(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step LOCKED_ARGUMENT);
#else
          const int actions = actions_of(i);
          if (actions == 2) value_node<2>(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step);
          else if (actions == 3) value_node<3>(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step);
#if MOST_ACTIONS >= 4
          else if (actions == 4) value_node<4>(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step);
#endif
#if MOST_ACTIONS >= 5
          else if (actions == 5) value_node<5>(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step);
#endif
#if MOST_ACTIONS >= 6
          else if (actions >= 6) value_node_any(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step LOCKED_ARGUMENT);
#endif
          else value_node<1>(i, slots, mine, my_tables, MY_CARDS, weights, strategy, own, step);
#endif
        }
#endif
      } else if (kind == LEAVES) {
#if TIES
        const Real ties0 = FACTOR(i.table), ties1 = FACTOR(i.next);
#endif
        evaluate_leaves(i, FACTOR(i.rows0), board, scratch, slots, tables, team TIES_ARGUMENT);
      } else if (kind == ADD) {
        if (hand < own) {
          const int actions = actions_of(i);
          Four v = (flags_of(i) & FOLD) ? fold_values(i, slots, my_tables, MY_CARDS) : row(mine + row_of(i, 0) * SLOT);
          for (int a = 1; a < actions; a++) {
            const Four c = row(mine + row_of(i, a) * SLOT);
            UNROLL for (int k = 0; k < 4; k++) v.v[k] += c.v[k];
          }
          put(mine + out_of(i) * SLOT, v);
        }
      } else if (kind == COMBINE) { // card sums that are sums and differences of others
        const int t = hidden(threadIdx.x % THREADS);
        if (t < 64 * BOARDS && (t & 63) <= TOTAL) {
          const int terms = i.table & 255;
          Real x = 0, *sum = tables + (t >> 6) * CARD_TABLE + (t & 63);
          for (int j = 0; j < terms; j++) {
            const Real y = sum[row_of(i, j) * (BOARDS * CARD_TABLE)];
            x += ((i.table >> (8 + j)) & 1) ? -y : y;
          }
          sum[i.number * (BOARDS * CARD_TABLE)] = x;
        }
      } else if (kind == LEAVE) {
        if (hand < own) put(values + ((size_t)i.number * boards + MY_BOARD) * values_length + hand, row(mine + source_of(i) * SLOT));
      } else if (kind == ENTER) { // the row of the board above goes through the scratch, then each hand finds its own
        team_barrier<THREADS>(team);
        const int place = PLACE, from = ((const volatile int *)shared)[HEADER - 1];
        if (BOARDS == 1) {
          const Real *source = reach + ((size_t)i.number * boards_above + parent[from]) * reach_length;
          for (int h = place; h < reach_length; h += 4 * THREADS) put(scratch + h, row(source + h));
        } else {
          for (int h = place; h < BOARDS * reach_length; h += 4 * THREADS) {
            const int k = h / reach_length;
            if (from + k < boards) put(scratch + h, row(reach + ((size_t)i.number * boards_above + parent[from + k]) * reach_length + h - k * reach_length));
          }
        }
        team_barrier<THREADS>(team);
        if (place < ROW) {
          Four v = zeros();
          const int k = BOARDS > 1 ? place / BOARD_ROW : 0;
          if (hand < opposing) {
            const Halves4 q = *(const Halves4 *)(s_order + place);
            UNROLL for (int n = 0; n < 4; n++) v.v[n] = q.v[n] != NO_HAND ? scratch[k * reach_length + q.v[n]] : 0;
          }
          put(mine + out_of(i) * SLOT, v);
        }
      } else if (kind == PASS_DOWN) {
        if (hand < opposing) {
          const Four v = row(mine + source_of(i) * SLOT);
          const int b = MY_BOARD;
          if (i.rows0) {
#if HALVED_ALL_INS // 2,048 times the reach, as the sum of two halves
            Halves4 x, y;
            UNROLL for (int n = 0; n < 4; n++) {
              const float z = 2048.f * v.v[n];
              x.v[n] = float_to_half(z);
              y.v[n] = float_to_half(z - half_to_float(x.v[n]));
            }
            u16 *out = (u16 *)all_in_reach + ((size_t)b * all_ins + i.number) * 2 * next_reach_length + hand;
            *(Halves4 *)out = x;
            *(Halves4 *)(out + next_reach_length) = y;
#else
            put((Real *)all_in_reach + ((size_t)b * all_ins + i.number) * next_reach_length + hand, v);
#endif
          } else {
            put(next_reach + ((size_t)i.number * boards + b) * next_reach_length + hand, v);
          }
        }
      } else if (kind == FETCH_UP) {
        if (hand < own) {
          const int b = MY_BOARD;
          const Real *source = i.rows0 ? all_in_values + ((size_t)b * all_ins + i.number) * values_length : next_values + ((size_t)i.number * boards + b) * values_length;
          Four v = row(source + hand);
          UNROLL for (int n = 0; n < 4; n++) v.v[n] *= i.factor;
          put(mine + out_of(i) * SLOT, v);
        }
#if CHUNKED
      } else if (kind == MORE) { // the next chunk of a long list
        team_barrier<THREADS>(team);
        first += CHUNK;
        const int last = job_first[job * parts + part + 1], count = last - first < CHUNK ? last - first : CHUNK;
        for (int n = thread; n < 2 * count; n += THREADS) s_instructions[n] = instructions[2 * (size_t)first + n];
        team_barrier<THREADS>(team);
        at = s_instructions - 2;
#endif
#if SPILLS
      } else if (kind == SPILL || kind == FILL) {
        const int place = PLACE;
        if (place < ROW) {
          Real *far = spilled + ((size_t)(blockIdx.x * TEAMS + team) * spilled_rows + i.number) * ROW + place;
          if (kind == SPILL) put(far, row(mine + source_of(i) * SLOT));
          else put(mine + out_of(i) * SLOT, row(far));
        }
#endif
      } else if (kind == STOP) {
        break;
      }
    }
    team_barrier<THREADS>(team);
    if (thread == 0) queue[1 + team] = atomicAdd(queue, 1);
    team_barrier<THREADS>(team);
    job = queue[1 + team];
  }
}
EXPORT(walk)
