/* The image as a whole: making it from sections, freeing it, its sizes. */
#include "image_private.h"
#include <stdlib.h>
#include <string.h>

static bool copy_blocks(dry_image *image, const dry_dag *dag) {
    if (dag->n_blocks == 0) return true;
    image->blocks = dry_heap_take(dag->arena, (size_t)dag->n_blocks, sizeof *image->blocks);
    if (!image->blocks) return false;
    memcpy(image->blocks, dag->blocks, (size_t)dag->n_blocks * sizeof *image->blocks);
    return true;
}

static bool fill(dry_image *image, const dry_dag *dag, const dry_section *sections) {
    dry_nodes once = {NULL, 0}, timed = {NULL, 0};
    dry_piece *after = image->pieces + image->n_sections;
    size_t capacity = 0;
    bool good = dry_image__lay_out(image, dag, sections, &once, &timed) && copy_blocks(image, dag);
    for (int s = 0; good && s < image->n_sections; s++)
        good = dry_image__emit(image, dag, DRY_PIECE_SECTION, image->pieces + s, &sections[s],
                               &capacity);
    const dry_section once_only = {.roots = once.node, .n_roots = once.n};
    const dry_section by_time = {.roots = timed.node, .n_roots = timed.n};
    good = good && dry_image__emit(image, dag, DRY_PIECE_ONCE, after, &once_only, &capacity) &&
           dry_image__emit(image, dag, DRY_PIECE_TIMED, after + 1, &by_time, &capacity);
    free(once.node);
    free(timed.node);
    free(image->kept);
    free(image->home);
    free(image->pack_of);
    free(image->wide_pack_of);
    image->kept = NULL;
    image->home = image->pack_of = image->wide_pack_of = NULL;
    return good;
}

dry_image *dry_image_new(const dry_dag *dag, dry_image_sizes sizes, const dry_section *sections,
                         int n_sections) {
    dry_image *image = dag->failed ? NULL : dry_heap_take(dag->arena, 1, sizeof *image);
    if (!image) return NULL;
    image->n_par = sizes.n_par;
    image->n_states = sizes.n_states;
    image->n_ways = sizes.n_ways;
    image->n_sections = n_sections;
    image->pieces = dry_heap_take(dag->arena, (size_t)n_sections + 2, sizeof *image->pieces);
    if (image->pieces && fill(image, dag, sections)) return image;
    dry_image_free(image);
    return NULL;
}

void dry_image_free(dry_image *image) {
    if (!image) return;
    for (int s = 0; image->pieces && s < image->n_sections + 2; s++) free(image->pieces[s].runs);
    free(image->pieces);
    free(image->constants);
    free(image->copies);
    free(image->blocks);
    free(image->marks.of);
    free(image->code);
    free(image);
}

size_t dry_image_work_size(const dry_image *image) {
    return ((size_t)image->n_registers + 1) * sizeof(double);
}

double *dry_image_inputs(const dry_image *image, void *work) {
    return (double *)work + image->at_x;
}

int dry_image_length(const dry_image *image, int section) {
    const dry_piece *once = image->pieces + image->n_sections, *timed = once + 1;
    if (section < 0) return once->n_instructions;
    const dry_piece *piece = image->pieces + section;
    return piece->n_instructions + (piece->timed ? timed->n_instructions : 0);
}
