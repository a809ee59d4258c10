// Between streets: values of boards are added up for the board above.

// above[root][board above][hand] = chance × sum over the cards that come, in their order; two roots a thread.
// With WEIGHTED, a card counts as often as its board says.
extern "C" __global__ void add_boards(const Real *__restrict__ values, int values_length, int boards, const u16 *__restrict__ positions, int padded,
                                      const int *__restrict__ owner, const int *__restrict__ member_first, Real *__restrict__ above, int above_length,
                                      int boards_above, int roots, double chance, const Real *__restrict__ weights) {
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
#if WEIGHTED
      sum0 += source[0] * weights[owner[member]];
      sum1 += source[step] * weights[owner[member]];
#else
      sum0 += source[0];
      sum1 += source[step];
#endif
    }
  }
  above[((size_t)root * boards_above + board) * above_length + hand] = sum0 * (Real)chance;
  if (two) above[((size_t)(root + 1) * boards_above + board) * above_length + hand] = sum1 * (Real)chance;
}
EXPORT(add_boards)

// Where cards are left out. missed[root][board][own] = sum over opposing of reach[root][board][opposing] ×
// corrections[board][opposing][own], halves. A thread takes an own hand and a root.
// With PARTS, the same of corrections[board][part][opposing][own], times stakes[root][part].
#if PARTS
#define STAKES , const Real *__restrict__ stakes
#else
#define STAKES
#endif
extern "C" __global__ void find_missed(const Real *__restrict__ reach, const u16 *__restrict__ corrections, Real *__restrict__ missed, int boards,
                                       int opposing_length, int own_length STAKES) {
  const int board = blockIdx.y, root = blockIdx.z, hand = blockIdx.x * blockDim.x + threadIdx.x;
  if (hand >= own_length) return;
  const Real *row = reach + ((size_t)root * boards + board) * opposing_length;
#if PARTS
  Real sum = 0;
  for (int part = 0; part < PARTS; part++) {
    const u16 *column = corrections + ((size_t)board * PARTS + part) * opposing_length * own_length + hand;
    Real here = 0;
    for (int other = 0; other < opposing_length; other++) here += row[other] * (Real)half_to_float(column[(size_t)other * own_length]);
    sum += stakes[root * PARTS + part] * here;
  }
#else
  const u16 *column = corrections + (size_t)board * opposing_length * own_length + hand;
  Real sum = 0;
  for (int other = 0; other < opposing_length; other++) sum += row[other] * (Real)half_to_float(column[(size_t)other * own_length]);
#endif
  missed[((size_t)root * boards + board) * own_length + hand] = sum;
}
EXPORT(find_missed)

// rows[root][board][hand] = rows × scales[board][hand] + stakes[root] × missed[root][board][hand]; without stakes the
// product alone.
extern "C" __global__ void scale_rows(Real *__restrict__ rows, const Real *__restrict__ scales, const Real *__restrict__ stakes, const Real *__restrict__ missed,
                                      int boards, int length) {
  const int board = blockIdx.y, root = blockIdx.z, hand = blockIdx.x * blockDim.x + threadIdx.x;
  if (hand >= length) return;
  const size_t place = ((size_t)root * boards + board) * length + hand;
  const Real scaled = rows[place] * scales[(size_t)board * length + hand];
  rows[place] = stakes ? scaled + stakes[root] * missed[place] : scaled;
}
EXPORT(scale_rows)
