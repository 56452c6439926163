/* An order of elimination with little fill: minimum degree on a quotient graph (George, Liu 1989).
 *
 * A variable's row holds its neighbours that are not eliminated, then the elements (eliminated
 * variables, by their cliques) it belongs to; the number of both never grows, so rows stay at their
 * place in memory. Degrees are exact. */
#include <stdlib.h>
#include <string.h>

#include "stiff_private.h"

typedef struct graph {
    int n;
    long *start;          /* of each row */
    int *list;            /* rows */
    int *n_near, *n_elem; /* of each row: neighbours, then elements */
    int *degree;
    int *head, *next, *previous; /* lists of variables of one degree */
    int *mark, stamp;
    long *clique; /* of an element: where its members begin */
    int *n_clique;
    int *member;
    long n_member, room;
} graph;

/* ---- lists by degree ----------------------------------------------------- */

static void unlink_variable(graph *g, int i) {
    if (g->previous[i] >= 0)
        g->next[g->previous[i]] = g->next[i];
    else
        g->head[g->degree[i]] = g->next[i];
    if (g->next[i] >= 0) g->previous[g->next[i]] = g->previous[i];
}

static void link_variable(graph *g, int i, int degree) {
    g->degree[i] = degree;
    g->previous[i] = -1;
    g->next[i] = g->head[degree];
    if (g->next[i] >= 0) g->previous[g->next[i]] = i;
    g->head[degree] = i;
}

/* ---- elimination --------------------------------------------------------- */

static bool add_member(graph *g, int i) {
    if (g->mark[i] == g->stamp) return true;
    g->mark[i] = g->stamp;
    if (g->n_member == g->room) {
        int *more = realloc(g->member, sizeof *more * (size_t)(2 * g->room));
        if (!more) return false;
        g->member = more;
        g->room *= 2;
    }
    g->member[g->n_member++] = i;
    return true;
}

/* The clique of variable p: all that its row reaches. Elements in it are absorbed. */
static bool make_clique(graph *g, int p) {
    const int *row = g->list + g->start[p];
    g->stamp++;
    g->mark[p] = g->stamp;
    g->clique[p] = g->n_member;
    for (int k = 0; k < g->n_near[p]; k++)
        if (!add_member(g, row[k])) return false;
    for (int k = 0; k < g->n_elem[p]; k++) {
        const int e = row[g->n_near[p] + k];
        for (int m = 0; m < g->n_clique[e]; m++)
            if (!add_member(g, g->member[g->clique[e] + m])) return false;
        g->n_clique[e] = -1;
    }
    g->n_clique[p] = (int)(g->n_member - g->clique[p]);
    return true;
}

/* Takes out of row i what the clique p has (still marked), and puts p in. */
static void update_row(graph *g, int i, int p) {
    int *row = g->list + g->start[i];
    const int n_near = g->n_near[i], n_elem = g->n_elem[i];
    int near = 0, elem = 0;
    for (int k = 0; k < n_near; k++)
        if (g->mark[row[k]] != g->stamp) row[near++] = row[k];
    for (int k = 0; k < n_elem; k++)
        if (g->n_clique[row[n_near + k]] > 0) row[near + elem++] = row[n_near + k];
    if (g->n_clique[p] > 1) row[near + elem++] = p;
    g->n_near[i] = near;
    g->n_elem[i] = elem;
}

static int degree_of(graph *g, int i) {
    const int *row = g->list + g->start[i];
    int degree = 0;
    g->mark[i] = ++g->stamp;
    for (int k = 0; k < g->n_near[i]; k++) {
        g->mark[row[k]] = g->stamp;
        degree++;
    }
    for (int k = 0; k < g->n_elem[i]; k++) {
        const int e = row[g->n_near[i] + k];
        int kept = 0;
        for (int m = 0; m < g->n_clique[e]; m++) {
            int *member = g->member + g->clique[e];
            if (g->n_near[member[m]] < 0) continue; /* eliminated meanwhile */
            member[kept++] = member[m];
            if (g->mark[member[kept - 1]] == g->stamp) continue;
            g->mark[member[kept - 1]] = g->stamp;
            degree++;
        }
        g->n_clique[e] = kept;
    }
    return degree;
}

static bool eliminate(graph *g, int p, long *fill) {
    unlink_variable(g, p);
    if (!make_clique(g, p)) return false;
    g->n_near[p] = -1;
    *fill += g->n_clique[p];
    const int n = g->n_clique[p];
    for (int m = 0; m < n; m++) update_row(g, g->member[g->clique[p] + m], p);
    for (int m = 0; m < n; m++) {
        const int i = g->member[g->clique[p] + m];
        unlink_variable(g, i);
        link_variable(g, i, degree_of(g, i));
    }
    return true;
}

/* ---- the graph of A + A' ------------------------------------------------- */

static void fill_rows(graph *g, const int *first, const int *row) {
    for (int j = 0; j < g->n; j++)
        for (int k = first[j]; k < first[j + 1]; k++)
            if (row[k] != j) {
                g->list[g->start[j] + g->n_near[j]++] = row[k];
                g->list[g->start[row[k]] + g->n_near[row[k]]++] = j;
            }
    for (int i = 0; i < g->n; i++) { /* each neighbour once */
        int *list = g->list + g->start[i], near = 0;
        g->mark[i] = ++g->stamp;
        for (int k = 0; k < g->n_near[i]; k++)
            if (g->mark[list[k]] != g->stamp) {
                g->mark[list[k]] = g->stamp;
                list[near++] = list[k];
            }
        g->n_near[i] = near;
        link_variable(g, i, near);
    }
}

static bool open_graph(graph *g, const int *first, const int *row) {
    const size_t n = (size_t)g->n, entries = (size_t)first[n];
    int **const arrays[] = {&g->n_near, &g->n_elem, &g->degree,   &g->head,
                            &g->next,   &g->mark,   &g->n_clique, &g->previous};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = calloc(n + 1, sizeof(int)))) return false;
    g->room = (long)(entries + n) + 16;
    g->start = calloc(n + 2, sizeof *g->start);
    g->clique = calloc(n + 1, sizeof *g->clique);
    g->list = malloc((2 * entries + 1) * sizeof *g->list);
    g->member = malloc((size_t)g->room * sizeof *g->member);
    if (!g->start || !g->clique || !g->list || !g->member) return false;
    for (int j = 0; j < g->n; j++)
        for (int k = first[j]; k < first[j + 1]; k++) {
            g->start[j + 1]++;
            g->start[row[k] + 1]++;
        }
    for (int i = 0; i < g->n; i++) {
        g->start[i + 1] += g->start[i];
        g->head[i] = -1;
    }
    fill_rows(g, first, row);
    return true;
}

static void close_graph(graph *g) {
    free(g->start);
    free(g->list);
    free(g->n_near);
    free(g->n_elem);
    free(g->degree);
    free(g->head);
    free(g->next);
    free(g->previous);
    free(g->mark);
    free(g->clique);
    free(g->n_clique);
    free(g->member);
}

bool dry_stiff__order(int n, const int *first, const int *row, int *order, long *fill) {
    graph g = {.n = n};
    bool good = open_graph(&g, first, row);
    *fill = 0;
    for (int k = 0, degree = 0; good && k < n; k++) {
        if (degree > 0) degree--; /* no neighbour loses more than one */
        while (g.head[degree] < 0) degree++;
        order[k] = g.head[degree];
        good = eliminate(&g, order[k], fill);
    }
    close_graph(&g);
    return good;
}
