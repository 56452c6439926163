/* elementary: sin, exp, pow and the others in arithmetic that IEEE 754 fixes to the bit.
 *
 * They use +, -, *, / and sqrt alone, so that they give the same bits on every processor and with
 * every compiler that neither fuses products with sums nor keeps more digits than a double has (gcc
 * and clang: -ffp-contract=off; for the x87: -msse2 -mfpmath=sse). Rounding is to nearest. Each is
 * within 1 ulp of the exact value, for every argument (make accuracy; table in docs/elementary.md).
 * Special values are those of C17 annex F; do not rely on errno or on the flags of floating-point
 * exceptions. The functions of math.h that are exact everywhere (fabs sqrt floor ceil round fmod
 * copysign) have no other name here.
 *
 * Those whose names end in f are for single precision and use no double. */
#ifndef DRYSTONE_ELEMENTARY_H
#define DRYSTONE_ELEMENTARY_H

#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

DRY_API double dry_sin(double x);
DRY_API double dry_cos(double x);
DRY_API double dry_tan(double x);
DRY_API double dry_asin(double x);
DRY_API double dry_acos(double x);
DRY_API double dry_atan(double x);
DRY_API double dry_atan2(double y, double x);
DRY_API double dry_exp(double x);
DRY_API double dry_sinh(double x);
DRY_API double dry_cosh(double x);
DRY_API double dry_tanh(double x);
DRY_API double dry_log(double x);
DRY_API double dry_log10(double x);
DRY_API double dry_pow(double x, double y);
DRY_API double dry_cbrt(double x);
DRY_API double dry_hypot(double x, double y);
DRY_API double dry_erf(double x);

DRY_API float dry_sinf(float x);
DRY_API float dry_cosf(float x);
DRY_API float dry_expf(float x);

#ifdef __cplusplus
}
#endif
#endif
