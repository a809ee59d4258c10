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
  const Halves4 h = load_stored(p);
  Four x;
  UNROLL for (int k = 0; k < 4; k++) x.v[k] = half_to_float(h.v[k]);
  return x;
}
// As on the processor: no infinity, and no number that is too small for full precision.
DEVICE u16 to_half(Real x) {
  const float largest = 65504.f, smallest = 6.103515625e-5f, y = fminf(fmaxf((float)x, -largest), largest);
  return float_to_half(fabsf(y) < smallest ? 0.f : y);
}
DEVICE void keep(Stored *p, const Four &x) {
  Halves4 h;
  UNROLL for (int k = 0; k < 4; k++) h.v[k] = to_half(x.v[k]);
  store_stored(p, h);
}
DEVICE Real kept_one(const Stored *p) { return half_to_float(*p); }
DEVICE void keep_one(Stored *p, Real x) { *p = to_half(x); }
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

#if REAL_BITS == 64
DEVICE Real larger(Real x, Real y) { return fmax(x, y); }
#else
DEVICE Real larger(Real x, Real y) { return fmaxf(x, y); }
#endif
DEVICE Real positive(Real x) { return larger(x, 0); }

// A total that counts as more than nothing.
DEVICE bool some(Real total) { return total > (Real)1e-30; }
