// The betting of a street as the compiler sees it: the tree is written out, nothing of it is looked up.
//
// Python hands over each node as a number NODE_k (`street_tree.py` says of which bits it is made). What follows an
// action is a code: 0 where it is not legal, 1 + a node, or LEAF + a set. A *set* is what is kept of a leaf: the
// villain's reach there, summed up by cards. The villain's edges are numbered in the order of the nodes.
enum : int { LEAF = 32 };

constexpr int NODES[] = {NODE_0, NODE_1, NODE_2, NODE_3, NODE_4, NODE_5, NODE_6, NODE_7, NODE_8, NODE_9, NODE_10, NODE_11, NODE_12, NODE_13, NODE_14, NODE_15};

// Write the villain's reach at each leaf behind a code, from his reach there and the chances of his edges.
template <int CODE, class Edges, class Sets> DEVICE void spread(Real reach, const Edges &edge, Sets &at_leaf) {
  if constexpr (CODE >= LEAF) {
    at_leaf[CODE - LEAF] = reach;
  } else if constexpr (CODE > 0) {
    constexpr int node = NODES[CODE - 1], fold = node >> 1 & 63, call = node >> 7 & 63, raise = node >> 13 & 63;
    if constexpr (node & 1) {
      spread<fold>(reach, edge, at_leaf);
      spread<call>(reach, edge, at_leaf);
      spread<raise>(reach, edge, at_leaf);
    } else {
      constexpr int to_fold = node >> 19 & 63, to_call = to_fold + (fold != 0), to_raise = to_call + (call != 0);
      if constexpr (fold != 0) spread<fold>(reach * edge[to_fold], edge, at_leaf);
      if constexpr (call != 0) spread<call>(reach * edge[to_call], edge, at_leaf);
      if constexpr (raise != 0) spread<raise>(reach * edge[to_raise], edge, at_leaf);
    }
  }
}

DEVICE Real larger(Real x, Real y) { return x > y ? x : y; }

// What a hand of the hero is worth, from what it is worth at the leaves: he takes the best action, the villain's
// are added up (they are weighted by his reach).
template <int CODE, class Sets> DEVICE Real worth(const Sets &leaf) {
  if constexpr (CODE >= LEAF) {
    return leaf[CODE - LEAF];
  } else {
    constexpr int node = NODES[CODE - 1], fold = node >> 1 & 63, call = node >> 7 & 63, raise = node >> 13 & 63;
    Real found = worth<call>(leaf); // to call is always legal
    if constexpr (fold != 0) found = (node & 1) ? larger(found, worth<fold>(leaf)) : found + worth<fold>(leaf);
    if constexpr (raise != 0) found = (node & 1) ? larger(found, worth<raise>(leaf)) : found + worth<raise>(leaf);
    return found;
  }
}
