// Words of the kernels: small vectors that a thread loads and stores at once.
//
// Real is the type of rows (reach, values): float, or double for certificates. Stored is the type of what
// is kept between iterations (regrets, sums); 16 bits are IEEE halves.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#ifndef REAL_BITS
#define REAL_BITS 32
#endif
#if REAL_BITS == 64
typedef double Real;
#else
typedef float Real;
#endif

#ifndef STORED_BITS
#define STORED_BITS 32
#endif
#if STORED_BITS == 64
typedef double Stored;
#elif STORED_BITS == 32
typedef float Stored;
#else
typedef u16 Stored;
#endif

struct alignas(16) Four { Real v[4]; };              // four neighbouring hands of a row
struct alignas(2 * sizeof(Real)) Two { Real x, y; }; // the same number for two leaves
struct alignas(16) Floats4 { float v[4]; };
struct alignas(16) Doubles4 { double v[4]; };
struct alignas(16) Words4 { u32 v[4]; };
struct alignas(8) Words2 { u32 x, y; };
struct alignas(8) Halves4 { u16 v[4]; };

enum : u32 { NOWHERE = 0xfff, NO_HAND = 0xffff }; // no place in a row; no hand at a place
