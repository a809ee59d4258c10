// Enough of CUDA to run the kernels on a processor, a fibre for each thread: stands in for device.cu.
//
// The threads of a block take turns until each waits for a barrier or is done; they begin in another order
// each time, and shared memory begins as NaN: a missing barrier or a number that nobody wrote shows.
#pragma once
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>
#include <ucontext.h>

#define DEVICE inline
#define UNROLL
#define __global__
#define __launch_bounds__(...)
#define __restrict__
#define __shared__ static
#define SHARED_ROWS(name) char *name = emulated_shared

struct Index { int x = 0, y = 0, z = 0; };
static Index threadIdx, blockIdx, blockDim;
static char *emulated_shared;

// ---- fibres
enum { RUNS, AT_WARP, AT_BARRIER, DONE };
struct Fibre {
  ucontext_t context;
  jmp_buf place;
  int state, number, barrier, expected;
  bool entered;
  unsigned exchanges;
};
static std::vector<Fibre> fibres;
static ucontext_t emulator;
static jmp_buf emulator_place;
static int running;
static double exchanged[2][2048];

// A context of the system is entered once for each thread; from then on jumps go between them, which do not call the
// system and are seven times as fast.
static void leave(Fibre &fibre) {
  if (_setjmp(fibre.place) == 0) _longjmp(emulator_place, 1);
}
static void wait_at(int state) {
  Fibre &fibre = fibres[running];
  fibre.state = state;
  leave(fibre);
}
static void wait_at_barrier(int barrier, int expected) {
  fibres[running].barrier = barrier;
  fibres[running].expected = expected;
  wait_at(AT_BARRIER);
}
static void __syncthreads() { wait_at_barrier(0, blockDim.x); }
template <int COUNT> static void team_barrier(int team) { wait_at_barrier(team + 1, COUNT); }
template <class T> static T exchange(T x, int from) {
  Fibre &fibre = fibres[running];
  const int turn = fibre.exchanges++ & 1;
  exchanged[turn][fibre.number] = x;
  wait_at(AT_WARP);
  return (T)exchanged[turn][(fibre.number & ~31) + from];
}
template <class T> static T __shfl_up_sync(unsigned, T x, int by, int width) {
  const int lane = threadIdx.x & 31, first = lane & ~(width - 1), from = lane - by;
  return exchange(x, from < first ? lane : from);
}
template <class T> static T __shfl_sync(unsigned, T x, int source, int width) {
  const int lane = threadIdx.x & 31;
  return exchange(x, (lane & ~(width - 1)) + (source & (width - 1)));
}
static inline int atomicAdd(int *p, int x) {
  const int old = *p;
  *p += x;
  return old;
}

// ---- memory and numbers
static u32 address(const void *p) { return (u32)((const char *)p - emulated_shared); }
template <class T> static T &shared_at(u32 a) { return *(T *)(emulated_shared + a); }
static Words4 load_words4(u32 a) { return shared_at<Words4>(a); }
static Words2 load_words2(u32 a) { return shared_at<Words2>(a); }
static Real load_one(u32 a) { return shared_at<Real>(a); }
static Two load_two(u32 a) { return shared_at<Two>(a); }
static void store_one(u32 a, Real x) { shared_at<Real>(a) = x; }
static void store_two(u32 a, Real x, Real y) { shared_at<Two>(a) = Two{x, y}; }
static void store_one_if(bool c, u32 a, Real x) { if (c) store_one(a, x); }
static void store_two_if(bool c, u32 a, Real x, Real y) { if (c) store_two(a, x, y); }
static Floats4 load_stored(const float *p) { return *(const Floats4 *)p; }
static Words2 load_stored(const u16 *p) { return *(const Words2 *)p; }
static Doubles4 load_stored(const double *p) { return *(const Doubles4 *)p; }
static void store_stored(float *p, const Floats4 &x) { *(Floats4 *)p = x; }
static void store_stored(u16 *p, const Words2 &x) { *(Words2 *)p = x; }
static void store_stored(double *p, const Doubles4 &x) { *(Doubles4 *)p = x; }
static void prefetch(const void *, u32) {}
static inline float bits_to_float(u32 x) {
  float f;
  memcpy(&f, &x, 4);
  return f;
}
static inline u32 float_to_bits(float f) {
  u32 x;
  memcpy(&x, &f, 4);
  return x;
}
static inline double bits_to_double(u64 x) {
  double f;
  memcpy(&f, &x, 8);
  return f;
}
static inline u64 double_to_bits(double f) {
  u64 x;
  memcpy(&x, &f, 8);
  return x;
}
static float half_to_float(u16 h) {
  const int exponent = (h >> 10) & 31, mantissa = h & 1023;
  const float size = exponent ? ldexpf(1024 + mantissa, exponent - 25) : ldexpf(mantissa, -24);
  return h & 0x8000 ? -size : size;
}
static u16 float_to_half(float x) { // to the nearest, ties to even
  const u32 bits = float_to_bits(x), sign = (bits >> 16) & 0x8000, size = bits & 0x7fffffff;
  if (size >= 0x477ff000) return sign | 0x7c00;
  if (size < 0x38800000) return sign | (u16)nearbyintf(ldexpf(bits_to_float(size), 24));
  const u32 rounded = size + 0xfff + ((size >> 13) & 1);
  return sign | (u16)((rounded - 0x38000000) >> 13);
}
static void unpack_halves(u32 two, float &low, float &high) {
  low = half_to_float((u16)two);
  high = half_to_float((u16)(two >> 16));
}
static u32 finite_half(float x) {
  const u32 h = float_to_half(x), sign = h & 0x8000, size = h & 0x7fff;
  return size == 0x7c00 ? sign | 0x7bff : size < 0x400 ? sign : h;
}
static u32 pack_halves(float low, float high) { return finite_half(low) | finite_half(high) << 16; }
static Real reciprocal(Real x) { return 1 / x; }
static int hidden(int x) { return x; }
static int __popc(u32 x) { return __builtin_popcount(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }

// ---- launches
static void (*kernel_body)(void *);
static void *kernel_arguments;
static void enter_fibre() {
  for (;;) {
    kernel_body(kernel_arguments);
    fibres[running].state = DONE;
    leave(fibres[running]);
  }
}
static void resume(Fibre &fibre) {
  if (_setjmp(emulator_place) != 0) return;
  if (fibre.entered) _longjmp(fibre.place, 1);
  fibre.entered = true;
  swapcontext(&emulator, &fibre.context);
}
static void run_block(int threads) {
  const size_t stack = 1 << 17;
  static unsigned random = 1;
  if (fibres.empty()) fibres.resize(1024); // the most threads of a block; they must stay where they are
  for (int i = 0; i < threads; i++) {
    Fibre &fibre = fibres[i];
    fibre.state = RUNS;
    fibre.number = i;
    fibre.exchanges = 0;
    if (fibre.entered) continue;
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = malloc(stack);
    fibre.context.uc_stack.ss_size = stack;
    fibre.context.uc_link = nullptr;
    makecontext(&fibre.context, enter_fibre, 0);
  }
  for (;;) {
    bool moved = false;
    random = random * 1664525u + 1013904223u;
    const int first = (random >> 16) % threads;
    for (int k = 0; k < threads; k++) {
      const int i = (k + first) % threads;
      if (fibres[i].state != RUNS) continue;
      moved = true;
      running = i;
      threadIdx.x = i;
      resume(fibres[i]);
    }
    int done = 0, waiting[20] = {0}, expected[20] = {0};
    for (int warp = 0; warp < threads; warp += 32) {
      int here = 0, left = 0;
      for (int i = warp; i < threads && i < warp + 32; i++) {
        left += fibres[i].state != DONE;
        here += fibres[i].state == AT_WARP;
      }
      for (int i = warp; here && here == left && i < threads && i < warp + 32; i++)
        if (fibres[i].state == AT_WARP) {
          fibres[i].state = RUNS;
          moved = true;
        }
    }
    for (int i = 0; i < threads; i++) {
      const Fibre &fibre = fibres[i];
      done += fibre.state == DONE;
      if (fibre.state == AT_BARRIER) {
        waiting[fibre.barrier]++;
        expected[fibre.barrier] = fibre.expected;
      }
    }
    if (done == threads) return;
    for (int k = 0; k < 20; k++)
      if (waiting[k] && waiting[k] == expected[k])
        for (int i = 0; i < threads; i++)
          if (fibres[i].state == AT_BARRIER && fibres[i].barrier == k) {
            fibres[i].state = RUNS;
            moved = true;
          }
    if (!moved) {
      fprintf(stderr, "emulation: the threads of block %d wait for each other\n", blockIdx.x);
      abort();
    }
  }
}
template <class... A> struct Call {
  void (*function)(A...);
  void **arguments;
  template <size_t... I> void run(std::index_sequence<I...>) { function(*(std::remove_reference_t<A> *)arguments[I]...); }
  static void body(void *call) { ((Call *)call)->run(std::index_sequence_for<A...>()); }
};
template <class... A> static void launch(void (*function)(A...), int x, int y, int z, int threads, size_t shared, void **arguments) {
  Call<A...> call{function, arguments};
  kernel_body = Call<A...>::body;
  kernel_arguments = &call;
  std::vector<float> memory(shared / 4 + 64);
  emulated_shared = (char *)(((uintptr_t)memory.data() + 15) & ~15ull);
  blockDim.x = threads;
  for (blockIdx.z = 0; blockIdx.z < z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < y; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < x; blockIdx.x++) {
        memset(emulated_shared, 0xff, shared); // NaN, in both precisions
        run_block(threads);
      }
}
#define EXPORT(name)                                                                                                                \
  extern "C" void launch_##name(int x, int y, int z, int threads, size_t shared, void **arguments) { launch(name, x, y, z, threads, shared, arguments); }
