/* Whether an adaptive method crosses a jump of the rate to and fro without getting on. */
#include <drystone/ode.h>

enum { CHATTER_STEPS = 8192, CRAWLED_AT_MOST = 16 };
/* Of the longest step: what the time moves by in CHATTER_STEPS steps that are cut again and again;
 * and in steps that a method takes freely (BDF methods creep along a jump), which would need some
 * 10^10 of them for a run. */
static const double HARDLY = 1e-3, CRAWL = 1e-5;

bool dry_chatters(dry_chatter *last, long steps, long cut, double t, double longest) {
    if (steps - last->steps < CHATTER_STEPS) return false;
    const bool stands = t - last->t < HARDLY * longest && cut - last->cut > CHATTER_STEPS / 3;
    const int crawled = t - last->t < CRAWL * longest ? last->crawled + 1 : 0;
    *last = (dry_chatter){steps, cut, t, crawled};
    return stands || crawled >= CRAWLED_AT_MOST;
}
