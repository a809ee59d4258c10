// The shape of a walk and its instructions, as `programs.py` and `instructions.py` make them.
//
// Compile-time numbers:
//   THREADS         of a team; a block has TEAMS of them and walks BOARDS boards at once (a power of two)
//   HANDS_A_LANE    of a sum over hands; half of it is odd, which avoids bank conflicts
//   LANES_A_CARD    lanes that share the list of a card, ENTRIES_A_LANE entries each
//   LIST_LANES      lanes of card lists, for each board
//   CARD_SUMS       sums by card and strength for each board; HAND_SUMS sums over hands
//   SUM_TABLES      tables of card sums, for each board
//   CHUNK           instructions that a team holds in shared memory
//   LAST_STREET     1 on the river; MOST_ACTIONS of a node; BLOCKS on a multiprocessor
//   TASK            what the walk is for; LEARNING, PASSED_UP, WRITES_SUMS say how it learns
//   LOCKED          1 where strategies are fixed from outside
//   GROUPED         BY_GROUP where hands of a board share storage, BY_BUCKET where those of all boards do, and it is
//                   only read
//   CHUNKED         1 where a job has more than CHUNK instructions; SPILLS where rows go to global memory
//   HALVED_ALL_INS  1 where the reach of all-ins is written as two halves (see all_ins.cu)

#define LANES_A_BOARD (32 / BOARDS)
#define BOARD_ROW (HANDS_A_LANE * LANES_A_BOARD)
#define ROW (BOARDS * BOARD_ROW)
#define SLOT (ROW + 4) // the last place of a slot stays zero
#define LIST_WARPS ((BOARDS * LIST_LANES + 31) / 32)
#define LANES (LIST_WARPS * 32)
#define SCRATCH (2 * BOARDS * (CARD_SUMS + HAND_SUMS) + 4)
#define HEADER 16 // words at the beginning: the queue of jobs, and the first board

// A table of card sums: 52 cards, the total, a zero, and a place for what nobody asks for.
enum { TOTAL = 52, ZERO = 53, UNUSED = 54, CARD_TABLE = 56 };

// TASK, as in cpu/tasks.py; LEARNING; PASSED_UP, as in `PassedUpValue`. Not enums: the preprocessor asks.
#define BY_GROUP 1
#define BY_BUCKET 2
#define LEARN 0
#define BEST 1
#define MEAN 2
#define RECORD 3
#define SEED 4
#define BEST_BY_GROUP 5
#define REGRETS 0
#define PREDICTED_REGRETS 1
#define GREEDY 2
#define TRIED_REGRETS 3
#define OLD_VALUE 0
#define NEW_VALUE 1
#define BEST_VALUE 2

enum { SPLIT, VALUE, ADD, LEAVES, COMBINE, ENTER, LEAVE, PASS_DOWN, FETCH_UP, STOP, PREFETCH, MORE, SPILL, FILL };
enum { SYNC = 1, FOLD = 2, SUMS = 4 };      // flags
enum { SHOWDOWN_LEAF = 1, CARDS_LEAF = 2 }; // what a leaf is evaluated for

// Eight words; see `Instruction.pack`.
struct Instruction {
  u32 head, number, rows0, rows1;
  Real factor;
  u32 table, next, next_info;
};
DEVICE int kind_of(const Instruction &i) { return i.head & 15; }
DEVICE int actions_of(const Instruction &i) { return (i.head >> 4) & 15; }
DEVICE int flags_of(const Instruction &i) { return (i.head >> 8) & 255; }
DEVICE int out_of(const Instruction &i) { return (i.head >> 16) & 255; }
DEVICE int source_of(const Instruction &i) { return i.head >> 24; }
// The slot behind an action. Nodes of more than eight have the rest in place of what is to be prefetched.
DEVICE int row_of(const Instruction &i, int action) {
  const u32 word = action < 4 ? i.rows0 : action < 8 ? i.rows1 : action < 12 ? i.next : i.next_info;
  return (word >> (8 * (action & 3))) & 255;
}
