// The best response on all rivers of a turn board: a block does some lines of betting of one board, a thread EACH
// neighbouring lines, which are a *row*.
//
// All threads of a block go through the hands of a river at the same time, from the weakest to the strongest. Each
// keeps sums of the villain's reach over the hands it has passed, by leaf (a set): of all hands, and by card, in
// shared memory as [set][card][thread], which no other thread reads. What the villain holds below a hand of the hero
// and shares no card with it is then the first sum less those of its two cards. This is asked before and after the
// hands of equal strength are added: both together are twice what is beaten and once what is as good. When all hands
// have been passed, the sums are those of all hands, and what a hand wins at a showdown is the former less these. So
// the first number is kept in memory, for each showdown, until all hands have been passed once more.
//
// The hand itself is in the sums of both its cards and in the sum of all: it is taken away once too often each time
// it has been added, which is right again in the difference. Folds add it.
//
// Shared memory is what limits the threads of a multiprocessor, and few threads wait for memory all the time. So the
// tree is done in PARTS, each with a few sets; what the root of one is worth is kept in memory for a later one.
enum : u32 { OTHER_CARD = 6, PLACE = 12, LAST = 1u << 23, ALONE = 1u << 24, HIGH_GROUP = 25 }; // bits of a word

#define OF_PARTS(x) {x##_0, x##_1, x##_2, x##_3, x##_4, x##_5, x##_6, x##_7, x##_8, x##_9, x##_10, x##_11}
constexpr int ROOT[] = OF_PARTS(ROOT), SHOWS[] = OF_PARTS(SHOWS), SETS[] = OF_PARTS(SETS), LEAVES[] = OF_PARTS(LEAVES);
constexpr int PATH[] = OF_PARTS(PATH), EDGES_OF[] = OF_PARTS(EDGES), CALLS[] = OF_PARTS(CALLS), INTO[] = OF_PARTS(INTO);
constexpr int THREADS = LANES / EACH;

struct alignas(EACH * sizeof(Real)) Row { Real v[EACH]; };
#define ROW_OPERATION(name, result)                                                                                    \
  DEVICE Row name(const Row &x, const Row &y) {                                                                        \
    Row z;                                                                                                             \
    UNROLL for (int k = 0; k < EACH; k++) z.v[k] = result;                                                             \
    return z;                                                                                                          \
  }
ROW_OPERATION(operator+, x.v[k] + y.v[k])
ROW_OPERATION(operator-, x.v[k] - y.v[k])
ROW_OPERATION(operator*, x.v[k] * y.v[k])
ROW_OPERATION(larger, larger(x.v[k], y.v[k]))
DEVICE Row same(Real x) {
  Row z;
  UNROLL for (int k = 0; k < EACH; k++) z.v[k] = x;
  return z;
}

// A river's hands in the order of strength, in shared memory. A word has both cards, the place among the hands of the
// turn, whether a group of equals ends here, and the high bits of the hand's group; the low ones are apart.
struct Hands {
  const u32 *words;
  const u16 *groups;
  int count;
};
DEVICE u32 place_of(u32 word) { return word >> PLACE & 2047; }

// What a thread has in memory. Rows of `shown` and `kept` are by place in the order of strength.
struct Lines {
  const Row *plan, *reach, *amounts;
  Row *shown, *kept, *values;
  size_t width;      // from a row to the next, of the same thread
  size_t whole;      // of all hands of a river
};

template <int PART> struct Visit {
  static constexpr int path = PATH[PART], edges = EDGES_OF[PART]; // as bits
  u32 word, group;
  Row reach, edge[EDGES];
  DEVICE void load(const Lines &lines, const Hands &hands, int at) {
    if (at >= hands.count) return;
    word = hands.words[at];
    reach = lines.reach[place_of(word) * lines.width];
    const u32 its = word >> HIGH_GROUP << 16 | hands.groups[at];
    if (its == group) return; // its chances are still there
    group = its;
    const Row *row = lines.plan + its * (EDGES * lines.width);
    UNROLL for (int e = 0; e < EDGES; e++) if (edges >> e & 1) edge[e] = row[e * lines.width];
  }
  DEVICE void at_leaves(Row (&rho)[LEAVES[PART]]) const {
    Row here = reach;
    UNROLL for (int e = 0; e < EDGES; e++) if (path >> e & 1) here = here * edge[e];
    spread<ROOT[PART]>(here, edge, rho);
  }
};

template <int PART> struct Pass {
  static constexpr int shows = SHOWS[PART], sets = SETS[PART], leaves = LEAVES[PART];
  static constexpr int calls = CALLS[PART], into = INTO[PART], needs = needed(ROOT[PART]);
  const Lines &lines;
  const Hands &hands;
  Row *column; // of this thread in shared memory
  Row total[sets];
  Visit<PART> visit[AHEAD];

  DEVICE Row &sum(int set, int card) { return column[(set * CARDS + card) * THREADS]; }
  DEVICE Row &shown(int show, int at) { return lines.shown[show * lines.whole + at * lines.width]; }

  template <int COUNT> DEVICE void ask(u32 word, Row (&found)[COUNT]) {
    const int first = word & 63, other = word >> OTHER_CARD & 63;
    UNROLL for (int s = 0; s < COUNT; s++) found[s] = total[s] - sum(s, first) - sum(s, other);
  }

  DEVICE void add(u32 word, const Row (&rho)[leaves]) {
    const int first = word & 63, other = word >> OTHER_CARD & 63;
    UNROLL for (int s = 0; s < sets; s++) {
      total[s] = total[s] + rho[s];
      sum(s, first) = sum(s, first) + rho[s];
      sum(s, other) = sum(s, other) + rho[s];
    }
  }

  DEVICE void load(int at) {
    UNROLL for (int k = 0; k < AHEAD; k++) visit[k].load(lines, hands, at + k);
  }

  // All hands are added; what is found below each is kept.
  DEVICE void sweep() {
    UNROLL for (int s = 0; s < sets; s++) {
      total[s] = same(0);
      for (int card = 0; card < CARDS; card++) sum(s, card) = same(0);
    }
    for (int begin = 0, end; begin < hands.count; begin = end) {
      load(begin);
      Row rho[leaves];
      if (hands.words[begin] & ALONE) {
        Row found[shows];
        const u32 word = visit[0].word;
        visit[0].at_leaves(rho);
        ask(word, found);
        UNROLL for (int s = 0; s < shows; s++) shown(s, begin) = found[s] + found[s] - rho[s];
        add(word, rho);
        end = begin + 1;
        continue;
      }
      u32 word;
      end = begin;
      do {
        Row found[shows];
        word = hands.words[end];
        ask(word, found);
        UNROLL for (int s = 0; s < shows; s++) shown(s, end) = found[s];
        end++;
      } while (!(word & LAST));
      for (int at = begin; at < end; at += AHEAD) {
        if (at > begin) load(at);
        UNROLL for (int k = 0; k < AHEAD; k++) if (at + k < end) {
          visit[k].at_leaves(rho);
          add(visit[k].word, rho);
        }
      }
      for (int at = begin; at < end; at += AHEAD) {
        Row before[AHEAD][shows];
        UNROLL for (int k = 0; k < AHEAD; k++) if (at + k < end) UNROLL for (int s = 0; s < shows; s++) before[k][s] = shown(s, at + k);
        UNROLL for (int k = 0; k < AHEAD; k++) if (at + k < end) {
          Row found[shows];
          ask(hands.words[at + k], found);
          UNROLL for (int s = 0; s < shows; s++) shown(s, at + k) = before[k][s] + found[s];
        }
      }
    }
  }

  // What each hand is worth at the root of the part.
  DEVICE void finish(const Row *amounts, Real weight) {
    Row amount[leaves];
    UNROLL for (int s = 0; s < leaves; s++) amount[s] = amounts[s * lines.width];
    for (int at = 0; at < hands.count; at += AHEAD) {
      Row leaf[AHEAD][leaves], given[AHEAD][KEPT + 1], value[AHEAD];
      load(at);
      UNROLL for (int k = 0; k < AHEAD; k++) if (at + k < hands.count) {
        UNROLL for (int s = 0; s < shows; s++) leaf[k][s] = shown(s, at + k);
        UNROLL for (int g = 0; g < KEPT; g++) if (needs >> g & 1) given[k][g] = lines.kept[g * lines.whole + (at + k) * lines.width];
        if (into < 0) value[k] = lines.values[place_of(visit[k].word) * lines.width];
      }
      UNROLL for (int k = 0; k < AHEAD; k++) if (at + k < hands.count) {
        Row rho[leaves], all[sets];
        visit[k].at_leaves(rho);
        ask(visit[k].word, all);
        UNROLL for (int s = 0; s < leaves; s++) {
          if (s < shows) {
            leaf[k][s] = leaf[k][s] - all[s];
          } else {
            const int set = s < sets ? s : calls >> 4 * (s - sets) & 15;
            leaf[k][s] = all[set] + rho[set];
          }
          leaf[k][s] = leaf[k][s] * amount[s];
        }
        const Row found = worth<ROOT[PART]>(leaf[k], given[k]);
        if constexpr (into >= 0) {
          lines.kept[into * lines.whole + (at + k) * lines.width] = found;
        } else {
          lines.values[place_of(visit[k].word) * lines.width] = value[k] + found * same(weight);
        }
      }
    }
  }
};

template <int PART> DEVICE void do_parts(const Lines &lines, const Hands &hands, Row *column, const Row *amounts, Real weight) {
  {
    Pass<PART> pass = {lines, hands, column};
    UNROLL for (int k = 0; k < AHEAD; k++) pass.visit[k].group = ~0u;
    pass.sweep();
    pass.finish(amounts, weight);
  }
  if constexpr (PART + 1 < PARTS) do_parts<PART + 1>(lines, hands, column, amounts + Pass<PART>::leaves * lines.width, weight);
}

// Values are summed over the rivers of each board, times their weights.
//
// plan [group][edge][width], amounts [leaves of all parts][width] (what is lost is negative), reach and values
// [board][hand of the turn][width], words and groups [river][count], weights [river], rivers [board + 1]: where the
// rivers of a board begin; boards: in which order they are begun; work [board][MOST_SHOWS + KEPT][count][width].
extern "C" __global__ void __launch_bounds__(THREADS)
    respond_on_rivers(const Row *__restrict__ plan, const Row *__restrict__ amounts, const Row *__restrict__ reach, const u32 *__restrict__ words, const u16 *__restrict__ groups, const Real *__restrict__ weights,
                      const int *__restrict__ rivers, const int *__restrict__ boards, Row *work, Row *values, int wide, int turn_hands, int count) {
  SHARED_ROWS(shared);
  Row *column = (Row *)shared + threadIdx.x;
  u32 *word = (u32 *)((Row *)shared + MOST_SETS * CARDS * THREADS);
  u16 *group = (u16 *)(word + count);
  const Hands hands = {word, group, count};
  const size_t width = wide / EACH, whole = width * count, line = blockIdx.x * THREADS + threadIdx.x;
  const int board = boards[blockIdx.y];
  const size_t begin = (size_t)board * turn_hands * width + line;
  Row *shown = work + board * (MOST_SHOWS + KEPT) * whole + line;
  const Lines lines = {plan + line, reach + begin, amounts + line, shown, shown + MOST_SHOWS * whole, values + begin, width, whole};
  for (int hand = 0; hand < turn_hands; hand++) lines.values[hand * width] = same(0);
  for (int river = rivers[board]; river < rivers[board + 1]; river++) {
    __syncthreads();
    for (int place = threadIdx.x; place < count; place += THREADS) {
      word[place] = words[(size_t)river * count + place];
      group[place] = groups[(size_t)river * count + place];
    }
    __syncthreads();
    do_parts<0>(lines, hands, column, lines.amounts, weights[river]);
  }
}
EXPORT(respond_on_rivers)
