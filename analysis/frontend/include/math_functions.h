// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical library in device code, and the single- and double-precision intrinsics.
//
// Overloads for the device only: <cmath> brings the host's. They are named in std as well, before
// the C++ library: its own constexpr functions would otherwise be host and device at once.
#pragma once

#include "host_defines.h"

#define WARPDRF_MATH1(name)                                                                        \
  __device__ double name(double x);                                                                \
  __device__ float name(float x);                                                                  \
  __device__ float name##f(float x);
#define WARPDRF_MATH2(name)                                                                        \
  __device__ double name(double x, double y);                                                      \
  __device__ float name(float x, float y);                                                         \
  __device__ float name##f(float x, float y);

// What C++ has too.
WARPDRF_MATH1(acos)
WARPDRF_MATH1(acosh)
WARPDRF_MATH1(asin)
WARPDRF_MATH1(asinh)
WARPDRF_MATH1(atan)
WARPDRF_MATH1(atanh)
WARPDRF_MATH1(cbrt)
WARPDRF_MATH1(ceil)
WARPDRF_MATH1(cos)
WARPDRF_MATH1(cosh)
WARPDRF_MATH1(erf)
WARPDRF_MATH1(erfc)
WARPDRF_MATH1(exp)
WARPDRF_MATH1(exp2)
WARPDRF_MATH1(expm1)
WARPDRF_MATH1(fabs)
WARPDRF_MATH1(floor)
WARPDRF_MATH1(lgamma)
WARPDRF_MATH1(log)
WARPDRF_MATH1(log10)
WARPDRF_MATH1(log1p)
WARPDRF_MATH1(log2)
WARPDRF_MATH1(logb)
WARPDRF_MATH1(nearbyint)
WARPDRF_MATH1(rint)
WARPDRF_MATH1(round)
WARPDRF_MATH1(sin)
WARPDRF_MATH1(sinh)
WARPDRF_MATH1(sqrt)
WARPDRF_MATH1(tan)
WARPDRF_MATH1(tanh)
WARPDRF_MATH1(tgamma)
WARPDRF_MATH1(trunc)
WARPDRF_MATH2(atan2)
WARPDRF_MATH2(copysign)
WARPDRF_MATH2(fdim)
WARPDRF_MATH2(fmax)
WARPDRF_MATH2(fmin)
WARPDRF_MATH2(fmod)
WARPDRF_MATH2(hypot)
WARPDRF_MATH2(nextafter)
WARPDRF_MATH2(pow)
WARPDRF_MATH2(remainder)
__device__ int abs(int x);
__device__ long abs(long x);
__device__ long long abs(long long x);
__device__ double abs(double x);
__device__ float abs(float x);
__device__ long labs(long x);
__device__ long long llabs(long long x);
__device__ double fma(double x, double y, double z);
__device__ float fma(float x, float y, float z);
__device__ float fmaf(float x, float y, float z);
__device__ double frexp(double x, int *exponent);
__device__ float frexp(float x, int *exponent);
__device__ float frexpf(float x, int *exponent);
__device__ double ldexp(double x, int exponent);
__device__ float ldexp(float x, int exponent);
__device__ float ldexpf(float x, int exponent);
__device__ double scalbn(double x, int exponent);
__device__ float scalbn(float x, int exponent);
__device__ float scalbnf(float x, int exponent);
__device__ double scalbln(double x, long exponent);
__device__ float scalbln(float x, long exponent);
__device__ float scalblnf(float x, long exponent);
__device__ int ilogb(double x);
__device__ int ilogb(float x);
__device__ int ilogbf(float x);
__device__ double modf(double x, double *whole);
__device__ float modf(float x, float *whole);
__device__ float modff(float x, float *whole);
__device__ double remquo(double x, double y, int *quotient);
__device__ float remquo(float x, float y, int *quotient);
__device__ float remquof(float x, float y, int *quotient);
__device__ double pow(double x, int y);
__device__ float pow(float x, int y);
__device__ long lrint(double x);
__device__ long lrint(float x);
__device__ long lrintf(float x);
__device__ long lround(double x);
__device__ long lround(float x);
__device__ long lroundf(float x);
__device__ long long llrint(double x);
__device__ long long llrint(float x);
__device__ long long llrintf(float x);
__device__ long long llround(double x);
__device__ long long llround(float x);
__device__ long long llroundf(float x);
__device__ double nan(const char *payload);
__device__ float nanf(const char *payload);
__device__ bool isfinite(double x);
__device__ bool isfinite(float x);
__device__ bool isinf(double x);
__device__ bool isinf(float x);
__device__ bool isnan(double x);
__device__ bool isnan(float x);
__device__ bool isnormal(double x);
__device__ bool isnormal(float x);
__device__ bool signbit(double x);
__device__ bool signbit(float x);

namespace std {
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::labs;
using ::ldexp;
using ::lgamma;
using ::llabs;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nan;
using ::nanf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::remquo;
using ::rint;
using ::round;
using ::scalbln;
using ::scalbn;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
} // namespace std

// What only CUDA has.
WARPDRF_MATH1(cospi)
WARPDRF_MATH1(cyl_bessel_i0)
WARPDRF_MATH1(cyl_bessel_i1)
WARPDRF_MATH1(erfcinv)
WARPDRF_MATH1(erfcx)
WARPDRF_MATH1(erfinv)
WARPDRF_MATH1(exp10)
WARPDRF_MATH1(j0)
WARPDRF_MATH1(j1)
WARPDRF_MATH1(normcdf)
WARPDRF_MATH1(normcdfinv)
WARPDRF_MATH1(rcbrt)
WARPDRF_MATH1(rsqrt)
WARPDRF_MATH1(sinpi)
WARPDRF_MATH1(tanpi)
WARPDRF_MATH1(y0)
WARPDRF_MATH1(y1)
WARPDRF_MATH2(rhypot)
#undef WARPDRF_MATH1
#undef WARPDRF_MATH2
__device__ double jn(int n, double x);
__device__ float jnf(int n, float x);
__device__ double yn(int n, double x);
__device__ float ynf(int n, float x);
__device__ double norm3d(double x, double y, double z);
__device__ float norm3df(float x, float y, float z);
__device__ double rnorm3d(double x, double y, double z);
__device__ float rnorm3df(float x, float y, float z);
__device__ double norm4d(double x, double y, double z, double w);
__device__ float norm4df(float x, float y, float z, float w);
__device__ double rnorm4d(double x, double y, double z, double w);
__device__ float rnorm4df(float x, float y, float z, float w);
__device__ double norm(int count, const double *x);
__device__ float normf(int count, const float *x);
__device__ double rnorm(int count, const double *x);
__device__ float rnormf(int count, const float *x);
__device__ void sincos(double x, double *sine, double *cosine);
__device__ void sincos(float x, float *sine, float *cosine);
__device__ void sincosf(float x, float *sine, float *cosine);
__device__ void sincospi(double x, double *sine, double *cosine);
__device__ void sincospi(float x, float *sine, float *cosine);
__device__ void sincospif(float x, float *sine, float *cosine);

// Smaller and larger, also on the host and for mixed types.
__host__ __device__ float min(float x, float y);
__host__ __device__ double min(double x, double y);
__host__ __device__ double min(float x, double y);
__host__ __device__ double min(double x, float y);
__host__ __device__ float max(float x, float y);
__host__ __device__ double max(double x, double y);
__host__ __device__ double max(float x, double y);
__host__ __device__ double max(double x, float y);

// What isnan and kin become where <math.h> defines them as macros.
extern "C" {
__device__ int __isnan(double x);
__device__ int __isnanf(float x);
__device__ int __isinf(double x);
__device__ int __isinff(float x);
__device__ int __finite(double x);
__device__ int __finitef(float x);
__device__ int __signbit(double x);
__device__ int __signbitf(float x);
}

// Fast, less exact single precision.
__device__ float __sinf(float x);
__device__ float __cosf(float x);
__device__ float __tanf(float x);
__device__ void __sincosf(float x, float *sine, float *cosine);
__device__ float __expf(float x);
__device__ float __exp10f(float x);
__device__ float __logf(float x);
__device__ float __log2f(float x);
__device__ float __log10f(float x);
__device__ float __powf(float x, float y);
__device__ float __tanhf(float x);
__device__ float __fdividef(float x, float y);
__device__ double fdivide(double x, double y);
__device__ float fdividef(float x, float y);
__device__ float __saturatef(float x);
__device__ float __frsqrt_rn(float x);

// Arithmetic with a rounding mode: to nearest, towards zero, up, down.
#define WARPDRF_ROUNDED(result, name, parameters)                                                  \
  __device__ result name##_rn parameters;                                                          \
  __device__ result name##_rz parameters;                                                          \
  __device__ result name##_ru parameters;                                                          \
  __device__ result name##_rd parameters;
WARPDRF_ROUNDED(float, __fadd, (float x, float y))
WARPDRF_ROUNDED(float, __fsub, (float x, float y))
WARPDRF_ROUNDED(float, __fmul, (float x, float y))
WARPDRF_ROUNDED(float, __fdiv, (float x, float y))
WARPDRF_ROUNDED(float, __fmaf, (float x, float y, float z))
WARPDRF_ROUNDED(float, __frcp, (float x))
WARPDRF_ROUNDED(float, __fsqrt, (float x))
WARPDRF_ROUNDED(double, __dadd, (double x, double y))
WARPDRF_ROUNDED(double, __dsub, (double x, double y))
WARPDRF_ROUNDED(double, __dmul, (double x, double y))
WARPDRF_ROUNDED(double, __ddiv, (double x, double y))
WARPDRF_ROUNDED(double, __fma, (double x, double y, double z))
WARPDRF_ROUNDED(double, __drcp, (double x))
WARPDRF_ROUNDED(double, __dsqrt, (double x))

// Conversions with a rounding mode.
WARPDRF_ROUNDED(int, __float2int, (float x))
WARPDRF_ROUNDED(unsigned int, __float2uint, (float x))
WARPDRF_ROUNDED(long long, __float2ll, (float x))
WARPDRF_ROUNDED(unsigned long long, __float2ull, (float x))
WARPDRF_ROUNDED(int, __double2int, (double x))
WARPDRF_ROUNDED(unsigned int, __double2uint, (double x))
WARPDRF_ROUNDED(long long, __double2ll, (double x))
WARPDRF_ROUNDED(unsigned long long, __double2ull, (double x))
WARPDRF_ROUNDED(float, __double2float, (double x))
WARPDRF_ROUNDED(float, __int2float, (int x))
WARPDRF_ROUNDED(float, __uint2float, (unsigned int x))
WARPDRF_ROUNDED(float, __ll2float, (long long x))
WARPDRF_ROUNDED(float, __ull2float, (unsigned long long x))
WARPDRF_ROUNDED(double, __ll2double, (long long x))
WARPDRF_ROUNDED(double, __ull2double, (unsigned long long x))
#undef WARPDRF_ROUNDED
__device__ double __int2double_rn(int x);
__device__ double __uint2double_rn(unsigned int x);

// The bits of a number.
__device__ int __float_as_int(float x);
__device__ unsigned int __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned int x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ int __double2hiint(double x);
__device__ int __double2loint(double x);
__device__ double __hiloint2double(int high, int low);
