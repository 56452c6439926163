/* Whether an adaptive method crosses a jump of the rate to and fro without getting on. */
#include <drystone/ode.h>

enum { CHATTER_STEPS = 8192, SLOW_AT_MOST = 8, CRAWLED_AT_MOST = 16 };
/* Of the longest step: what the time moves by in CHATTER_STEPS steps that are cut again and again,
 * once or SLOW_AT_MOST times in a row, with which a run would need some 10^8 or 10^7 of them; and
 * in steps that a method takes freely (BDF methods creep along a jump), with some 10^10. */
static const double HARDLY = 1e-3, SLOWLY = 1e-2, CRAWL = 1e-5;

bool dry_chatters(dry_chatter *last, long steps, long cut, double t, double longest) {
    if (steps - last->steps < CHATTER_STEPS) return false;
    const bool is_cut = cut - last->cut > CHATTER_STEPS / 3;
    const bool stands = t - last->t < HARDLY * longest && is_cut;
    const int slow = t - last->t < SLOWLY * longest && is_cut ? last->slow + 1 : 0;
    const int crawled = t - last->t < CRAWL * longest ? last->crawled + 1 : 0;
    *last = (dry_chatter){steps, cut, t, slow, crawled};
    return stands || slow >= SLOW_AT_MOST || crawled >= CRAWLED_AT_MOST;
}
