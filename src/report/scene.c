/* scene: the bodies of a model's parts and their poses at some hundred instants, as JSON.
 *
 * Their motions are columns of the record: "ball.p[1]", "arm.tip.q[4]". */
#include "report_private.h"

#include <drystone/body.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 250, MOST_INSTANTS = 300, MOST_POINTS = 200 };

/* Columns of a port's motion, -1 if the record lacks them. */
typedef struct pose {
    int p[3], q[4];
} pose;

static int find(const dry_record *record, const char *part, const char *port, char letter, int k) {
    char name[300];
    const char *dot = *port ? "." : "";
    snprintf(name, sizeof name, "%s%s%s.%c[%d]", part, dot, port, letter, k + 1);
    const int column = dry_record_find(record, name);
    if (column >= 0 || k) return column;
    snprintf(name, sizeof name, "%s%s%s.%c", part, dot, port, letter);
    return dry_record_find(record, name);
}

static pose find_pose(const dry_record *record, const char *part, const dry_port *port) {
    pose at;
    for (int k = 0; k < 3; k++) at.p[k] = find(record, part, port->name, 'p', k);
    for (int k = 0; k < 4; k++) at.q[k] = find(record, part, port->name, 'q', k);
    return at;
}

/* A frame, or a point that is a part of its own: what can be drawn. */
static bool is_drawn(const dry_part *part, const dry_port *port) {
    if (part->side != DRY_ADMITTANCE) return false;
    if (port->kind == DRY_FRAME) return true;
    return port->kind == DRY_COORDINATE && part->n_ports == 1 && !strcmp(port->unit, "m");
}

bool dry_report__has_scene(const dry_card *card) {
    const dry_net *net = dry_model_net(card->model);
    for (int i = 0; net && i < dry_net_part_count(net); i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(net, i, &name);
        for (int k = 0; k < part->n_ports; k++)
            if (is_drawn(part, &part->ports[k]) &&
                find(card->record, name, part->ports[k].name, 'p', 0) >= 0)
                return true;
    }
    return false;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void put_numbers(const char *key, const double *x, int n, FILE *stream) {
    fprintf(stream, ",\"%s\":[", key);
    for (int i = 0; i < n; i++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_rounded(x[i], 5, text);
        fprintf(stream, "%s%s", i ? "," : "", text);
    }
    fputc(']', stream);
}

static void put_shape(const dry_shape *shape, FILE *stream) {
    static const char *const kinds[] = {"plane", "sphere", "box", "capsule", "cylinder", "cloud"};
    fprintf(stream, "{\"kind\":\"%s\"", kinds[shape->kind]);
    put_numbers("p", shape->p, 3, stream);
    put_numbers("q", shape->q, 4, stream);
    put_numbers("size", shape->size, 3, stream);
    if (shape->kind == DRY_CLOUD)
        put_numbers("points", shape->points,
                    3 * (shape->n_points < MOST_POINTS ? shape->n_points : MOST_POINTS), stream);
    fputc('}', stream);
}

static void put_shapes(const dry_port *port, FILE *stream) {
    fputs("\"shapes\":[", stream);
    for (int i = 0; i < port->n_shapes; i++) {
        if (i) fputc(',', stream);
        put_shape(&port->shapes[i], stream);
    }
    fputs("]", stream);
}

/* ---- motion ------------------------------------------------------------------------------------
 */

static void put_columns(const dry_card *card, const char *key, const int *columns, int n,
                        const size_t *rows, size_t count, FILE *stream) {
    fprintf(stream, ",\"%s\":[", key);
    for (int k = 0; k < n && columns[k] >= 0; k++) {
        if (k) fputc(',', stream);
        dry_report__curve(card->record, columns[k], rows, count, stream);
    }
    fputc(']', stream);
}

static void put_body(const dry_card *card, const char *part, const dry_port *port,
                     const size_t *rows, size_t count, FILE *stream) {
    const pose at = find_pose(card->record, part, port);
    fputs("{\"part\":", stream);
    dry_report__json(part, stream);
    fputc(',', stream);
    put_shapes(port, stream);
    put_columns(card, "at", at.p, 3, rows, count, stream);
    put_columns(card, "turn", at.q, port->kind == DRY_FRAME ? 4 : 0, rows, count, stream);
    fputc('}', stream);
}

static void put_bodies(const dry_card *card, const size_t *rows, size_t count, FILE *stream) {
    const dry_net *net = dry_model_net(card->model);
    int n = 0;
    for (int i = 0; i < dry_net_part_count(net); i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(net, i, &name);
        for (int k = 0; k < part->n_ports; k++) {
            if (!is_drawn(part, &part->ports[k]) || n == MOST_BODIES) continue;
            if (n++) fputc(',', stream);
            put_body(card, name, &part->ports[k], rows, count, stream);
        }
    }
}

void dry_report__scene(const dry_card *card, FILE *stream) {
    if (!dry_report__has_scene(card)) return;
    const size_t all = dry_record_rows(card->record);
    const size_t count = all < MOST_INSTANTS ? all : MOST_INSTANTS;
    size_t rows[MOST_INSTANTS];
    for (size_t i = 0; i < count; i++) rows[i] = count > 1 ? i * (all - 1) / (count - 1) : 0;
    fputs(",\"scene\":{\"time\":", stream);
    dry_report__curve(card->record, 0, rows, count, stream);
    fputs(",\"bodies\":[", stream);
    put_bodies(card, rows, count, stream);
    fputc(']', stream);
    dry_report__forces_in_motion(card, stream);
    fputc('}', stream);
}
