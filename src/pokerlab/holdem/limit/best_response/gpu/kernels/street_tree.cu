// The betting of a street as the compiler sees it: the tree is written out, nothing of it is looked up.
//
// Python hands over each node as a number NODE_k (`street_tree.py` says of which bits it is made). What follows an
// action is a code: 0 where it is not legal, 1 + a node, GIVEN + a number where another part has found what it is
// worth, or LEAF + a leaf. The villain's edges are numbered in the order of the nodes.
enum : int { GIVEN = 24, LEAF = 32 };

constexpr int NODES[] = {NODE_0, NODE_1, NODE_2, NODE_3, NODE_4, NODE_5, NODE_6, NODE_7, NODE_8, NODE_9, NODE_10, NODE_11, NODE_12, NODE_13, NODE_14, NODE_15};

// Write the villain's reach at each leaf behind a code, from the villain's reach there and the chances of the edges.
template <int CODE, class Row, class Edges, class Leaves> DEVICE void spread(const Row &reach, const Edges &edge, Leaves &at_leaf) {
  if constexpr (CODE >= LEAF) {
    at_leaf[CODE - LEAF] = reach;
  } else if constexpr (CODE > 0 && CODE < GIVEN) {
    constexpr int node = NODES[CODE - 1], fold = node >> 1 & 63, call = node >> 7 & 63, raise = node >> 13 & 63;
    if constexpr (node & 1) {
      spread<fold>(reach, edge, at_leaf);
      spread<call>(reach, edge, at_leaf);
      spread<raise>(reach, edge, at_leaf);
    } else {
      constexpr int to_fold = node >> 19 & 63, to_call = to_fold + (fold != 0), to_raise = to_call + (call != 0);
      if constexpr (fold >= LEAF || (fold > 0 && fold < GIVEN)) spread<fold>(reach * edge[to_fold], edge, at_leaf);
      if constexpr (call >= LEAF || (call > 0 && call < GIVEN)) spread<call>(reach * edge[to_call], edge, at_leaf);
      if constexpr (raise >= LEAF || (raise > 0 && raise < GIVEN)) spread<raise>(reach * edge[to_raise], edge, at_leaf);
    }
  }
}

DEVICE Real larger(Real x, Real y) { return x > y ? x : y; }

// What a hand of the hero is worth, from what it is worth at the leaves: the hero takes the best action, the
// villain's are added up (they are weighted by the villain's reach).
template <int CODE, class Row> DEVICE Row worth(const Row *leaf, const Row *given) {
  if constexpr (CODE >= LEAF) {
    return leaf[CODE - LEAF];
  } else if constexpr (CODE >= GIVEN) {
    return given[CODE - GIVEN];
  } else {
    constexpr int node = NODES[CODE - 1], fold = node >> 1 & 63, call = node >> 7 & 63, raise = node >> 13 & 63;
    Row found = worth<call>(leaf, given); // to call is always legal
    if constexpr (fold != 0) found = (node & 1) ? larger(found, worth<fold>(leaf, given)) : found + worth<fold>(leaf, given);
    if constexpr (raise != 0) found = (node & 1) ? larger(found, worth<raise>(leaf, given)) : found + worth<raise>(leaf, given);
    return found;
  }
}

// Which of the kept worths are needed behind a code, as bits.
DEVICE constexpr int needed(int code) {
  if (code == 0 || code >= LEAF) return 0;
  if (code >= GIVEN) return 1 << (code - GIVEN);
  const int node = NODES[code - 1];
  return needed(node >> 1 & 63) | needed(node >> 7 & 63) | needed(node >> 13 & 63);
}
