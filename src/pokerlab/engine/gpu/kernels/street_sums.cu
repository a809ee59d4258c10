// Between streets: values of boards are added up for the board above.

// above[root][board above][hand] = chance × sum over the cards that come, in their order; two roots a thread.
extern "C" __global__ void add_boards(const Real *__restrict__ values, int values_length, int boards, const u16 *__restrict__ positions, int padded,
                                      const int *__restrict__ owner, const int *__restrict__ member_first, Real *__restrict__ above, int above_length,
                                      int boards_above, int roots, double chance) {
  const int hand = blockIdx.y * blockDim.x + threadIdx.x;
  if (hand >= padded) return;
  const int board = blockIdx.x % boards_above, root = (blockIdx.x / boards_above) * 2;
  const bool two = root + 1 < roots;
  const size_t step = two ? (size_t)boards * values_length : 0;
  Real sum0 = 0, sum1 = 0;
  const int last = member_first[board + 1];
  _Pragma("unroll 8") for (int member = member_first[board]; member < last; member++) {
    const u32 at = positions[(size_t)member * padded + hand];
    if (at != NO_HAND) {
      const Real *source = values + ((size_t)root * boards + owner[member]) * values_length + at;
      sum0 += source[0];
      sum1 += source[step];
    }
  }
  above[((size_t)root * boards_above + board) * above_length + hand] = sum0 * (Real)chance;
  if (two) above[((size_t)(root + 1) * boards_above + board) * above_length + hand] = sum1 * (Real)chance;
}
EXPORT(add_boards)
