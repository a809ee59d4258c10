// Index tables of boards: where a walk finds the sums that showdowns and folds need (see leaves.cu).
//
// A block makes the tables of a board. The opposing hands of each card are listed in the order of strength, cut
// into lanes; at the end of each group of equal hands an entry says where the sum of that card and group goes.
// Sums of (card, group) are numbered in the order of the own hands that ask for them, so neighbours ask for
// neighbours.
enum { MOST_HANDS = 1216, COMBOS = 1326, NOT_RANKED = 0xffff, NO_CARDS = 0x3535, TOO_LONG = 1 << 20 };

extern "C" __global__ void build_tables(
    // which hand stands where, by board; how many; the spot of each board; by spot which combo a hand is; its cards
    const u16 *own_order, int own_length, const u16 *opposing_order, int opposing_length, const int *own_hands, const int *opposing_hands,
    const int *spot, const int *own_combos, int own_combos_length, const int *opposing_combos, int opposing_combos_length, const u8 *combo_cards,
    const u64 *board_cards,
    // groups of equal hands: own from, own to, opposing from, opposing to; where those of a board begin
    const int *groups, const int *group_first, int river,
    // the shape of the tables, see program.cu
    int lanes_a_card, int entries_a_lane, int list_lanes, int table_length, int hands_a_lane, int hand_lanes,
    // the tables; and how many sums of each kind they need
    u32 *showdowns, u32 *cards, u32 *lists, u32 *lane_info, u64 *ends, int *most_card_sums, int *most_hand_sums) {
  __shared__ u16 own_cards[MOST_HANDS], opposing_cards[MOST_HANDS], own_group[MOST_HANDS], place[COMBOS];
  __shared__ u16 sum_number[2 * MOST_HANDS], same_sum[2 * MOST_HANDS], ends_before[MOST_HANDS];
  const int b = blockIdx.x, t = threadIdx.x, n = blockDim.x, own_count = own_hands[b], opposing_count = opposing_hands[b];
  const u16 *own_at = own_order + (size_t)b * own_length, *opposing_at = opposing_order + (size_t)b * opposing_length;
  const int *own_combo = own_combos + (size_t)spot[b] * own_combos_length, *opposing_combo = opposing_combos + (size_t)spot[b] * opposing_combos_length;
  const int group0 = river ? group_first[b] : 0, group1 = river ? group_first[b + 1] : 0;
  for (int i = t; i < COMBOS; i += n) place[i] = NOWHERE;
  for (int i = t; i < own_count; i += n) {
    const u32 hand = own_at[i];
    own_cards[i] = hand != NO_HAND ? combo_cards[2 * own_combo[hand]] | (combo_cards[2 * own_combo[hand] + 1] << 8) : NO_CARDS;
    own_group[i] = NOT_RANKED;
  }
  for (int i = t; i < opposing_count; i += n) {
    const u32 hand = opposing_at[i];
    opposing_cards[i] = hand != NO_HAND ? combo_cards[2 * opposing_combo[hand]] | (combo_cards[2 * opposing_combo[hand] + 1] << 8) : NO_CARDS;
  }
  for (int i = t; i < entries_a_lane * list_lanes; i += n) lists[(size_t)b * entries_a_lane * list_lanes + i] = NOWHERE;
  for (int i = t; i < list_lanes; i += n) lane_info[(size_t)b * list_lanes + i] = 54u << 24;
  if (river)
    for (int i = t; i < hand_lanes; i += n) ends[(size_t)b * hand_lanes + i] = 0;
  __syncthreads();
  for (int i = t; i < opposing_count; i += n)
    if (opposing_at[i] != NO_HAND) place[opposing_combo[opposing_at[i]]] = i;
  for (int g = group0 + t; g < group1; g += n)
    for (int i = groups[4 * g]; i < groups[4 * g + 1]; i++) own_group[i] = g - group0;
  __syncthreads();
  // A card of a hand asks for the same sum as the card of an earlier hand of its group.
  for (int q = t; q < 2 * own_count; q += n) {
    const int i = q >> 1;
    const u32 card = (own_cards[i] >> (8 * (q & 1))) & 255;
    u32 found = NOT_RANKED;
    if (river && own_group[i] != NOT_RANKED)
      for (int j = i - 1; j >= 0 && own_group[j] == own_group[i] && found == NOT_RANKED; j--) {
        if ((own_cards[j] & 255) == card) found = 2 * j;
        else if ((own_cards[j] >> 8) == card) found = 2 * j + 1;
      }
    same_sum[q] = found;
  }
  __syncthreads();
  if (t == 0 && river) {
    u32 next = 1; // sum 0 is a place for what nobody asks for
    for (int q = 0; q < 2 * own_count; q++) {
      if (own_group[q >> 1] == NOT_RANKED) sum_number[q] = 0;
      else sum_number[q] = same_sum[q] == NOT_RANKED ? next++ : sum_number[same_sum[q]];
    }
    if ((int)next > most_card_sums[b]) most_card_sums[b] = next;
  }
  if (t == 32 && river) { // where groups of opposing hands end
    u64 *end = ends + (size_t)b * hand_lanes;
    int count = 0, lane = 0;
    for (int g = group0; g < group1; g++) {
      ends_before[g - group0] = count;
      if (groups[4 * g + 3] > groups[4 * g + 2]) {
        const int i = groups[4 * g + 3] - 1;
        while (lane < i / hands_a_lane) end[++lane] = (u64)count << 48;
        end[i / hands_a_lane] |= 1ull << (i % hands_a_lane);
        count++;
      }
    }
    while (lane < hand_lanes - 1) end[++lane] = (u64)count << 48;
    if (count + 1 > most_hand_sums[b]) most_hand_sums[b] = count + 1;
  }
  __syncthreads();
  for (int i = t; i < own_count; i += n) {
    const u32 hand = own_at[i], same = hand != NO_HAND ? place[own_combo[hand]] : NOWHERE;
    cards[(size_t)b * table_length + i] = own_cards[i] | (same << 16);
    if (river) {
      u32 word = 0;
      if (own_group[i] != NOT_RANKED) {
        const int g = group0 + own_group[i];
        const u32 some = groups[4 * g + 3] > groups[4 * g + 2];
        word = sum_number[2 * i] | ((u32)sum_number[2 * i + 1] << 11) | ((u32)ends_before[own_group[i]] << 22) | (some << 31);
      }
      showdowns[(size_t)b * table_length + i] = word;
    }
  }
  for (int card = t; card < 52; card += n) {
    if (board_cards[b] >> card & 1) continue;
    int number = 0;
    for (int d = 0; d < card; d++) number += !(board_cards[b] >> d & 1);
    const int first_lane = number * lanes_a_card, room = lanes_a_card * entries_a_lane;
    u32 *list = lists + (size_t)b * entries_a_lane * list_lanes, *info = lane_info + (size_t)b * list_lanes + first_lane;
#define ENTRY(e) list[(((e) % entries_a_lane) / 4 * list_lanes + first_lane + (e) / entries_a_lane) * 4 + (e) % entries_a_lane % 4]
    u32 has_before = 0;
    int count = 0, source = 0, lane = -1;
    for (int l = 0; l < lanes_a_card; l++) info[l] = (u32)card << 24;
    for (int g = river ? group0 : 0; g < (river ? group1 : 1); g++) {
      const int from = river ? groups[4 * g + 2] : 0, to = river ? groups[4 * g + 3] : opposing_count, start = count;
      for (int j = from; j < to; j++)
        if ((opposing_cards[j] & 255) == card || (opposing_cards[j] >> 8) == card) {
          if (count < room) ENTRY(count) = j;
          count++;
        }
      if (!river) break;
      u32 goes_to = 0;
      for (int i = groups[4 * g]; i < groups[4 * g + 1] && !goes_to; i++) {
        if ((own_cards[i] & 255) == card) goes_to = sum_number[2 * i];
        else if ((own_cards[i] >> 8) == card) goes_to = sum_number[2 * i + 1];
      }
      if (count == start) { // no opposing hand: an empty entry if an own hand asks
        if (!goes_to) continue;
        if (count < room) ENTRY(count) = NOWHERE;
        count++;
      }
      if (count <= room) {
        const int last = count - 1, at = last / entries_a_lane;
        ENTRY(last) |= 0x80000000u | (goes_to << 12);
        if (at != lane) {
          if (lane >= 0) {
            has_before = 1;
            source = lane;
          }
          lane = at;
          info[lane] = goes_to | ((u32)source << 16) | (has_before << 20) | (1u << 21) | ((u32)card << 24);
        }
      }
    }
    if (count > room) most_card_sums[b] = TOO_LONG;
  }
}
EXPORT(build_tables)
