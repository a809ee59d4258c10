// Rows in slots of shared memory, and what is stored, as four hands at once.

DEVICE Four row(const Real *p) { return *(const Four *)p; }
DEVICE void put(Real *p, const Four &x) { *(Four *)p = x; }
DEVICE Four zeros() {
  Four z;
  UNROLL for (int k = 0; k < 4; k++) z.v[k] = 0;
  return z;
}

#if STORED_BITS == 16
DEVICE Four kept(const Stored *p) {
  const Words2 q = load_stored(p);
  float f[4];
  unpack_halves(q.x, f[0], f[1]);
  unpack_halves(q.y, f[2], f[3]);
  Four x;
  UNROLL for (int k = 0; k < 4; k++) x.v[k] = f[k];
  return x;
}
DEVICE void keep(Stored *p, const Four &x) {
  Words2 q;
  q.x = pack_halves((float)x.v[0], (float)x.v[1]);
  q.y = pack_halves((float)x.v[2], (float)x.v[3]);
  store_stored(p, q);
}
DEVICE Real kept_one(const Stored *p) { return half_to_float(*p); }
DEVICE void keep_one(Stored *p, Real x) { *p = (u16)pack_halves((float)x, 0); }
#elif STORED_BITS == 32
DEVICE Four kept(const Stored *p) {
  const Floats4 f = load_stored(p);
  Four x;
  UNROLL for (int k = 0; k < 4; k++) x.v[k] = f.v[k];
  return x;
}
DEVICE void keep(Stored *p, const Four &x) {
  Floats4 f;
  UNROLL for (int k = 0; k < 4; k++) f.v[k] = (float)x.v[k];
  store_stored(p, f);
}
#else
DEVICE Four kept(const Stored *p) {
  const Doubles4 f = load_stored(p);
  Four x;
  UNROLL for (int k = 0; k < 4; k++) x.v[k] = (Real)f.v[k];
  return x;
}
DEVICE void keep(Stored *p, const Four &x) {
  Doubles4 f;
  UNROLL for (int k = 0; k < 4; k++) f.v[k] = x.v[k];
  store_stored(p, f);
}
#endif

#if STORED_BITS != 16
DEVICE Real kept_one(const Stored *p) { return (Real)*p; }
DEVICE void keep_one(Stored *p, Real x) { *p = (Stored)x; }
#endif

// Sums of strategies are rounded to halves by turns up and down, see `store_by_turns` in pokerlab/vector_kernels.py.
// `turn` is the phase of the iteration where addresses begin.
#if STORED_BITS == 16
DEVICE u32 apart(u64 place) { return (u32)place * 0xC13FA9A9u; }
DEVICE u32 first_turn(int iteration, const Stored *sums, int column) {
  return (u32)iteration * 0x9E3779B9u - apart((u64)sums / sizeof(Stored) + column / 16 * 16);
}
DEVICE float in_turn(Real x, u32 phase) {
  return bits_to_float((float_to_bits(fminf((float)x, 65504.f)) + (phase >> 19)) & ~0x1FFFu);
}
DEVICE void keep_sums(Stored *p, const Four &x, u32 turn) {
  Four y;
  UNROLL for (int k = 0; k < 4; k++) y.v[k] = in_turn(x.v[k], apart((u64)p / sizeof(Stored) + k) + turn);
  keep(p, y);
}
DEVICE void keep_sum(Stored *p, Real x, u32 turn, int column) {
  keep_one(p, in_turn(x, apart((u64)p / sizeof(Stored) - column / 16 * 16) + turn));
}
#else
DEVICE u32 first_turn(int, const Stored *, int) { return 0; }
DEVICE void keep_sums(Stored *p, const Four &x, u32) { keep(p, x); }
DEVICE void keep_sum(Stored *p, Real x, u32, int) { keep_one(p, x); }
#endif

#if REAL_BITS == 64
DEVICE Real larger(Real x, Real y) { return fmax(x, y); }
#else
DEVICE Real larger(Real x, Real y) { return fmaxf(x, y); }
#endif
DEVICE Real positive(Real x) { return larger(x, 0); }

// A total that counts as more than nothing.
DEVICE bool some(Real total) { return total > (Real)1e-30; }
