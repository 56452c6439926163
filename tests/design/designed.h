/* A net whose open parameters design chooses. */
#ifndef DRYSTONE_TESTS_DESIGNED_H
#define DRYSTONE_TESTS_DESIGNED_H

#include <drystone/design.h>

static const dry_net_options designed = {.choose = dry_design_net};

#endif
