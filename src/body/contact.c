/* contact: the kind that lets all shapes connected to it touch each other.
 *
 * It gathers frames with their shapes, and lays out its states and scratch for a fixed number of
 * slots, so that a step allocates nothing. After each step it searches for near pairs if something
 * has moved far enough, and for crossings of boxes.
 *
 * capacity: slots; skin: m; the law's parameters: contact_eval.c. */
#include "contact_private.h"
#include <stdio.h>

typedef struct settings {
    dry_part part;
    double par[DRY_BODY__N_PAR];
    double skin, restitution;
    dry_body__grain grain;
    int capacity; /* 0: by the shapes */
} settings;

static bool rolls(const settings *set) {
    return dry_body__resists(set->par) && set->par[DRY_BODY__KR] > 0.0;
}

/* A shape is large if it is so many times as large as the median one. */
static const double LARGE = 4.0;

/* ---- the functions of the part --------------------------------------------------------- */

static void start(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    memset(x, 0, (size_t)c->n_states * sizeof *x);
    dry_body__search(env, in, x);
    dry_body__place(env, in);
    dry_body__match(env, in, x);
    x[DRY_BODY__HEAD_TIME] = env->t;
}

/* Returns false if only the time in the head changed, because that changes no rate. */
static bool latch(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    const bool moved = !env->calm && dry_body__moved(env, in, x);
    x[DRY_BODY__HEAD_TIME] = env->t;
    if (moved) dry_body__search(env, in, x);
    if (!c->has_boxes) return moved;
    dry_body__index(env, x);
    dry_body__place(env, in);
    return dry_body__match(env, in, x) || moved;
}

/* The slots in use; none where their number is unknown (nan), as in a row of a record. */
static int n_moving(const dry_part_env *env, const double *x) {
    const dry_body__contacts *c = env->data;
    const double slots = x[DRY_BODY__HEAD_SLOTS];
    return slots > 0.0 ? c->stride * (int)slots : 0;
}

static const char *const watch_texts[] = {
    "more shapes are near each other than contact has slots for: raise its capacity (points where "
    "two shapes may touch), or lower its skin"};
static int watch(const dry_part_env *env, const double *in, const double *x) {
    (void)env, (void)in;
    return x[DRY_BODY__HEAD_FULL] > 0.0 ? 1 : 0;
}

/* Closed while any of its points has a normal force. */
static unsigned phase(const dry_part_env *env, const double *in, const double *x, const double *y) {
    (void)env, (void)in, (void)x;
    return y[DRY_BODY__OUT_N] > 0.0 ? DRY_CLOSED : DRY_OPEN;
}

static const dry_quantity output_names[DRY_BODY__OUTPUTS] = {
    [DRY_BODY__OUT_POINTS] = {"points", ""},
    [DRY_BODY__OUT_N] = {"N", "N"},
    [DRY_BODY__OUT_DEPTH] = {"depth", "m"},
};
static const dry_quantity params[DRY_BODY__N_PAR] = {
    [DRY_BODY__K] = {"K", "N/m"},
    [DRY_BODY__ALPHA] = {"alpha", "s"},
    [DRY_BODY__BETA] = {"beta", "s"},
    [DRY_BODY__MU] = {"mu", ""},
    [DRY_BODY__KT] = {"Kt", "N/m"},
    [DRY_BODY__BETAT] = {"betat", "s"},
    [DRY_BODY__ROLLING] = {"rolling", "m"},
    [DRY_BODY__KR] = {"Kr", "N m"},
    [DRY_BODY__BR] = {"Br", "N m s"},
    [DRY_BODY__DRILLING] = {"drilling", "m"},
    [DRY_BODY__MU_ALONG] = {"mu_along", ""},
};

/* ---- shapes ------------------------------------------------------------------------------- */

typedef struct gathering {
    dry_arena *arena;
    const dry_port *const *frames;
    const settings *set;
    dry_body__contacts *c;
    bool failed;
} gathering;

static void *take(gathering *g, size_t count, size_t size) {
    void *memory = dry_arena_take(g->arena, (count ? count : 1) * size);
    if (memory == NULL) g->failed = true;
    return memory;
}

static dry_body__solid_shape solid_of(const dry_shape *shape, int frame) {
    dry_body__solid_shape s = {.shape = shape, .kind = shape->kind, .frame = frame, .turned = -1};
    dry_body__bound(shape, s.centre, &s.radius);
    dry_body__unit_quat(shape->kind == DRY_CLOUD ? (const double[4]){0.0} : shape->q, s.q);
    s.centred = s.centre[0] == 0.0 && s.centre[1] == 0.0 && s.centre[2] == 0.0;
    s.plain = s.centred && s.kind == DRY_SPHERE;
    return s;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The radius above which a shape is large. */
static double large_radius(gathering *g) {
    dry_body__contacts *c = g->c;
    double *radii = take(g, (size_t)c->n_shapes, sizeof *radii);
    int n = 0;
    if (radii == NULL) return 0.0;
    for (int k = 0; k < c->n_frames; k++)
        for (int i = 0; i < g->frames[k]->n_shapes; i++) {
            const dry_body__solid_shape s = solid_of(&g->frames[k]->shapes[i], k);
            if (s.kind != DRY_PLANE) radii[n++] = s.radius;
        }
    qsort(radii, (size_t)n, sizeof *radii, by_size);
    return n ? LARGE * radii[n / 2] : 0.0;
}

/* Puts the large shapes first; else keeps the order of the connections. */
static void sort_shapes(gathering *g, double limit) {
    dry_body__contacts *c = g->c;
    int n = 0;
    for (int large = 1; large >= 0; large--) {
        for (int k = 0; k < c->n_frames; k++)
            for (int i = 0; i < g->frames[k]->n_shapes; i++) {
                dry_body__solid_shape s = solid_of(&g->frames[k]->shapes[i], k);
                if ((s.radius > limit) != (large == 1)) continue;
                if (s.kind != DRY_SPHERE) s.turned = c->n_turned++;
                c->shapes[n++] = s;
            }
        if (large) c->n_large = n;
    }
}

/* The first shape of each frame. */
static void find_first(dry_body__contacts *c) {
    for (int k = 0; k < c->n_frames; k++) c->first[k] = -1;
    for (int i = c->n_shapes - 1; i >= 0; i--) c->first[c->shapes[i].frame] = i;
    for (int k = 0; k < c->n_frames; k++) c->n_bare += c->first[k] < 0;
}

/* Finds how far the shapes of a frame move when it turns: all of a large shape counts, only the
 * centre of a small one. */
static void find_reach(dry_body__contacts *c) {
    for (int i = 0; i < c->n_shapes; i++) {
        const dry_body__solid_shape *s = &c->shapes[i];
        const double reach = dry_norm(3, s->centre) + (i < c->n_large ? s->radius : 0.0);
        c->reach[s->frame] = dry_max(c->reach[s->frame], reach);
    }
    for (int k = 0; k < c->n_frames; k++) c->frame_q[k] = c->reach[k] > 0.0 ? c->n_kept_q++ : -1;
}

static char ease_of(const gathering *g, const dry_body__solid_shape *s) {
    const bool alone = s->shape->group == 0 && g->frames[s->frame]->n_shapes == 1;
    return s->kind == DRY_CLOUD ? 0 : s->kind == DRY_SPHERE && alone ? 2 : 1;
}

static void take_shapes(gathering *g) {
    dry_body__contacts *c = g->c;
    for (int k = 0; k < c->n_frames; k++) c->n_shapes += g->frames[k]->n_shapes;
    c->shapes = take(g, (size_t)c->n_shapes, sizeof *c->shapes);
    c->to_place = take(g, (size_t)c->n_shapes, sizeof *c->to_place);
    c->radii = take(g, (size_t)c->n_shapes, sizeof *c->radii);
    c->ease = take(g, (size_t)c->n_shapes, sizeof *c->ease);
    c->first = take(g, (size_t)c->n_frames, sizeof *c->first);
    c->reach = take(g, (size_t)c->n_frames, sizeof *c->reach);
    c->frame_q = take(g, (size_t)c->n_frames, sizeof *c->frame_q);
    const double limit = large_radius(g);
    if (g->failed) return;
    sort_shapes(g, limit);
    find_first(c);
    find_reach(c);
    double most = 0.0;
    for (int i = c->n_large; i < c->n_shapes; i++) most = dry_max(most, c->shapes[i].radius);
    for (int i = 0; i < c->n_shapes; i++) {
        c->has_boxes |= c->shapes[i].kind == DRY_BOX;
        if (!c->shapes[i].plain) c->to_place[c->n_to_place++] = i;
        c->radii[i] = c->shapes[i].radius;
        c->ease[i] = ease_of(g, &c->shapes[i]);
    }
    c->skin = g->set->skin > 0.0 ? g->set->skin : most > 0.0 ? 0.2 * most : 0.01;
    c->cell = 2.0 * most + c->skin;
}

/* ---- room for them --------------------------------------------------------------------------- */

/* The slots of all pairs, or `most` if they are more. */
static double all_slots(const dry_body__contacts *c, double most) {
    double sum = 0.0;
    for (int i = 0; i < c->n_shapes && sum < most; i++)
        for (int j = i + 1; j < c->n_shapes && sum < most; j++)
            sum += dry_body__slots(&c->shapes[i], &c->shapes[j]);
    return dry_min(sum, most);
}

/* The slots per shape in a dense heap: half of its neighbours and two large shapes. */
static double usual_slots(const dry_body__contacts *c) {
    static const double per_shape[] = {[DRY_PLANE] = 0.0,
                                       [DRY_SPHERE] = 8.0,
                                       [DRY_BOX] = 168.0,
                                       [DRY_CAPSULE] = 24.0,
                                       [DRY_CYLINDER] = 340.0};
    double sum = 64.0;
    for (int i = 0; i < c->n_shapes; i++) {
        const dry_body__solid_shape *s = &c->shapes[i];
        sum += s->kind == DRY_CLOUD ? 8.0 * s->shape->n_points : per_shape[s->kind];
    }
    return sum;
}

static void lay_out_states(dry_body__contacts *c) {
    c->at_p = DRY_BODY__HEAD;
    c->at_q = c->at_p + 3 * c->n_frames;
    c->at_slots = c->at_q + 4 * c->n_kept_q;
    c->n_states = c->at_slots + c->stride * c->capacity;
}

static size_t piece(dry_body__contacts *c, size_t count, size_t size) {
    const size_t at = c->work.size;
    c->work.size += (count * size + 63) / 64 * 64;
    return at;
}

static void lay_out_work(dry_body__contacts *c) {
    const size_t shapes = (size_t)c->n_shapes, slots = (size_t)c->capacity;
    const size_t frames = (size_t)c->n_frames;
    for (c->buckets = 16; c->buckets < 2 * c->n_shapes;) c->buckets *= 2;
    c->work.print = piece(c, 1, sizeof(double));
    c->work.centres = piece(c, DRY_BODY__CENTRE * shapes, sizeof(double));
    c->work.turns = piece(c, 9 * (size_t)c->n_turned, sizeof(double));
    c->work.pairs = piece(c, slots, sizeof(double));
    c->work.links = piece(c, slots + 1, sizeof(dry_body__link));
    c->work.shared = piece(c, 1, sizeof(int32_t));
    c->work.shares = piece(c, DRY_BODY__MOST_PIECES + 1, sizeof(dry_body__share));
    c->work.ends = piece(c, frames + 1, sizeof(int32_t));
    c->work.places = piece(c, 2 * slots, sizeof(int32_t));
    /* forces to add later and the scratch of a search share memory: they are never used at once */
    c->work.later = c->work.size;
    c->work.cells = piece(c, 3 * shapes, sizeof(int32_t));
    c->work.bucket = piece(c, shapes, sizeof(int32_t));
    c->work.starts = piece(c, (size_t)c->buckets + 1, sizeof(int32_t));
    c->work.sorted = piece(c, shapes, sizeof(int32_t));
    c->work.spots = piece(c, DRY_BODY__CENTRE * shapes, sizeof(double));
    const size_t later = c->work.later + DRY_BODY__FORCE * sizeof(double) * slots;
    if (c->work.size < later) piece(c, later - c->work.size, 1);
    /* so do the wrenches of pairs, and the old pairs and slots */
    const size_t old = (1 + (size_t)c->stride) * slots, wrenches = DRY_BODY__WRENCH * slots;
    c->old_size = old > wrenches ? old : wrenches;
    c->work.old = c->work.wrenches = piece(c, c->old_size, sizeof(double));
}

static bool make_room(gathering *g, dry_error *error) {
    dry_body__contacts *c = g->c;
    const double most = 2e8, usual = g->set->capacity ? g->set->capacity : usual_slots(c);
    const double capacity = all_slots(c, usual);
    c->stride = rolls(g->set) ? DRY_BODY__ROLLS : DRY_BODY__PLAIN;
    if (capacity * c->stride > most || c->n_shapes >= 1 << DRY_BODY__PAIR_BITS) {
        dry_error_set(error, DRY_BAD_MODEL,
                      "contact of %d shapes with a capacity of %.0f slots is "
                      "too large",
                      c->n_shapes, capacity);
        return false;
    }
    c->capacity = (int)capacity;
    lay_out_states(c);
    lay_out_work(c);
    return true;
}

/* ---- ports ------------------------------------------------------------------------------------
 */

enum { NAME = 20 };

static const dry_port *name_ports(gathering *g) {
    dry_port *ports = take(g, (size_t)g->c->n_frames, sizeof *ports);
    char(*texts)[NAME] = take(g, (size_t)g->c->n_frames, sizeof *texts);
    for (int k = 0; !g->failed && k < g->c->n_frames; k++) {
        snprintf(texts[k], NAME, "on[%d]", (k + 1) % 1000000000);
        ports[k] = *g->frames[k];
        ports[k].name = texts[k];
    }
    return ports;
}

static const dry_gathering gathered = {.frame_forces = dry_body__frame_forces,
                                       .frame_moved = dry_body__frame_moved,
                                       .holds = dry_body__holds,
                                       .n_ticking = DRY_BODY__HEAD,
                                       .n_moving = n_moving,
                                       .touches = dry_body__contact_touches,
                                       .overlaps = dry_body__contact_overlaps,
                                       .touching = dry_body__contact_touching,
                                       .gives = 1 + DRY_BODY__OUT_DEPTH};

static const dry_part *gather(const dry_part *self, dry_arena *arena, const dry_port *const *frames,
                              int count, dry_error *error) {
    gathering g = {.arena = arena, .frames = frames, .set = self->data};
    dry_part *part = take(&g, 1, sizeof *part);
    dry_gathering *gathers = take(&g, 1, sizeof *gathers);
    if (!g.failed) g.c = take(&g, 1, sizeof *g.c);
    if (!g.failed) {
        g.c->n_frames = count;
        g.c->restitution = g.set->restitution;
        g.c->grain = g.set->grain;
        take_shapes(&g);
    }
    if (!g.failed && !make_room(&g, error)) return NULL;
    const dry_port *ports = g.failed ? NULL : name_ports(&g);
    if (g.failed) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for the contact of %d frames", count);
        return NULL;
    }
    *part = *self;
    *gathers = gathered;
    part->n_ports = count;
    part->ports = ports;
    part->n_states = g.c->n_states;
    part->data = g.c;
    part->work_size = g.c->work.size;
    part->gathers = gathers;
    gathers->n_latched = g.c->at_slots;
    gathers->thinnest = dry_body__thinnest(frames, count);
    return part;
}

/* ---- the kind
 * ------------------------------------------------------------------------------------- */

#define OPEN -1.0 /* not given */
static const dry_kind_param kind_params[] = {
    {"K", "N/m", 1, 1, false, DRY_POSITIVE, OPEN, "stiffness of a contact point"},
    {"alpha", "s", 1, 1, false, DRY_POSITIVE, OPEN, "relaxation time in contact; at most beta"},
    {"beta", "s", 1, 1, false, DRY_POSITIVE, OPEN, "relaxation time out of contact"},
    {"restitution", "", 1, 1, false, DRY_NONNEGATIVE, OPEN,
     "speed after an impact by that before it, up to 1, instead of alpha and beta; 0.3 if "
     "you give neither"},
    {"mu", "", 1, 1, false, DRY_NONNEGATIVE, 0.0, "coefficient of friction"},
    {"mu_along", "", 1, 1, false, DRY_NONNEGATIVE, OPEN,
     "coefficient of friction along the grain, with mu across it; not given: mu"},
    {"grain", "", 3, 3, false, DRY_ANY, 0.0, "direction of the grain; not given: [1, 0, 0]"},
    {"grain_on", NULL, 1, 1, false, DRY_ANY, 0.0,
     "ground: the grain has the axes of the world; body: of the frame of the two that was "
     "connected "
     "last; not given: ground"},
    {"Kt", "N/m", 1, 1, false, DRY_NONNEGATIVE, 0.0, "tangential stiffness; 0: K"},
    {"betat", "s", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "tangential time constant; 0: beta, or chosen together with it"},
    {"rolling", "m", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "lever arm of rolling resistance: its moment is at most rolling times the normal force"},
    {"drilling", "m", 1, 1, false, DRY_NONNEGATIVE, OPEN,
     "lever arm of drilling resistance, about the normal; not given: rolling limits the moment "
     "about "
     "all axes"},
    {"Kr", "N m", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "stiffness against rolling and drilling, per rad, with which they come to rest"},
    {"Br", "N m s", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "damping of rolling and drilling, per rad/s, if there is no Kr; it costs no states"},
    {"capacity", "", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "points where near shapes may touch; 0: enough for a dense heap"},
    {"skin", "m", 1, 1, false, DRY_NONNEGATIVE, 0.0,
     "distance up to which shapes are kept in view; 0: a fifth of the largest small one"},
};

/* Kt and betat follow from K and beta if they are not given; if K is open, design chooses them with
 * K. */
static void follow(double *par) {
    if (!(par[DRY_BODY__KT] > 0.0)) par[DRY_BODY__KT] = par[DRY_BODY__K];
    if (!(par[DRY_BODY__BETAT] > 0.0)) par[DRY_BODY__BETAT] = par[DRY_BODY__BETA];
}

/* What is wrong with the numbers; NULL: nothing. */
static const dry_wrong *mistake(settings *set) {
    static const dry_wrong rolls = {
        "rolling", "rolling needs a stiffness or a damping",
        "give Kr, the stiffness of its moment in N m per rad, or Br, its damping"};
    static const dry_wrong drills = {
        "drilling", "drilling needs a stiffness or a damping",
        "give Kr, the stiffness of its moment in N m per rad, or Br, its damping"};
    const double *par = set->par;
    const dry_wrong *wrong;
    if (!dry_contact_is_open(par + DRY_BODY__K, set->restitution, &wrong)) {
        follow(set->par);
        if (!wrong) wrong = dry_law_find("frictional_contact")->check(par, 3);
    }
    if (wrong || !dry_body__resists(par) || par[DRY_BODY__KR] + par[DRY_BODY__BR] > 0.0)
        return wrong;
    return par[DRY_BODY__ROLLING] > 0.0 ? &rolls : &drills;
}

/* Reads the grain; NULL: nothing is wrong with it. */
static const dry_wrong *take_grain(const dry_kind *kind, const dry_value *values, int count,
                                   settings *set) {
    static const dry_wrong word = {"grain_on", "grain_on is neither ground nor body",
                                   "take one of these words"};
    static const dry_wrong zero = {"grain", "grain has no direction",
                                   "give a vector that is not 0"};
    static const dry_wrong alone = {"grain", "a grain needs a coefficient of friction of its own",
                                    "give mu_along, or leave out grain and grain_on"};
    const char *on = dry_value_word(values, count, "grain_on", NULL);
    double *along = set->grain.along;
    const bool given = dry_value_numbers(kind, values, count, "grain", 3, along) > 0;
    if ((given || on) && set->par[DRY_BODY__MU_ALONG] < 0.0) return &alone;
    if (on && strcmp(on, "ground") != 0 && strcmp(on, "body") != 0) return &word;
    set->grain.turns = on && strcmp(on, "body") == 0;
    if (!given) along[0] = 1.0;
    const double length = dry_norm(3, along);
    for (int i = 0; i < 3; i++) along[i] /= length;
    return length > 0.0 ? NULL : &zero;
}

static bool is_given(const dry_value *values, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(values[i].key, key) == 0) return true;
    return false;
}

/* A key of a resistance that nobody gave would have no effect; NULL: there is none. */
static const dry_wrong *find_idle(const dry_value *values, int count) {
    static const char *const pairs[][3] = {{"Kt", "mu", "mu_along"},
                                           {"betat", "mu", "mu_along"},
                                           {"Kr", "rolling", "drilling"},
                                           {"Br", "rolling", "drilling"}};
    static const dry_wrong wrongs[] = {
        {"Kt", "Kt has no effect without friction", "give mu, which may be 0, or leave out Kt"},
        {"betat", "betat has no effect without friction",
         "give mu, which may be 0, or leave out betat"},
        {"Kr", "Kr has no effect without a resistance",
         "give rolling or drilling, which may be 0, or leave out Kr"},
        {"Br", "Br has no effect without a resistance",
         "give rolling or drilling, which may be 0, or leave out Br"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (is_given(values, count, pairs[i][0]) && !is_given(values, count, pairs[i][1]) &&
            !is_given(values, count, pairs[i][2]))
            return &wrongs[i];
    return NULL;
}

static bool settle(const dry_kind *kind, const dry_value *values, int count, settings *set,
                   dry_error *error) {
    for (int i = 0; i < DRY_BODY__N_PAR; i++)
        set->par[i] = dry_value_number(kind, values, count, params[i].name);
    set->restitution = dry_value_number(kind, values, count, "restitution");
    set->skin = dry_value_number(kind, values, count, "skin");
    set->capacity = (int)dry_min(dry_value_number(kind, values, count, "capacity"), 1e9);
    const dry_wrong *wrong = take_grain(kind, values, count, set);
    if (!wrong) wrong = find_idle(values, count);
    return dry_error_set_wrong(error, wrong ? wrong : mistake(set)) == DRY_OK;
}

static const dry_part_outputs outputs = {DRY_BODY__OUTPUTS, output_names, dry_body__contact_output};
static const dry_part_watches watches = {(int)(sizeof watch_texts / sizeof watch_texts[0]),
                                         watch_texts, watch};
static bool forgets(const dry_part *self, int par) {
    (void)self;
    return par == DRY_BODY__BETA || par == DRY_BODY__BETAT;
}

static const dry_part_design design = {.firmness = dry_body__contact_firmness,
                                       .forgets = forgets,
                                       .is_open = dry_body__contact_is_open,
                                       .choose_contact = dry_body__contact_choose};
static const dry_gathering gathers = {.gather = gather};

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    settings *set = dry_arena_take(arena, sizeof *set);
    if (set == NULL) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for a %s", self->name);
        return NULL;
    }
    if (!settle(self, values, count, set, error)) return NULL;
    set->part =
        (dry_part){.kind = self->name,
                   .side = DRY_IMPEDANCE,
                   .promise = DRY_IS_PASSIVE, /* as frictional_contact, the law of its points */
                   .n_par = DRY_BODY__N_PAR,
                   .params = params,
                   .par = set->par,
                   .data = set,
                   .eval = dry_body__contact_eval,
                   .start = start,
                   .energy = dry_body__contact_energy,
                   .latch = latch,
                   .phase = phase,
                   .outputs = &outputs,
                   .watches = &watches,
                   .design = &design,
                   .gathers = &gathers};
    return &set->part;
}

const dry_kind dry_body__contact = {
    .name = "contact",
    .title = "contact of shapes, with friction",
    .meaning =
        "The shapes of all frames connected to it press and rub where they touch: N in "
        "dio(psi), f in mu N sgn(v). Quantities: points (that touch), N (the sum of their "
        "forces), depth (of the deepest), NAME.f and NAME.m of each part that is connected. "
        "Shapes have sphere, box, capsule, cylinder, cloud and plane, "
        "links of an arm with a radius, and links of a robot with a <collision>.\n"
        "If you leave K, alpha or beta open, they follow from the restitution, the lightest of "
        "the\nbodies that can meet, and the step of the run: an impact lasts 12 steps, more if "
        "many\nbodies may press on one, fewer if the load at the start would make them sink in.",
    .params = kind_params,
    .n_params = (int)(sizeof kind_params / sizeof kind_params[0]),
    .make = make,
};
