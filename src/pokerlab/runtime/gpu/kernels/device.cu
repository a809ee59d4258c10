// What kernels need of an NVIDIA GPU beside plain C++; 7.0 and later.
//
// Everything that is not plain C++ is here, so that tests can put a small header in its place and run the
// same kernels on a processor (tests/runtime/gpu/emulation.h).
#define DEVICE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define SHARED_ROWS(name) extern __shared__ __align__(16) char name[]
#define EXPORT(name) // for the emulation

// ---- shared memory by 32-bit addresses: half of the registers that pointers take
DEVICE u32 address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
DEVICE Words4 load_words4(u32 a) {
  Words4 x;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(x.v[0]), "=r"(x.v[1]), "=r"(x.v[2]), "=r"(x.v[3]) : "r"(a));
  return x;
}
DEVICE Words2 load_words2(u32 a) {
  Words2 x;
  asm volatile("ld.shared.v2.u32 {%0,%1},[%2];" : "=r"(x.x), "=r"(x.y) : "r"(a));
  return x;
}
#if REAL_BITS == 64
#define REAL_PTX "f64"
#define REAL_REGISTER "d"
#else
#define REAL_PTX "f32"
#define REAL_REGISTER "f"
#endif
DEVICE Real load_one(u32 a) {
  Real x;
  asm volatile("ld.shared." REAL_PTX " %0,[%1];" : "=" REAL_REGISTER(x) : "r"(a));
  return x;
}
DEVICE Two load_two(u32 a) {
  Two x;
  asm volatile("ld.shared.v2." REAL_PTX " {%0,%1},[%2];" : "=" REAL_REGISTER(x.x), "=" REAL_REGISTER(x.y) : "r"(a));
  return x;
}
DEVICE void store_one(u32 a, Real x) { asm volatile("st.shared." REAL_PTX " [%0],%1;" ::"r"(a), REAL_REGISTER(x) : "memory"); }
DEVICE void store_two(u32 a, Real x, Real y) {
  asm volatile("st.shared.v2." REAL_PTX " [%0],{%1,%2};" ::"r"(a), REAL_REGISTER(x), REAL_REGISTER(y) : "memory");
}
// With a predicate instead of a branch: the compiler would make one.
DEVICE void store_one_if(bool c, u32 a, Real x) {
  asm volatile("{.reg .pred p; setp.ne.u32 p,%0,0; @p st.shared." REAL_PTX " [%1],%2;}" ::"r"((u32)c), "r"(a), REAL_REGISTER(x) : "memory");
}
DEVICE void store_two_if(bool c, u32 a, Real x, Real y) {
  asm volatile("{.reg .pred p; setp.ne.u32 p,%0,0; @p st.shared.v2." REAL_PTX " [%1],{%2,%3};}" ::"r"((u32)c), "r"(a), REAL_REGISTER(x), REAL_REGISTER(y)
               : "memory");
}

// ---- what is stored: read once a walk, so it need not stay in the first-level cache
DEVICE Floats4 load_stored(const float *p) {
  Floats4 q;
  asm volatile("ld.global.L1::no_allocate.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(q.v[0]), "=f"(q.v[1]), "=f"(q.v[2]), "=f"(q.v[3]) : "l"(p));
  return q;
}
DEVICE void store_stored(float *p, const Floats4 &x) {
  asm volatile("st.global.v4.f32 [%0],{%1,%2,%3,%4};" ::"l"(p), "f"(x.v[0]), "f"(x.v[1]), "f"(x.v[2]), "f"(x.v[3]) : "memory");
}
DEVICE Words2 load_stored(const u16 *p) {
  Words2 q;
  asm volatile("ld.global.L1::no_allocate.v2.u32 {%0,%1},[%2];" : "=r"(q.x), "=r"(q.y) : "l"(p));
  return q;
}
DEVICE void store_stored(u16 *p, const Words2 &x) { asm volatile("st.global.v2.u32 [%0],{%1,%2};" ::"l"(p), "r"(x.x), "r"(x.y) : "memory"); }
DEVICE Doubles4 load_stored(const double *p) { return *(const Doubles4 *)p; }
DEVICE void store_stored(double *p, const Doubles4 &x) { *(Doubles4 *)p = x; }
DEVICE void prefetch(const void *p, u32 bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0],%1;" ::"l"(p), "r"(bytes));
#endif
}
DEVICE float half_to_float(u16 h) {
  float x;
  asm("cvt.f32.f16 %0,%1;" : "=f"(x) : "h"(h));
  return x;
}
DEVICE u16 float_to_half(float x) {
  u16 h;
  asm("cvt.rn.f16.f32 %0,%1;" : "=h"(h) : "f"(x));
  return h;
}
DEVICE void unpack_halves(u32 two, float &low, float &high) {
  asm("{.reg .b16 l,h; mov.b32 {l,h},%2; cvt.f32.f16 %0,l; cvt.f32.f16 %1,h;}" : "=f"(low), "=f"(high) : "r"(two));
}
// As on the processor: no infinity, and zero for what is too small for full precision.
DEVICE u32 pack_halves(float low, float high) {
  u32 two;
#if __CUDA_ARCH__ >= 890 && (__CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 1))
  asm("cvt.rn.satfinite.f16x2.f32 %0,%1,%2;" : "=r"(two) : "f"(high), "f"(low));
#else
  const float largest = 65504.f;
  const u32 l = float_to_half(fminf(fmaxf(low, -largest), largest)), h = float_to_half(fminf(fmaxf(high, -largest), largest));
  two = l | h << 16;
#endif
  asm("mul.ftz.f16x2 %0,%0,%1;" : "+r"(two) : "r"(0x3c003c00u)); // times 1, which flushes
  return two;
}

// ---- arithmetic and threads
DEVICE float reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(x));
  return r;
}
DEVICE double reciprocal(double x) { return 1.0 / x; }
DEVICE float bits_to_float(u32 x) { return __uint_as_float(x); }
DEVICE u32 float_to_bits(float x) { return __float_as_uint(x); }
DEVICE double bits_to_double(u64 x) { return __longlong_as_double((long long)x); }
DEVICE u64 double_to_bits(double x) { return (u64)__double_as_longlong(x); }
template <int COUNT> DEVICE void team_barrier(int team) { asm volatile("bar.sync %0,%1;" ::"r"(team + 1), "n"(COUNT) : "memory"); }
// Hides where a number comes from: what depends on it is then computed where it is needed instead of kept in
// a register.
DEVICE int hidden(int x) {
  int y;
  asm volatile("mov.u32 %0,%1;" : "=r"(y) : "r"(x));
  return y;
}
