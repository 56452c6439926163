/* syntax, for the rooms above: tokens, the tree, dimensions and units, values from outside,
 * diagnostics. */
#ifndef DRY_SYNTAX_SYNTAX_H
#define DRY_SYNTAX_SYNTAX_H

#include "ast.h"
#include "diagnostics.h"
#include "dim.h"
#include "given.h"

#endif
