/* build_names: lists the parts, and finds parts (by hashing), ports, and the numbers of a port by
 * name. */
#include "net_private.h"
#include <ctype.h>
#include <stdlib.h>

/* ---- what a port carries ----------------------------------------------- */

/* count 0: one for each dimension of the port; "$" stands for the port's own unit. */
typedef struct row {
    const char *name, *unit;
    int count;
} row;

static const row motion_rows[][DRY_NET__MOST_FIELDS] = {
    [DRY_COORDINATE] = {{"p", "$", 0}, {"v", "$/s", 0}},
    [DRY_FRAME] = {{"p", "m", 3}, {"v", "m/s", 3}, {"q", "", 4}, {"omega", "rad/s", 3}},
    [DRY_LENGTH] = {{"l", "m", 1}, {"l_dot", "m/s", 1}},
    [DRY_SURFACE] = {{"psi", "m", 1}, {"psi_dot", "m/s", 1}, {"v", "m/s", 3}},
    [DRY_RELATIVE] = {{"d", "m", 3}, {"phi", "rad", 3}, {"v", "m/s", 3}, {"omega", "rad/s", 3}},
};
static const row force_rows[][DRY_NET__MOST_FIELDS] = {
    [DRY_COORDINATE] = {{"f", "N$", 0}},
    [DRY_FRAME] = {{"f", "N", 3}, {"m", "N m", 3}},
    [DRY_LENGTH] = {{"f", "N", 1}},
    [DRY_SURFACE] = {{"N", "N", 1}, {"f", "N", 3}},
    [DRY_RELATIVE] = {{"f", "N", 3}, {"m", "N m", 3}},
};

static bool is_angle(const dry_port *port) { return strcmp(port->unit, "rad") == 0; }

static const char *unit_of(const dry_port *port, const char *unit) {
    if (strcmp(unit, "$") == 0) return is_angle(port) ? "rad" : "m";
    if (strcmp(unit, "$/s") == 0) return is_angle(port) ? "rad/s" : "m/s";
    if (strcmp(unit, "N$") == 0) return is_angle(port) ? "N m" : "N";
    return unit;
}

static int fields_of(const dry_port *port, const row *rows, dry_net__field *fields) {
    int n = 0, first = 0;
    for (; n < DRY_NET__MOST_FIELDS && rows[n].name; n++) {
        const int count = rows[n].count > 0 ? rows[n].count : port->dim;
        fields[n] = (dry_net__field){rows[n].name, unit_of(port, rows[n].unit), first, count};
        first += count;
    }
    return n;
}

int dry_net__motion_fields(const dry_port *port, dry_net__field *fields) {
    return fields_of(port, motion_rows[port->kind], fields);
}

int dry_net__force_fields(const dry_port *port, dry_net__field *fields) {
    return fields_of(port, force_rows[port->kind], fields);
}

static int size_of(const dry_net__field *fields, int n) {
    return fields[n - 1].first + fields[n - 1].count;
}

int dry_port_motion(const dry_port *port) {
    dry_net__field fields[DRY_NET__MOST_FIELDS];
    return size_of(fields, dry_net__motion_fields(port, fields));
}

int dry_port_force(const dry_port *port) {
    dry_net__field fields[DRY_NET__MOST_FIELDS];
    return size_of(fields, dry_net__force_fields(port, fields));
}

/* ---- names with an index ----------------------------------------------- */

/* The length of a name without "[i]"; *index becomes i, or 0 without an index. */
static size_t stem(const char *name, int *index) {
    const char *bracket = strchr(name, '[');
    *index = 0;
    if (!bracket) return strlen(name);
    char *end;
    const long i = strtol(bracket + 1, &end, 10);
    if (i < 1 || i > 1000000 || strcmp(end, "]") != 0) return strlen(name);
    *index = (int)i;
    return (size_t)(bracket - name);
}

bool dry_net__same_stem(const char *a, const char *b) {
    int i, j;
    const size_t n = stem(a, &i);
    return n == stem(b, &j) && memcmp(a, b, n) == 0;
}

int dry_net__stem_length(const char *name) {
    int index;
    return (int)stem(name, &index);
}

int dry_net__quantity_of(const dry_quantity *all, int n, const char *name, int *count) {
    int index;
    stem(name, &index);
    for (int i = 0; all && i < n; i++) {
        if (index > 0 ? strcmp(all[i].name, name) != 0 : !dry_net__same_stem(all[i].name, name))
            continue;
        *count = 1;
        while (index == 0 && i + *count < n && dry_net__same_stem(all[i + *count].name, name))
            ++*count;
        return i;
    }
    return -1;
}

bool dry_net__field_of(const dry_net__field *fields, int n, const char *name,
                       dry_net__field *found) {
    int index;
    const size_t length = stem(name, &index);
    for (int i = 0; i < n; i++) {
        if (strlen(fields[i].name) != length || memcmp(fields[i].name, name, length) != 0) continue;
        *found = fields[i];
        if (index == 0) return true;
        found->first += index - 1;
        found->count = 1;
        return index <= fields[i].count;
    }
    return false;
}

/* ---- parts by name ----------------------------------------------------- */

/* FNV-1a */
static unsigned hash(const char *name, size_t length) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

/* The bucket of the part of that name, or an empty bucket. */
static int *bucket_of(const dry_net *net, const char *name, size_t length) {
    unsigned at = hash(name, length) % (unsigned)net->wiring.n_buckets;
    for (;; at = (at + 1) % (unsigned)net->wiring.n_buckets) {
        int *bucket = &net->wiring.buckets[at];
        if (*bucket == 0) return bucket;
        const char *other = net->wiring.nodes[*bucket - 1]->name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return bucket;
    }
}

static bool begins_name(unsigned char c) { return isalpha(c) || c == '_' || c >= 0x80; }

/* A name of the language, UTF-8, with an index or without: ball, ball[3]; m.ball, from an included
 * file. */
static bool is_name(const char *name) {
    const unsigned char *c = (const unsigned char *)name;
    if (!begins_name(*c)) return false;
    while (begins_name(*c) || isdigit(*c) || (*c == '.' && begins_name(c[1]))) c++;
    if (*c != '[') return *c == '\0';
    do c++;
    while (isdigit(*c));
    return c[-1] != '[' && c[0] == ']' && c[1] == '\0';
}

/* ---- the list ----------------------------------------------------------- */

/* Doubles the room of the list, and fills buckets anew: twice as many as nodes. */
static bool make_room(dry_net *net) {
    dry_net__wiring *w = &net->wiring;
    const int n = net->asked.n_nodes, room = n > 0 ? 2 * n : 16;
    dry_net__node **nodes = dry_net__take(net, (size_t)room, sizeof *nodes);
    int *buckets = dry_net__take(net, 2 * (size_t)room + 1, sizeof *buckets);
    if (net->full) return false;
    for (int i = 0; i < n; i++) nodes[i] = w->nodes[i];
    w->nodes = nodes;
    w->buckets = buckets;
    w->n_buckets = 2 * room + 1;
    for (int i = 0; i < n; i++) {
        int *bucket = bucket_of(net, nodes[i]->name, strlen(nodes[i]->name));
        if (*bucket == 0) *bucket = i + 1;
    }
    return true;
}

bool dry_net__list_node(dry_net *net, dry_net__node *node) {
    if (net->asked.n_nodes == net->wiring.n_buckets / 2 && !make_room(net)) return false;
    int *bucket = bucket_of(net, node->name, strlen(node->name));
    node->index = net->asked.n_nodes++;
    net->wiring.nodes[node->index] = node;
    if (*bucket == 0) *bucket = node->index + 1; /* else it is reported when the net is built */
    return true;
}

static void check_name(dry_net *net, const dry_net__node *node) {
    if (!is_name(node->name))
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "a part's name begins with a letter and has letters, digits and _, and "
                         "maybe an index in brackets");
    if (*bucket_of(net, node->name, strlen(node->name)) != node->index + 1)
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_PART(node), .way_out = "rename one of them"},
                         "two parts have this name");
}

void dry_net__check_names(dry_net *net) {
    for (int i = 0; i < net->asked.n_nodes; i++) check_name(net, net->wiring.nodes[i]);
}

dry_net__node *dry_net__node_at(const dry_net *net, const char *name, size_t length) {
    if (net->asked.n_nodes == 0) return NULL;
    const int *bucket = bucket_of(net, name, length);
    return *bucket ? net->wiring.nodes[*bucket - 1] : NULL;
}

dry_net__node *dry_net__node_of(const dry_net *net, const char *name, const char **rest) {
    dry_net__node *node = NULL; /* of the shortest name that a part has: m.ball of m.ball.p */
    size_t length = strcspn(name, ".");
    while (!(node = dry_net__node_at(net, name, length)) && name[length] == '.')
        length += 1 + strcspn(name + length + 1, ".");
    *rest = name[length] == '.' ? name + length + 1 : name + length;
    return node;
}

void dry_net__know(const dry_net *net, dry_net__named *named) {
    if (named->own || !named->name) return;
    const dry_net__node *node = dry_net__node_of(net, named->name, &named->own);
    named->part = node ? node->index : -1;
}

const char *dry_net__full_name(dry_net *net, const dry_net__named *named) {
    const dry_net__node *node = dry_net__part_of(net, named);
    if (named->name) return named->name;
    if (!node) return "the world";
    return *named->own ? dry_net_text(net, "%s.%s", node->name, named->own) : node->name;
}

dry_net__node *dry_net__part_of(const dry_net *net, const dry_net__named *named) {
    return named->part >= 0 ? net->wiring.nodes[named->part] : NULL;
}

int dry_net__port_of(const dry_part *part, const char *name) {
    if (*name == '\0') return part->n_ports == 1 ? 0 : -1;
    for (int i = 0; i < part->n_ports; i++)
        if (strcmp(part->ports[i].name, name) == 0) return i;
    return -1;
}

const char *dry_net__port_list(dry_net *net, const dry_part *part) {
    enum { MOST = 8 };
    const char *list = "";
    for (int i = 0; i < part->n_ports && i < MOST; i++)
        list = dry_net_text(net, "%s%s%s", list, i == 0 ? "" : ", ", part->ports[i].name);
    return part->n_ports > MOST ? dry_net_text(net, "%s, ...", list) : list;
}
