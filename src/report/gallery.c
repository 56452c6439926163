/* gallery: the overview of many runs, paper by paper. */
#include "report_private.h"

#include <string.h>

/* In the order of the gallery. */
static const struct {
    const char *folder, *name, *title;
} papers[] = {
    {"xiong2013", "Xiong, Kikuuwe, Yamamoto 2013",
     "A differential algebraic method to approximate nonsmooth mechanical systems by ordinary "
     "differential equations"},
    {"xiong2012", "Xiong, Kikuuwe, Yamamoto 2012",
     "Friction and contact written as ordinary differential equations"},
    {"xiong-dissertation", "Xiong's dissertation 2013",
     "Applications of differential algebraic inclusions to the modeling of friction and contact"},
    {"kikuuwe2008", "Kikuuwe, Yamamoto 2008",
     "A modular software architecture for simulating mechanical systems involving Coulomb friction "
     "integrable by the Runge-Kutta method"},
    {"glowinski2004", "Glowinski, Shiau, Kuo, Nasser 2004",
     "The numerical simulation of friction constrained motions (I): one degree of freedom models"},
    {"classics", "Classics", "Systems with a closed form or a published answer"}};

dry_paper dry_paper_find(const char *folder) {
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (!strcmp(papers[i].folder, folder))
            return (dry_paper){folder, papers[i].name, papers[i].title, (int)i};
    return (dry_paper){folder, folder, "", (int)(sizeof papers / sizeof *papers)};
}

/* ---- one folder --------------------------------------------------------------------------------
 */

typedef struct sum {
    int models, met, expected, failed;
    double seconds;
    int stated[DRY_STATED_NOT_MET + 1]; /* by verdict */
} sum;

static void add(sum *s, const dry_gallery_item *item) {
    s->models++;
    s->met += item->met;
    s->expected += item->expected;
    s->failed += item->failure != NULL;
    s->seconds += item->seconds;
}

/* How many items from the first on are of its folder. */
static int shelf_length(const dry_gallery_item *items, int count) {
    int n = 1;
    while (n < count && !strcmp(items[n].folder, items[0].folder)) n++;
    return n;
}

static sum add_up(const dry_gallery_item *items, int count) {
    sum s = {0};
    for (int i = 0; i < count; i++) add(&s, &items[i]);
    return s;
}

/* One folder, with the statements of its paper. */
static sum add_up_shelf(const dry_gallery_item *items, int count,
                        const dry_statements *statements) {
    sum s = add_up(items, count);
    for (int v = DRY_STATED_MET; v <= DRY_STATED_NOT_MET; v++)
        s.stated[v] = dry_statements_count(statements, items[0].folder, (dry_verdict)v);
    return s;
}

static bool is_good(const sum *s) { return s->met == s->expected && !s->failed; }

/* Statements of the paper, then our checks. */
static void put_row(const char *folder, const char *name, const sum *s, FILE *stream) {
    fprintf(stream, "<tr class=\"%s\"><td>", is_good(s) ? "met" : "missed");
    if (folder) {
        dry_report__put(stream, "<a href=\"#%s\">", folder);
    }
    dry_report__text(name, stream);
    fputs(folder ? "</a>" : "", stream);
    fprintf(stream, "</td><td class=\"number\">%d</td>", s->models);
    for (int v = DRY_STATED_MET; v <= DRY_STATED_NOT_MET; v++)
        fprintf(stream, "<td class=\"number\">%d</td>", s->stated[v]);
    fprintf(stream, "<td class=\"number\">%d of %d</td><td class=\"number\">", s->met, s->expected);
    dry_report__number(s->seconds, 2, stream);
    fprintf(stream, " s</td><td class=\"mark\">%s</td></tr>\n", is_good(s) ? "✓" : "✗");
}

static void put_overview(const dry_gallery_item *items, int count, const dry_statements *statements,
                         FILE *stream) {
    fputs(
        "<div class=\"wide\"><table class=\"overview\"><thead><tr><th rowspan=\"2\">paper</th><th "
        "rowspan=\"2\" class=\"number\">models</th><th colspan=\"3\" class=\"number\">statements "
        "of "
        "the paper</th><th rowspan=\"2\" class=\"number\">our checks</th><th rowspan=\"2\" "
        "class=\"number\">CPU</th><th rowspan=\"2\"></th></tr><tr><th class=\"number\">met</th><th "
        "class=\"number\">with a condition</th><th class=\"number\">not met</th></tr></thead>\n"
        "<tbody>\n",
        stream);
    sum all = add_up(items, count);
    for (int i = 0, n; i < count; i += n) {
        n = shelf_length(items + i, count - i);
        const sum s = add_up_shelf(items + i, n, statements);
        put_row(items[i].folder, dry_paper_find(items[i].folder).name, &s, stream);
        for (int v = DRY_STATED_MET; v <= DRY_STATED_NOT_MET; v++) all.stated[v] += s.stated[v];
    }
    fputs("</tbody><tfoot>", stream);
    put_row(NULL, "all", &all, stream);
    fputs("</tfoot></table></div>\n", stream);
}

static void put_item(const dry_gallery_item *item, FILE *stream) {
    const bool good = !item->failure && item->met == item->expected;
    dry_report__put(stream, "<li><a class=\"tile\" href=\"%s\">", item->page);
    fputs(item->picture && *item->picture ? item->picture : "<span class=\"picture\"></span>",
          stream);
    fputs("<span class=\"name\">", stream);
    dry_report__text(item->title, stream);
    fprintf(stream, "</span><span class=\"result %s\">%s ", good ? "good" : "bad",
            good ? "✓" : "✗");
    if (item->failure)
        dry_report__text(item->failure, stream);
    else
        fprintf(stream, "%d of %d checks met%s", item->met, item->expected,
                item->refused ? "; refused, as it should be" : "");
    fputs("</span></a></li>\n", stream);
}

/* A text in which `names` stand in backquotes, as in the pages of docs. */
static void put_marked(const char *text, FILE *stream) {
    for (bool code = false; *text; code = !code) {
        const size_t n = strcspn(text, "`");
        fputs(code ? "<code>" : "", stream);
        dry_report__text_of(text, n, stream);
        fputs(code ? "</code>" : "", stream);
        text += n + (text[n] == '`');
    }
}

/* What the overview is made of. */
typedef struct overview {
    const dry_gallery_item *items;
    int count;
    const dry_statements *statements;
} overview;

/* The page of a model that a row names from the folder of its paper, if it is shown: refused/fig11
 * of xiong2013 is xiong2013-refused-fig11.html, as is ../xiong2013/refused/fig11. */
static const char *page_of(const overview *o, const char *folder, const char *name, size_t n) {
    char page[512];
    const bool other = n > 3 && !strncmp(name, "../", 3);
    snprintf(page, sizeof page, "%s%s%.*s.html", other ? "" : folder, other ? "" : "-",
             (int)n - (other ? 3 : 0), name + (other ? 3 : 0));
    for (char *c = page; *c; c++)
        if (*c == '/') *c = '-';
    for (int i = 0; i < o->count; i++)
        if (!strcmp(o->items[i].page, page)) return o->items[i].page;
    return NULL;
}

/* The models of a row as it has them, with links to their pages. */
static void put_models(const overview *o, const dry_statement *s, FILE *stream) {
    for (const char *c = s->models; *c;) {
        const size_t n = strcspn(c, " ,()"), between = strspn(c + n, " ,()");
        const char *page = page_of(o, s->folder, c, n);
        if (page) dry_report__put(stream, "<a href=\"%s\">", page);
        dry_report__text_of(c, n, stream);
        fputs(page ? "</a>" : "", stream);
        dry_report__text_of(c + n, between, stream);
        c += n + between;
    }
}

static void put_statement(const overview *o, const dry_statement *s, FILE *stream) {
    static const char *const words[] = {[DRY_STATED_NOTHING] = "",
                                        [DRY_STATED_MET] = "met",
                                        [DRY_STATED_CONDITION] = "with a condition",
                                        [DRY_STATED_NOT_MET] = "not met"};
    dry_report__put(stream, "<tr><td>%s</td><td>", s->figure);
    put_models(o, s, stream);
    dry_report__put(stream, "</td><td>%s</td><td>", s->statement);
    put_marked(s->ours, stream);
    dry_report__put(stream, "</td><td>%s%s%s</td></tr>\n", words[s->verdict], *s->why ? ": " : "",
                    s->why);
}

/* What the paper states, met or not. */
static void put_statements(const overview *o, const char *folder, FILE *stream) {
    int n = 0;
    for (int i = 0; i < o->statements->n; i++) {
        const dry_statement *s = &o->statements->row[i];
        if (strcmp(s->folder, folder) != 0 || s->verdict == DRY_STATED_NOTHING) continue;
        if (!n++)
            fputs("<details><summary>What the paper states, and what came out</summary>\n<div "
                  "class=\"wide\"><table "
                  "class=\"statements\"><thead><tr><th>figure</th><th>model</th><th>statement"
                  "</th><th>ours</th><th>met</th></tr></thead>\n<tbody>\n",
                  stream);
        put_statement(o, s, stream);
    }
    if (n) fputs("</tbody></table></div></details>\n", stream);
}

static void put_shelf(const overview *o, const dry_gallery_item *items, int count, FILE *stream) {
    const dry_paper paper = dry_paper_find(items[0].folder);
    dry_report__put(stream, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"cite\">%s</p>\n",
                    paper.folder, paper.name, paper.title);
    put_statements(o, paper.folder, stream);
    fputs("<ul class=\"tiles\">\n", stream);
    for (int i = 0; i < count; i++) put_item(&items[i], stream);
    fputs("</ul></section>\n", stream);
}

dry_status dry_gallery_write(const dry_gallery_item *items, int count,
                             const dry_statements *statements, const char *path, dry_error *error) {
    dry_file file;
    const dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    FILE *stream = file.stream;
    dry_report__head("Drystone gallery", stream);
    fputs(
        "<main class=\"gallery\">\n<header><h1>Every figure, run again</h1>\n<p "
        "class=\"lead\">Machines with dry friction and contact as the papers write them: as "
        "inclusions. Each card shows the inclusion, the ordinary differential equation it "
        "becomes, our picture, and our checks with their numbers. The statements of the papers are "
        "counted apart: met, met with a condition, or not met.</p></header>\n",
        stream);
    put_overview(items, count, statements, stream);
    const overview o = {items, count, statements};
    for (int i = 0, n; i < count; i += n) {
        n = shelf_length(items + i, count - i);
        put_shelf(&o, items + i, n, stream);
    }
    fputs("</main>\n", stream);
    dry_report__foot(stream);
    dry_report__end(DRY_REPORT__NOTHING, stream);
    return dry_file_commit(&file, error);
}
