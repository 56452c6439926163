/* The words for the status codes. */
#include <drystone/core.h>

const char *dry_status_text(dry_status status) {
    switch (status) {
    case DRY_OK: return "fine";
    case DRY_BAD_ARGUMENT: return "bad argument";
    case DRY_NO_MEMORY: return "out of memory";
    case DRY_NOT_FINITE: return "not finite";
    case DRY_STEP_COLLAPSED: return "step collapsed";
    case DRY_TOO_MANY_STEPS: return "too many steps";
    case DRY_SINGULAR: return "singular matrix";
    case DRY_IO: return "input or output failed";
    case DRY_BAD_FILE: return "bad file";
    case DRY_BAD_MODEL: return "bad model";
    case DRY_RUN_FAILED: return "run failed";
    case DRY_UNSUPPORTED: return "not supported";
    case DRY_STOPPED: return "stopped by the model";
    }
    return "unknown status";
}
