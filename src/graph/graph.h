/* graph, for the rooms above: nodes and what can be asked of them, operations, order, code. */
#ifndef DRY_GRAPH_GRAPH_H
#define DRY_GRAPH_GRAPH_H

#include "dag.h"
#include "leaves.h"
#include "ops.h"
#include "order.h"

#endif
