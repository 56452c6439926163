/* drystone: all rooms at once. */
#ifndef DRYSTONE_DRYSTONE_H
#define DRYSTONE_DRYSTONE_H

#include <drystone/base.h>
#include <drystone/bind.h>
#include <drystone/body.h>
#include <drystone/core.h>
#include <drystone/crew.h>
#include <drystone/design.h>
#include <drystone/elementary.h>
#include <drystone/fit.h>
#include <drystone/fmu.h>
#include <drystone/lang.h>
#include <drystone/law.h>
#include <drystone/lsp.h>
#include <drystone/math.h>
#include <drystone/model.h>
#include <drystone/native.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <drystone/part.h>
#include <drystone/plot.h>
#include <drystone/record.h>
#include <drystone/report.h>
#include <drystone/rigid.h>
#include <drystone/sim.h>
#include <drystone/stability.h>
#include <drystone/stepper.h>
#include <drystone/stiff.h>
#include <drystone/sweep.h>
#include <drystone/syntax.h>
#include <drystone/team.h>
#include <drystone/urdf.h>
#include <drystone/watch.h>

#endif
