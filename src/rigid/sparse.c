/* A symmetric sparse matrix with fixed pattern: its blocks, an order of elimination that fills
 * little, and A = L d L'.
 *
 * The order is that of least degree (Tinney, Walker 1967): chains and trees fill nothing, so they
 * cost in proportion to their number. The factors are made row by row from the tree of elimination
 * (Davis 2005, LDL). */
#include "rigid_private.h"

/* More entries in L than this take too much memory and time. */
static const double MOST_ENTRIES = 1e7;

static void *take(dry_arena *arena, size_t count, size_t bytes) {
    return dry_arena_take(arena, (count > 0 ? count : 1) * bytes);
}

/* ---- which sets are connected --------------------------------------------- */

/* Pairs of sets, sorted by the first, then by the second, each once. */
typedef struct links {
    int n_sets;
    int *start, *other; /* others of set s: start[s] .. start[s + 1] */
} links;

/* Sorts `count` pairs (a, b) stably by a, which is below n_keys, into (to_a, to_b). */
static void sort_by_first(int count, int n_keys, const int *a, const int *b, int *to_a, int *to_b,
                          int *place) {
    memset(place, 0, ((size_t)n_keys + 1) * sizeof *place);
    for (int k = 0; k < count; k++) place[a[k] + 1]++;
    for (int s = 0; s < n_keys; s++) place[s + 1] += place[s];
    for (int k = 0; k < count; k++) {
        const int at = place[a[k]]++;
        to_a[at] = a[k];
        to_b[at] = b[k];
    }
}

/* Each entry of D connects two sets, both ways. */
static int list_pairs(const dry_rigid__problem *p, int *a, int *b) {
    int n = 0;
    for (int i = 0; i < p->n_forces; i++)
        for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++) {
            const int s = p->pattern.set_of[i], o = p->pattern.set_of[p->pattern.column[k]];
            a[n] = s, b[n++] = o;
            a[n] = o, b[n++] = s;
        }
    return n;
}

static bool connect(dry_arena *spare, const dry_rigid__problem *p, links *to) {
    const size_t most = 2 * (size_t)p->pattern.start[p->n_forces];
    int *a = take(spare, most, sizeof *a), *b = take(spare, most, sizeof *b);
    int *c = take(spare, most, sizeof *c), *d = take(spare, most, sizeof *d);
    int *place = take(spare, (size_t)p->n_sets + 1, sizeof *place);
    to->n_sets = p->n_sets;
    to->start = take(spare, (size_t)p->n_sets + 1, sizeof *to->start);
    if (!a || !b || !c || !d || !place || !to->start) return false;
    const int n = list_pairs(p, a, b);
    sort_by_first(n, p->n_sets, b, a, d, c, place);
    sort_by_first(n, p->n_sets, c, d, a, b, place);
    to->other = c;
    for (int k = 0, kept = 0, s = 0; s < p->n_sets; s++) {
        for (; k < n && a[k] == s; k++)
            if (kept == to->start[s] || c[kept - 1] != b[k]) c[kept++] = b[k];
        to->start[s + 1] = kept;
    }
    return true;
}

/* ---- rows ----------------------------------------------------------------- */

static size_t count_entries(const dry_rigid__problem *p, const links *of) {
    size_t n = 0;
    for (int s = 0; s < of->n_sets; s++)
        for (int k = of->start[s]; k < of->start[s + 1]; k++)
            n += (size_t)p->sets[s].dim * (size_t)p->sets[of->other[k]].dim;
    return n;
}

static void fill_row(const dry_rigid__problem *p, const links *of, dry_rigid__sparse *to, int i) {
    const int set = p->pattern.set_of[i];
    int n = to->start[i];
    for (int k = of->start[set]; k < of->start[set + 1]; k++)
        for (int c = 0; c < p->sets[of->other[k]].dim; c++) {
            const int j = p->sets[of->other[k]].force + c;
            if (j == i) to->diagonal[i] = n;
            to->column[n++] = j;
        }
    to->start[i + 1] = n;
}

/* Rows and columns rise together, so the mirror of an entry is the next one in its row. */
static void find_mirrors(dry_rigid__sparse *to, int *next) {
    memcpy(next, to->start, (size_t)to->n * sizeof *next);
    for (int i = 0; i < to->n; i++)
        for (int k = to->start[i]; k < to->start[i + 1]; k++) to->mirror[k] = next[to->column[k]]++;
}

static bool make_rows(dry_arena *arena, const dry_rigid__problem *p, const links *of,
                      dry_rigid__sparse *to) {
    const size_t n = (size_t)p->n_forces, entries = count_entries(p, of);
    to->n = p->n_forces;
    to->start = take(arena, n + 1, sizeof(int));
    to->diagonal = take(arena, n, sizeof(int));
    to->column = take(arena, entries, sizeof(int));
    to->mirror = take(arena, entries, sizeof(int));
    to->stack = take(arena, n, sizeof(int));
    if (!to->start || !to->diagonal || !to->column || !to->mirror || !to->stack) return false;
    for (int i = 0; i < to->n; i++) fill_row(p, of, to, i);
    find_mirrors(to, to->stack);
    return true;
}

/* ---- the order ------------------------------------------------------------ */

/* The graph that is left, with lists of nodes of equal degree. */
typedef struct graph {
    dry_arena *spare;
    int n;
    int **near;           /* neighbours that are left */
    int *degree, *room;   /* length and room of each list */
    int *first;           /* by degree: a node; -1: none */
    int *next, *previous; /* of equal degree */
    int *mark;            /* the last node whose elimination reached it */
} graph;

static void unlist(graph *g, int v) {
    if (g->previous[v] >= 0)
        g->next[g->previous[v]] = g->next[v];
    else
        g->first[g->degree[v]] = g->next[v];
    if (g->next[v] >= 0) g->previous[g->next[v]] = g->previous[v];
}

static void list(graph *g, int v) {
    const int head = g->first[g->degree[v]];
    g->next[v] = head;
    g->previous[v] = -1;
    if (head >= 0) g->previous[head] = v;
    g->first[g->degree[v]] = v;
}

static bool make_graph(dry_arena *spare, const dry_rigid__sparse *s, graph *g) {
    const size_t n = (size_t)s->n;
    *g = (graph){.spare = spare, .n = s->n};
    g->near = take(spare, n, sizeof *g->near);
    g->degree = take(spare, n, sizeof(int)), g->room = take(spare, n, sizeof(int));
    g->first = take(spare, n, sizeof(int)), g->mark = take(spare, n, sizeof(int));
    g->next = take(spare, n, sizeof(int)), g->previous = take(spare, n, sizeof(int));
    if (!g->near || !g->degree || !g->room || !g->first || !g->mark || !g->next || !g->previous)
        return false;
    for (int i = 0; i < s->n; i++) g->first[i] = g->mark[i] = -1;
    for (int i = s->n - 1; i >= 0; i--) {
        const int row = s->start[i + 1] - s->start[i];
        g->near[i] = take(spare, (size_t)row, sizeof(int));
        if (!g->near[i]) return false;
        g->room[i] = row;
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->column[k] != i) g->near[i][g->degree[i]++] = s->column[k];
        list(g, i);
    }
    return true;
}

static bool append(graph *g, int u, int w) {
    if (g->degree[u] == g->room[u]) {
        const int room = 2 * g->room[u] + 4;
        int *more = take(g->spare, (size_t)room, sizeof *more);
        if (!more) return false;
        memcpy(more, g->near[u], (size_t)g->degree[u] * sizeof *more);
        g->near[u] = more;
        g->room[u] = room;
    }
    g->near[u][g->degree[u]++] = w;
    return true;
}

/* Without v, its neighbours are all neighbours of each other. */
static bool join(graph *g, int v, int u) {
    int kept = 0;
    unlist(g, u);
    for (int k = 0; k < g->degree[v]; k++) g->mark[g->near[v][k]] = v;
    for (int k = 0; k < g->degree[u]; k++) { /* of these, those that v does not bring */
        const int w = g->near[u][k];
        if (w != v && g->mark[w] != v) g->near[u][kept++] = w;
    }
    g->degree[u] = kept;
    bool good = true;
    for (int k = 0; k < g->degree[v] && good; k++)
        if (g->near[v][k] != u) good = append(g, u, g->near[v][k]);
    list(g, u);
    return good;
}

static void put_next(dry_rigid__sparse *s, int v, int *k) {
    s->place[v] = *k;
    s->order[(*k)++] = v;
}

/* `*sum` counts the entries of L. Once all that is left is connected, any order will do. */
static bool order_nodes(graph *g, dry_rigid__sparse *s, double *sum) {
    int k = 0, least = 0;
    for (int i = 0; i < s->n; i++) s->place[i] = -1;
    while (k < g->n && *sum <= MOST_ENTRIES) {
        while (g->first[least] < 0) least++;
        const int v = g->first[least], left = g->n - k;
        if (g->degree[v] == left - 1) {
            for (int i = 0; i < s->n; i++)
                if (s->place[i] < 0) put_next(s, i, &k);
            *sum += 0.5 * left * (left - 1.0);
            return true;
        }
        unlist(g, v);
        put_next(s, v, &k);
        *sum += g->degree[v];
        for (int i = 0; i < g->degree[v]; i++)
            if (!join(g, v, g->near[v][i])) return false;
        least = least > 0 ? least - 1 : 0;
    }
    return true;
}

/* ---- the factors ---------------------------------------------------------- */

/* The tree of elimination, and how many entries each column of L has. */
static void make_tree(dry_rigid__sparse *s) {
    for (int k = 0; k < s->n; k++) {
        const int i = s->order[k];
        s->parent[k] = -1;
        s->flag[k] = k;
        s->filled[k] = 0;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            for (int c = s->place[s->column[e]]; c < k && s->flag[c] != k; c = s->parent[c]) {
                if (s->parent[c] < 0) s->parent[c] = k;
                s->filled[c]++;
                s->flag[c] = k;
            }
    }
    s->L_start[0] = 0;
    for (int k = 0; k < s->n; k++) s->L_start[k + 1] = s->L_start[k] + s->filled[k];
}

/* Row k of A, and in stack[top ..] the columns of row k of L, each before its parent. */
static int spread(dry_rigid__sparse *s, const double *A, int k) {
    const int i = s->order[k];
    int top = s->n;
    s->row[k] = 0.0;
    s->flag[k] = k;
    for (int e = s->start[i]; e < s->start[i + 1]; e++) {
        int c = s->place[s->column[e]], length = 0;
        if (c > k) continue;
        s->row[c] += A[e];
        for (; s->flag[c] != k; c = s->parent[c]) {
            s->stack[length++] = c;
            s->flag[c] = k;
        }
        while (length > 0) s->stack[--top] = s->stack[--length];
    }
    return top;
}

void dry_rigid__factor(dry_rigid__sparse *s, const double *A, const double *least) {
    for (int k = 0; k < s->n; k++) {
        s->filled[k] = 0;
        s->row[k] = 0.0;
        s->flag[k] = -1;
    }
    for (int k = 0; k < s->n; k++) {
        int top = spread(s, A, k);
        double d = s->row[k];
        s->row[k] = 0.0;
        for (; top < s->n; top++) {
            const int c = s->stack[top], end = s->L_start[c] + s->filled[c];
            const double y = s->row[c], l = y / s->d[c];
            s->row[c] = 0.0;
            for (int e = s->L_start[c]; e < end; e++) s->row[s->L_row[e]] -= s->L[e] * y;
            d -= l * y;
            s->L_row[end] = k;
            s->L[end] = l;
            s->filled[c]++;
        }
        s->d[k] = d > least[s->order[k]] ? d : (double)INFINITY;
    }
}

void dry_rigid__substitute(dry_rigid__sparse *s, double *x) {
    for (int k = 0; k < s->n; k++) s->row[k] = x[s->order[k]];
    for (int k = 0; k < s->n; k++)
        for (int e = s->L_start[k]; e < s->L_start[k + 1]; e++)
            s->row[s->L_row[e]] -= s->L[e] * s->row[k];
    for (int k = s->n - 1; k >= 0; k--) {
        double y = s->row[k] / s->d[k];
        for (int e = s->L_start[k]; e < s->L_start[k + 1]; e++) y -= s->L[e] * s->row[s->L_row[e]];
        s->row[k] = y;
    }
    for (int k = 0; k < s->n; k++) x[s->order[k]] = s->row[k];
}

static bool take_factors(dry_arena *arena, dry_rigid__sparse *s, double entries) {
    const size_t n = (size_t)s->n;
    s->parent = take(arena, n, sizeof(int)), s->filled = take(arena, n, sizeof(int));
    s->L_start = take(arena, n + 1, sizeof(int)), s->flag = take(arena, n, sizeof(int));
    s->d = take(arena, n, sizeof(double)), s->row = take(arena, n, sizeof(double));
    s->L_row = take(arena, (size_t)entries, sizeof(int));
    s->L = take(arena, (size_t)entries, sizeof(double));
    return s->parent && s->filled && s->L_start && s->flag && s->d && s->row && s->L_row && s->L;
}

bool dry_rigid__sparse_new(dry_arena *arena, const dry_rigid__problem *p, dry_rigid__sparse *s,
                           bool *fits) {
    dry_arena *spare = dry_arena_new(0);
    links sets;
    graph g;
    double entries = 0.0;
    s->order = take(arena, (size_t)p->n_forces, sizeof(int));
    s->place = take(arena, (size_t)p->n_forces, sizeof(int));
    bool good = spare && s->order && s->place && connect(spare, p, &sets) &&
                make_rows(arena, p, &sets, s) && make_graph(spare, s, &g) &&
                order_nodes(&g, s, &entries);
    if (spare) dry_arena_free(spare);
    *fits = good && entries <= MOST_ENTRIES;
    if (!*fits) return good;
    if (!take_factors(arena, s, entries)) return false;
    make_tree(s);
    return true;
}
