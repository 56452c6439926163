/* Colours of the pictures: those of Okabe and Ito, distinguished by colour-blind readers, for a
 * light background; the same hues, lighter, for a dark one. */
#include "internal.h"

static const dry_plot__theme light = {
    .ground = 0xFFFFFF,
    .ink = 0x1F2328,
    .faint = 0x6B7280,
    .grid = 0xE5E7EB,
    .curve = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9},
    .band = {0xD9DCE1, 0xF7DFCB, 0xCFEBE0, 0xF3DDEA}};

static const dry_plot__theme dark = {
    .ground = 0x15181D,
    .ink = 0xE6E8EB,
    .faint = 0x9AA3AF,
    .grid = 0x2C323A,
    .curve = {0x56B4E9, 0xF28E3C, 0x2FC79B, 0xE39AC4, 0xF0E442, 0x9DB4FF},
    .band = {0x3B424C, 0x54402F, 0x26483E, 0x4A3743}};

const dry_plot__theme *dry_plot__theme_of(bool is_dark) { return is_dark ? &dark : &light; }

dry_plot__style dry_plot__curve_style(const dry_plot__theme *theme, int curve) {
    return (dry_plot__style){.role = "curve",
                             .shape = DRY_PLOT__LINE,
                             .ink = theme->curve[curve % 6],
                             .size = 1.5,
                             .dashed = curve >= 6};
}
