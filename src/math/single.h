/* single: the elementary functions in single precision that C text of a model in single precision
 * takes from libm. Their bits may differ from libm to libm; dry_sinf, dry_cosf and dry_expf are our
 * own. */
#ifndef DRY_MATH_SINGLE_H
#define DRY_MATH_SINGLE_H

#include <drystone/core.h>
#include <math.h>

DRY_INLINE float dry_tanf(float x) { return tanf(x); }
DRY_INLINE float dry_asinf(float x) { return asinf(x); }
DRY_INLINE float dry_acosf(float x) { return acosf(x); }
DRY_INLINE float dry_atanf(float x) { return atanf(x); }
DRY_INLINE float dry_atan2f(float y, float x) { return atan2f(y, x); }
DRY_INLINE float dry_sinhf(float x) { return sinhf(x); }
DRY_INLINE float dry_coshf(float x) { return coshf(x); }
DRY_INLINE float dry_tanhf(float x) { return tanhf(x); }
DRY_INLINE float dry_logf(float x) { return logf(x); }
DRY_INLINE float dry_log10f(float x) { return log10f(x); }
DRY_INLINE float dry_powf(float x, float y) { return powf(x, y); }
DRY_INLINE float dry_cbrtf(float x) { return cbrtf(x); }
DRY_INLINE float dry_hypotf(float x, float y) { return hypotf(x, y); }
DRY_INLINE float dry_erff(float x) { return erff(x); }

#endif
