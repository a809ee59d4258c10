// Between streets: values of boards are added up for the board above.

// above[root][board above][hand] = chance × sum over the cards that come, in their order. A block takes a root
// and a board above. Rows of the boards below go through shared memory, two in turn: there the hands of a
// thread find their places, which in global memory lie far apart. A thread has four neighbouring hands.
extern "C" __global__ void add_boards(const Real *__restrict__ values, int values_length, int boards, const u16 *__restrict__ positions, int padded,
                                      const int *__restrict__ owner, const int *__restrict__ member_first, Real *__restrict__ above, int above_length,
                                      int boards_above, double chance) {
  SHARED_ROWS(shared);
  const int hand = 4 * threadIdx.x, board = blockIdx.x % boards_above, root = blockIdx.x / boards_above;
  const int first = member_first[board], last = member_first[board + 1];
  const bool there = hand < padded;
  Real sums[4] = {0, 0, 0, 0};
  int held = -1, turn = 0; // the board whose row is in shared memory, and where
  for (int member = first; member < last; member++) {
    const int next = owner[member];
    if (next != held) { // the same for all threads
      held = next;
      turn ^= 1;
      const Real *source = values + ((size_t)root * boards + next) * values_length;
      Real *row_of_board = (Real *)shared + turn * values_length;
      for (int place = hand; place < values_length; place += 4 * blockDim.x) *(Four *)(row_of_board + place) = *(const Four *)(source + place);
      __syncthreads();
    }
    if (there) {
      const Halves4 at = *(const Halves4 *)(positions + (size_t)member * padded + hand);
      UNROLL for (int k = 0; k < 4; k++)
        if (at.v[k] != NO_HAND) sums[k] += ((const Real *)shared)[turn * values_length + at.v[k]];
    }
  }
  if (there) {
    Four total;
    UNROLL for (int k = 0; k < 4; k++) total.v[k] = sums[k] * (Real)chance;
    *(Four *)(above + ((size_t)root * boards_above + board) * above_length + hand) = total;
  }
}
EXPORT(add_boards)
