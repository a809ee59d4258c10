// The best response on all rivers of a turn board: a block does some lines of betting of one board, a thread one line.
//
// All threads of a block go through the hands of a river at the same time, from the weakest to the strongest. A
// hand of the hero beats what the villain holds below it and loses to what he holds above, less the hands that share
// a card. So each thread keeps, for each showdown (a set), twice the sum of the villain's reach below, plus once that
// of the hands as strong, less that of all hands; and the same by card, in shared memory as [set][card][lane], which
// no other thread reads. What a hand wins is the first less the sums of its two cards. Folds need the sums of all
// hands alone.
//
// Shared memory is what limits the threads of a multiprocessor, so the tree is done in two *parts*, behind the two
// actions at its root: for limit hold'em 5 showdowns and 4 folds, then 4 and 4. Few threads must keep many loads in
// the air: a ring of RING visits to hands is loaded ahead.
//
// Hands of equal strength are visited three times: to add them once (their sums then are right), to find what
// they are worth, and to add them once more. Neighbours often have their first card in common; its sums stay in
// registers meanwhile.
enum : u32 { OTHER_CARD = 6, PLACE = 12, LAST = 1u << 23, ALONE = 1u << 24, HIGH_GROUP = 25 }; // bits of a word
enum : int { NOTHING = 0, ADDS = 1, ASKS = 2, ADDS_AGAIN = 3, IS_ALONE = 4 };                 // why a hand is visited

constexpr int MOST_SETS = SETS_0 > SETS_1 ? SETS_0 : SETS_1;
template <int PART> struct Part {
  static constexpr int root = PART ? ROOT_1 : ROOT_0, shows = PART ? SHOWS_1 : SHOWS_0, sets = PART ? SETS_1 : SETS_0;
  static constexpr int edges = PART ? EDGES_1 : EDGES_0; // which ones it needs, as bits
  static constexpr int edge = PART ? EDGE_1 : EDGE_0;    // how the villain comes here, or -1
};

// A river's hands in the order of strength, in shared memory. A word has both cards, the place among the hands of the
// turn, whether a group of equals ends here, and the high bits of the hand's group; the low ones are apart.
struct Hands {
  const u32 *words;
  const u16 *groups;
  int count;
};
DEVICE u32 place_of(u32 word) { return word >> PLACE & 2047; }

// One after the other, and each group of equals three times. The next word is loaded before it is asked for.
struct Visits {
  Hands hands;
  int place, begin, pass;
  u32 word, group;
  DEVICE Visits(const Hands &of) : hands(of), place(0), begin(0), pass(ADDS) { load(); }
  DEVICE void load() {
    const int at = place < hands.count ? place : 0;
    word = hands.words[at];
    group = word >> HIGH_GROUP << 16 | hands.groups[at];
  }
  DEVICE int next(u32 &its_word, u32 &its_group) {
    if (place >= hands.count) return NOTHING;
    its_word = word;
    its_group = group;
    const bool alone = word & ALONE, last = word & LAST;
    const int kind = alone ? (int)IS_ALONE : pass;
    const bool done = alone || pass == ADDS_AGAIN;
    place = last && !done ? begin : place + 1;
    if (last) {
      begin = place;
      pass = done ? (int)ADDS : pass + 1;
    }
    load();
    return kind;
  }
};

struct Visit {
  u32 word, group;
  int kind;
  Real reach, edge[EDGES], before, other;
};

struct Lane {
  const Real *plan, *reach;
  Real *first_part, *values;
  size_t width;
};

template <int PART> DEVICE void load_reach(const Lane &lane, u32 word, u32 group, Visit &visit) {
  visit.word = word;
  visit.reach = lane.reach[place_of(word) * lane.width];
  if (group == visit.group) return; // its chances are still there
  visit.group = group;
  const Real *row = lane.plan + group * (EDGES * lane.width);
  UNROLL for (int e = 0; e < EDGES; e++) if (Part<PART>::edges >> e & 1) visit.edge[e] = row[e * lane.width];
}

template <int PART> struct Sweep {
  using Shape = Part<PART>;
  Real *column; // of this thread in shared memory
  Real total[Shape::sets], held[Shape::sets], amount[Shape::sets];
  int card; // whose sums are held

  DEVICE Real &sum(int set, int of) { return column[set * (CARDS * LANES) + of * LANES]; }

  template <int COUNT> DEVICE void hold(int of, bool write) {
    if (of == card) return;
    if (write) put_back<COUNT>();
    UNROLL for (int s = 0; s < COUNT; s++) held[s] = sum(s, of);
    card = of;
  }
  template <int COUNT> DEVICE void put_back() {
    if (card >= 0)
      UNROLL for (int s = 0; s < COUNT; s++) sum(s, card) = held[s];
    card = -1;
  }

  DEVICE void at_leaves(const Visit &visit, Real (&rho)[Shape::sets]) {
    Real reach = visit.reach;
    if constexpr (Shape::edge >= 0) reach *= visit.edge[Shape::edge];
    spread<Shape::root>(reach, visit.edge, rho);
  }

  // Sums over all hands: negative for showdowns, where nothing lies below yet.
  DEVICE void total_up(const Visit &visit) {
    Real rho[Shape::sets];
    at_leaves(visit, rho);
    const int other = visit.word >> OTHER_CARD & 63;
    hold<Shape::sets>(visit.word & 63, true);
    UNROLL for (int s = 0; s < Shape::sets; s++) {
      const Real x = s < Shape::shows ? -rho[s] : rho[s];
      total[s] += x;
      held[s] += x;
      sum(s, other) += x;
    }
  }

  DEVICE void add(const Visit &visit) {
    Real rho[Shape::sets];
    at_leaves(visit, rho);
    const int other = visit.word >> OTHER_CARD & 63;
    hold<Shape::shows>(visit.word & 63, true);
    UNROLL for (int s = 0; s < Shape::shows; s++) {
      total[s] += rho[s];
      held[s] += rho[s];
      sum(s, other) += rho[s];
    }
    if (visit.word & LAST) put_back<Shape::shows>();
  }

  DEVICE Real ask(const Visit &visit) {
    Real rho[Shape::sets], leaf[Shape::sets];
    at_leaves(visit, rho);
    const int other = visit.word >> OTHER_CARD & 63;
    hold<Shape::sets>(visit.word & 63, false);
    UNROLL for (int s = 0; s < Shape::sets; s++) {
      leaf[s] = total[s] - held[s] - sum(s, other);
      if (s >= Shape::shows) leaf[s] += rho[s]; // both cards have taken away the hand itself
      leaf[s] *= amount[s];
    }
    if (visit.word & LAST) card = -1;
    return worth<Shape::root>(leaf);
  }

  // A hand that no other equals is added twice at once.
  DEVICE Real ask_alone(const Visit &visit) {
    Real rho[Shape::sets], leaf[Shape::sets];
    at_leaves(visit, rho);
    const int first = visit.word & 63, other = visit.word >> OTHER_CARD & 63;
    UNROLL for (int s = 0; s < Shape::sets; s++) {
      const Real x = sum(s, first), y = sum(s, other);
      leaf[s] = total[s] - x - y;
      if (s < Shape::shows) {
        leaf[s] -= rho[s];
        const Real twice = rho[s] + rho[s];
        total[s] += twice;
        sum(s, first) = x + twice;
        sum(s, other) = y + twice;
      } else {
        leaf[s] += rho[s];
      }
      leaf[s] *= amount[s];
    }
    return worth<Shape::root>(leaf);
  }

  DEVICE void load_in_order(const Lane &lane, const Hands &hands, int place, Visit &visit) {
    if (place >= hands.count) return;
    const u32 word = hands.words[place];
    load_reach<PART>(lane, word, word >> HIGH_GROUP << 16 | hands.groups[place], visit);
  }

  DEVICE void take_totals(const Lane &lane, const Hands &hands) {
    UNROLL for (int s = 0; s < Shape::sets; s++) {
      total[s] = 0;
      for (int of = 0; of < CARDS; of++) sum(s, of) = 0;
    }
    card = -1;
    Visit ring[RING];
    UNROLL for (int k = 0; k < RING; k++) ring[k].group = ~0u;
    UNROLL for (int k = 0; k < RING; k++) load_in_order(lane, hands, k, ring[k]);
    for (int place = 0; place < hands.count; place += RING) {
      UNROLL for (int k = 0; k < RING; k++) {
        if (place + k < hands.count) total_up(ring[k]);
        load_in_order(lane, hands, place + k + RING, ring[k]);
      }
    }
    put_back<Shape::sets>();
  }

  DEVICE void load(const Lane &lane, Visits &visits, Visit &visit) {
    u32 word, group;
    visit.kind = visits.next(word, group);
    if (visit.kind == NOTHING) return;
    load_reach<PART>(lane, word, group, visit);
    if (visit.kind == ASKS || visit.kind == IS_ALONE) {
      const size_t at = place_of(word) * lane.width;
      if (PART == 1 || !HERO_BEGINS) visit.before = lane.values[at];
      if (PART == 1 && HERO_BEGINS) visit.other = lane.first_part[at];
    }
  }

  // Where the hero begins he takes the better part; otherwise the villain's two actions are added up.
  DEVICE void write(const Lane &lane, const Visit &visit, Real weight, Real found) {
    const size_t at = place_of(visit.word) * lane.width;
    if (HERO_BEGINS && PART == 0) {
      lane.first_part[at] = found;
    } else {
      if (HERO_BEGINS) found = larger(found, visit.other);
      lane.values[at] = visit.before + weight * found;
    }
  }

  DEVICE void run(const Lane &lane, const Hands &hands, Real weight) {
    take_totals(lane, hands);
    Visits visits(hands);
    Visit ring[RING];
    UNROLL for (int k = 0; k < RING; k++) ring[k].group = ~0u;
    UNROLL for (int k = 0; k < RING; k++) load(lane, visits, ring[k]);
    while (ring[0].kind != NOTHING) {
      UNROLL for (int k = 0; k < RING; k++) {
        Visit &visit = ring[k];
        if (visit.kind & 1) add(visit);
        if (visit.kind == ASKS) write(lane, visit, weight, ask(visit));
        if (visit.kind == IS_ALONE) write(lane, visit, weight, ask_alone(visit));
        if (visit.kind != NOTHING) load(lane, visits, visit);
      }
    }
  }
};

// Values are summed over the rivers of each board, times their weights.
//
// plan [group][edge][width], amounts [sets of both parts][width] (what is lost is negative), reach, first_part
// and values [board][hand of the turn][width], words and groups [river][count], weights [river], rivers [board + 1]: where
// the rivers of a board begin; boards: in which order they are begun.
extern "C" __global__ void __launch_bounds__(LANES)
    respond_on_rivers(const Real *__restrict__ plan, const Real *__restrict__ amounts, const Real *__restrict__ reach, const u32 *__restrict__ words, const u16 *__restrict__ groups, const Real *__restrict__ weights,
                      const int *__restrict__ rivers, const int *__restrict__ boards, Real *first_part, Real *values, int width, int turn_hands, int count) {
  SHARED_ROWS(shared);
  Real *column = (Real *)shared + threadIdx.x;
  u32 *word = (u32 *)((Real *)shared + MOST_SETS * CARDS * LANES);
  u16 *group = (u16 *)(word + count);
  const Hands hands = {word, group, count};
  const int line = blockIdx.x * LANES + threadIdx.x, board = boards[blockIdx.y];
  const size_t begin = (size_t)board * turn_hands * width + line;
  const Lane lane = {plan + line, reach + begin, first_part + begin, values + begin, (size_t)width};
  for (int hand = 0; hand < turn_hands; hand++) lane.values[hand * lane.width] = 0;
  for (int river = rivers[board]; river < rivers[board + 1]; river++) {
    __syncthreads();
    for (int place = threadIdx.x; place < count; place += LANES) {
      word[place] = words[(size_t)river * count + place];
      group[place] = groups[(size_t)river * count + place];
    }
    __syncthreads();
    const Real weight = weights[river];
    {
      Sweep<0> sweep;
      sweep.column = column;
      UNROLL for (int s = 0; s < SETS_0; s++) sweep.amount[s] = amounts[(size_t)s * width + line];
      sweep.run(lane, hands, weight);
    }
    {
      Sweep<1> sweep;
      sweep.column = column;
      UNROLL for (int s = 0; s < SETS_1; s++) sweep.amount[s] = amounts[(size_t)(SETS_0 + s) * width + line];
      sweep.run(lane, hands, weight);
    }
  }
}
EXPORT(respond_on_rivers)
