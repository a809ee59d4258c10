// From what strategies are proportional to, to the probabilities that are saved, as IEEE halves.

// A block takes a node of a board. Where `rows` have nothing for a hand `spare` is taken, and equal shares
// where that has nothing either; a share of less than `smallest` is none.
extern "C" __global__ void write_probabilities(const Stored *__restrict__ rows, const Stored *__restrict__ spare, const i64 *__restrict__ first,
                                               const int *__restrict__ lengths, const int *__restrict__ node_slot, const int *__restrict__ node_actions,
                                               float smallest, u16 *out) {
  const int b = blockIdx.y, length = lengths[b], actions = node_actions[blockIdx.x];
  const i64 start = first[b] + (i64)node_slot[blockIdx.x] * length;
  for (int hand = 4 * threadIdx.x; hand < length; hand += 4 * blockDim.x) {
    Four total = zeros(), spare_total = zeros();
    for (int a = 0; a < actions; a++) {
      const i64 here = start + a * length + hand;
      const Four x = kept(rows + here), y = kept(spare + here);
      UNROLL for (int k = 0; k < 4; k++) {
        total.v[k] += positive(x.v[k]);
        spare_total.v[k] += positive(y.v[k]);
      }
    }
    for (int a = 0; a < actions; a++) {
      const i64 here = start + a * length + hand;
      const Four x = kept(rows + here), y = kept(spare + here);
      Halves4 share;
      UNROLL for (int k = 0; k < 4; k++) {
        Real part = spare_total.v[k] > 0 ? positive(y.v[k]) / spare_total.v[k] : (Real)1 / actions;
        if (total.v[k] > 0) part = positive(x.v[k]) / total.v[k];
        share.v[k] = float_to_half(part > smallest ? (float)part : 0.f);
      }
      *(Halves4 *)(out + here) = share;
    }
  }
}
EXPORT(write_probabilities)
