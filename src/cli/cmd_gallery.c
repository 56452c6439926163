/* drystone gallery: runs the models of the papers and the classics, and writes them as a site of
 * HTML: one card per model, and an overview that counts the statements of
 * the papers and our checks apart.
 *
 * Each model runs in a process of its own, so that one cannot bring down the others; what the
 * overview needs of it comes back through a temporary file. */
#define _POSIX_C_SOURCE 200809L /* fork, strdup */
#include "job.h"
#include "sweep.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, "DIR", "folder to write (default gallery)", NULL},
    {"only", 0, CLI_TEXT, "PATTERN", "only models whose path contains this (with * and ?)", NULL},
    {"playground", 0, CLI_TEXT, "ADDRESS",
     "where the pages find the playground (default playground in DIR or beside it, if it is there)",
     NULL},
    {"jobs", 'j', CLI_COUNT, "N", "how many models run at a time (default one per core)", NULL},
    {"quiet", 0, CLI_FLAG, NULL, "print only the counts", NULL},
    {0},
};

/* ---- the models ------------------------------------------------------------------------------ */

enum { NAME = 128, TITLE = 256 };

/* What comes back from the process of a model; its picture follows in the file. */
typedef struct result {
    char title[TITLE], failure[TITLE];
    int met, expected;
    bool refused;
    bool unwritten; /* its page is not on the disk */
    double seconds;
} result;

typedef struct figure {
    char *path; /* from the current folder */
    char folder[NAME], page[2 * NAME];
    pid_t process; /* 0: not begun or done */
    FILE *back;
    result result;
    char *picture;
} figure;

typedef struct plan {
    figure *figures;
    int n, room;
    char root[4096]; /* with a slash at the end; "": the current folder */
    const char *only;
    const char *playground; /* its address, as seen from a page; NULL: none */
    bool failed;            /* out of memory */
    dry_arena *arena;
    dry_statements statements; /* of the papers; in the arena */
} plan;

/* "models/papers/xiong2013/refused/fig11.dry": folder xiong2013, page
 * xiong2013-refused-fig11.html. */
static void name_figure(figure *f, const char *inner) {
    const char *from = strncmp(inner, "papers/", 7) ? inner : inner + 7;
    const size_t folder = strcspn(from, "/");
    snprintf(f->folder, sizeof f->folder, "%.*s", (int)folder, from);
    snprintf(f->page, sizeof f->page, "%.*s.html", (int)(strlen(from) - strlen(".dry")), from);
    for (char *c = f->page; *c; c++)
        if (*c == '/') *c = '-';
}

static void add_figure(void *user, const char *path) {
    plan *p = user;
    char pattern[TITLE];
    snprintf(pattern, sizeof pattern, "*%s*", p->only ? p->only : "");
    if (fnmatch(pattern, path, 0) != 0) return;
    if (p->n == p->room) {
        figure *more = realloc(p->figures, sizeof *more * (size_t)(p->room + 64));
        if (!more) {
            p->failed = true;
            return;
        }
        p->figures = more;
        p->room += 64;
    }
    figure *f = &p->figures[p->n];
    *f = (figure){.path = strdup(path)};
    if (!f->path) {
        p->failed = true;
        return;
    }
    name_figure(f, path + strlen(p->root) + strlen("models/"));
    p->n++;
}

/* By paper, then by name, fig03-drift before fig03-drift-resonance. */
static int by_paper(const void *a, const void *b) {
    const figure *x = a, *y = b;
    const int i = dry_paper_find(x->folder).rank, k = dry_paper_find(y->folder).rank;
    const char *p = x->path, *q = y->path;
    if (i != k) return (i > k) - (i < k);
    while (*p && *p == *q) p++, q++;
    if (*p == '.' || *q == '.') return (*p != '.') - (*q != '.');
    return strcmp(p, q);
}

/* A root need not have a table of statements. */
static bool read_statements(plan *p) {
    char path[sizeof p->root + 40];
    dry_error error = {0};
    snprintf(path, sizeof path, "%smodels/papers/statements.txt", p->root);
    p->arena = dry_arena_new(0);
    p->failed = !p->arena;
    if (p->failed || access(path, F_OK) != 0) return !p->failed;
    if (dry_statements_read(path, p->arena, &p->statements, &error) == DRY_OK) return true;
    return cli_complain_error(&error), false;
}

static bool make_plan(plan *p) {
    static const char *const shelves[] = {"papers", "classics"};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        char path[sizeof p->root + 16];
        snprintf(path, sizeof path, "%smodels/%s", p->root, shelves[i]);
        good = cli_each_model(path, add_figure, p) && good;
    }
    if (good && !p->failed) good = read_statements(p);
    if (p->failed) cli_complain("out of memory");
    if (p->n) qsort(p->figures, (size_t)p->n, sizeof *p->figures, by_paper);
    return good && !p->failed;
}

static void free_plan(plan *p) {
    dry_arena_free(p->arena);
    for (int i = 0; i < p->n; i++) {
        free(p->figures[i].path);
        free(p->figures[i].picture);
    }
    free(p->figures);
}

/* ---- one model, in its own process --------------------------------------------------------------
 */

static char *messages_of(const dry_model *model) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return NULL;
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stream, false);
    dry_text_close(stream, &text);
    return text;
}

static void run_figure(cli_job *job, dry_card *card, result *r, const char *page, FILE *back) {
    dry_error error = {0};
    const int expected = dry_model_expects(job->model);
    cli_job_run(job);
    if (cli_job_ended(job)) {
        cli_job_card(job, card);
        r->met += expected - job->n_failed;
        r->seconds = job->result.seconds;
    } else {
        snprintf(r->failure, sizeof r->failure, "the run failed");
    }
    r->expected += expected;
    const dry_status status = dry_report_write(card, page, &error);
    if (status != DRY_OK) {
        const bool undrawn = status == DRY_BAD_ARGUMENT;
        cli_complain_error(&error);
        snprintf(r->failure, sizeof r->failure, "%s",
                 undrawn ? "a panel could not be drawn" : "the page could not be written");
        r->unwritten = !undrawn;
    }
    fwrite(r, sizeof *r, 1, back);
    dry_report_picture(card, back);
}

/* A model that the compiler must refuse runs by force, if it can. Gives what the compiler said. */
static char *compile_figure(cli_job *job, result *r) {
    char word[CLI_WORD], *said;
    job->model = dry_model_compile(job->path, job->text, job->length, &job->options);
    if (!job->model || !cli_refused_word(job->text, word)) return NULL;
    said = messages_of(job->model);
    r->refused = cli_is_refused_with(job->model, word);
    r->expected = 1;
    r->met = r->refused;
    dry_model_free(job->model);
    job->options.force = true;
    job->model = dry_model_compile(job->path, job->text, job->length, &job->options);
    return said;
}

static void show_figure(cli_job *job, dry_card *card, const char *page, FILE *back) {
    result r = {.met = 0};
    char *said = compile_figure(job, &r);
    const dry_model *model = job->model;
    card->model = model;
    card->path = job->path;
    card->refused = said;
    if (model) snprintf(r.title, sizeof r.title, "%s", dry_model_title(model));
    if (model && dry_model_ok(model)) {
        dry_card_image images[CLI_SWEEPS];
        bool failed = false;
        card->images = images;
        card->n_images = cli_run_sweeps(job->path, job->text, job->length, images, &failed);
        if (failed) snprintf(r.failure, sizeof r.failure, "a sweep failed");
        run_figure(job, card, &r, page, back);
        cli_sweeps_free(images, card->n_images);
    } else {
        if (!r.refused) snprintf(r.failure, sizeof r.failure, "the model has errors");
        dry_error error = {0};
        r.unwritten = model && dry_report_write(card, page, &error) != DRY_OK;
        if (r.unwritten) cli_complain_error(&error);
        fwrite(&r, sizeof r, 1, back);
    }
    free(said);
}

/* The address by which the playground opens one of its own models, below models/. */
static const char *playground_of(const plan *p, const figure *f, char *text, size_t size) {
    const char *inner = f->path + strlen(p->root) + strlen("models/");
    if (!p->playground) return NULL;
    const int n = snprintf(text, size, "%s#model=%.*s", p->playground,
                           (int)(strlen(inner) - strlen(".dry")), inner);
    return n > 0 && (size_t)n < size ? text : NULL;
}

static void work(const plan *p, int index, const char *folder) {
    const figure *f = &p->figures[index];
    cli_job job = {.path = f->path, .code = CLI_EITHER_CODE, .paged = true};
    char *text, page[4096], address[4096];
    dry_error error = {0};
    dry_card card = {.playground = playground_of(p, f, address, sizeof address),
                     .shelf = dry_paper_find(f->folder).name,
                     .previous = index > 0 ? p->figures[index - 1].page : NULL,
                     .next = index + 1 < p->n ? p->figures[index + 1].page : NULL};
    snprintf(page, sizeof page, "%s/%s", folder, f->page);
    if (dry_file_read(f->path, DRY_MODEL_MOST_BYTES, &text, &job.length, &error) != DRY_OK) {
        cli_complain_error(&error);
        return;
    }
    job.text = text;
    show_figure(&job, &card, page, f->back);
    cli_job_free(&job);
    free(text);
}

/* ---- all of them
 * ----------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped = 0;

static void note_signal(int number) {
    (void)number;
    stopped = 1;
}

/* What an interrupt, a hang-up and an order to end do; waiting is not taken up again after them. */
static void let_signals(void (*handler)(int)) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++) sigaction(numbers[i], &action, NULL);
}

static bool begin(plan *p, int index, const char *folder) {
    figure *f = &p->figures[index];
    f->back = tmpfile();
    fflush(stdout);
    f->process = f->back ? fork() : -1;
    if (f->process < 0) {
        cli_complain("%s: its run could not be started: %s", f->path, strerror(errno));
        if (f->back) fclose(f->back);
        return false;
    }
    if (f->process > 0) return true;
    let_signals(SIG_DFL);
    work(p, index, folder);
    fflush(f->back);
    fflush(stderr);
    _exit(0);
}

static void take_back(figure *f) {
    rewind(f->back);
    if (fread(&f->result, sizeof f->result, 1, f->back) != 1) {
        f->result = (result){.unwritten = true};
        snprintf(f->result.title, sizeof f->result.title, "%s", f->path);
        snprintf(f->result.failure, sizeof f->result.failure, "it did not reach its end");
    }
    const long from = ftell(f->back);
    fseek(f->back, 0, SEEK_END);
    const long length = ftell(f->back) - from;
    f->picture = calloc(1, (size_t)(length > 0 ? length : 0) + 1);
    fseek(f->back, from, SEEK_SET);
    if (f->picture && length > 0 && fread(f->picture, 1, (size_t)length, f->back) == 0)
        f->picture[0] = '\0';
    fclose(f->back);
}

static bool is_good(const figure *f) {
    return !f->result.failure[0] && f->result.met == f->result.expected;
}

static void print_figure(const figure *f) {
    const result *r = &f->result;
    printf("%s %s: ", is_good(f) ? "ok    " : "FAILED", f->path);
    if (r->failure[0])
        printf("%s\n", r->failure);
    else
        printf("%d of %d met%s, %.2g s\n", r->met, r->expected, r->refused ? ", refused" : "",
               r->seconds);
}

/* Ends the models that run; nobody else would. */
static void stop_all(const plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->figures[i].process > 0) kill(p->figures[i].process, SIGTERM);
}

/* Waits for one to end; a signal ends all of them. */
static void collect(plan *p, bool quiet) {
    pid_t done;
    if (stopped) stop_all(p);
    while ((done = wait(NULL)) < 0 && errno == EINTR)
        if (stopped) stop_all(p);
    for (int i = 0; i < p->n; i++)
        if (done > 0 && p->figures[i].process == done) {
            p->figures[i].process = 0;
            take_back(&p->figures[i]);
            if (!quiet && !stopped) print_figure(&p->figures[i]);
        }
}

static bool run_plan(plan *p, const char *folder, int most, bool quiet) {
    int begun = 0, running = 0;
    bool good = true;
    let_signals(note_signal);
    while (good && !stopped && begun < p->n) {
        good = begin(p, begun, folder);
        running += good;
        begun += good;
        if (running == most) collect(p, quiet), running--;
    }
    if (!good || stopped) stop_all(p);
    for (; running > 0; running--) collect(p, quiet);
    let_signals(SIG_DFL);
    return good && !stopped;
}

/* ---- the overview
 * ------------------------------------------------------------------------------------ */

static bool write_overview(const plan *p, const char *folder) {
    char path[4096];
    dry_error error = {0};
    dry_gallery_item *items = calloc((size_t)p->n + 1, sizeof *items);
    if (!items) return cli_complain("out of memory"), false;
    for (int i = 0; i < p->n; i++) {
        const figure *f = &p->figures[i];
        items[i] = (dry_gallery_item){.folder = f->folder,
                                      .page = f->page,
                                      .title = f->result.title,
                                      .picture = f->picture,
                                      .met = f->result.met,
                                      .expected = f->result.expected,
                                      .refused = f->result.refused,
                                      .failure = f->result.failure[0] ? f->result.failure : NULL,
                                      .seconds = f->result.seconds};
    }
    snprintf(path, sizeof path, "%s/index.html", folder);
    const bool good = dry_gallery_write(items, p->n, &p->statements, path, &error) == DRY_OK;
    if (!good) cli_complain_error(&error);
    free(items);
    return good;
}

static void print_statements(const plan *p, const char *folder) {
    int n[DRY_STATED_NOT_MET + 1], all = 0;
    for (int v = DRY_STATED_MET; v <= DRY_STATED_NOT_MET; v++)
        all += n[v] = dry_statements_count(&p->statements, folder, (dry_verdict)v);
    if (all)
        printf(", %d statements: %d met, %d with a condition, %d not met", all, n[DRY_STATED_MET],
               n[DRY_STATED_CONDITION], n[DRY_STATED_NOT_MET]);
}

/* One line per paper; true where every check is met. */
static bool print_counts(const plan *p) {
    bool good = true;
    for (int i = 0; i < p->n;) {
        const char *folder = p->figures[i].folder;
        int models = 0, met = 0, expected = 0;
        for (; i < p->n && !strcmp(p->figures[i].folder, folder); i++) {
            models++;
            met += p->figures[i].result.met;
            expected += p->figures[i].result.expected;
            good = good && is_good(&p->figures[i]);
        }
        printf("%-36s %3d models, %4d of %4d checks met", dry_paper_find(folder).name, models, met,
               expected);
        print_statements(p, folder);
        putchar('\n');
    }
    return good;
}

static bool is_unwritten(const plan *p) {
    for (int i = 0; i < p->n; i++)
        if (p->figures[i].result.unwritten) return true;
    return false;
}

/* With the folders on the way. */
static bool make_folder(const char *path) {
    char part[4096];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(part, 0777);
            *c = '/';
        }
    struct stat info;
    if (mkdir(part, 0777) == 0 || (stat(part, &info) == 0 && S_ISDIR(info.st_mode))) return true;
    return cli_complain("%s: the folder cannot be made: %s", path, strerror(errno)), false;
}

/* A playground in the folder of the gallery or beside it, as seen from its pages. */
static const char *find_playground(const char *folder) {
    static const char *const places[] = {"playground/index.html", "../playground/index.html"};
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        if (access(path, R_OK) == 0) return places[i];
    }
    return NULL;
}

static int run(const cli_args *args) {
    plan p = {.only = cli_text(args, "only", NULL)};
    if (args->n_words) snprintf(p.root, sizeof p.root, "%s/", args->words[0]);
    const char *folder = cli_text(args, "output", "gallery");
    const int most = (int)cli_number(args, "jobs", cli_cores());
    int code = make_plan(&p) && make_folder(folder) ? CLI_FINE : CLI_USAGE;
    p.playground = cli_text(args, "playground", find_playground(folder));
    if (code == CLI_FINE && !p.n) {
        cli_complain("no model has '%s' in its path", p.only ? p.only : "");
        code = CLI_USAGE;
    }
    if (code == CLI_FINE &&
        (!run_plan(&p, folder, most, cli_has(args, "quiet")) || !write_overview(&p, folder)))
        code = stopped ? CLI_INTERRUPT : CLI_RUN;
    if (code == CLI_FINE) {
        code = print_counts(&p) ? CLI_FINE : CLI_EXPECTATION;
        if (is_unwritten(&p)) code = CLI_RUN;
        printf("%s/index.html\n", folder);
    }
    free_plan(&p);
    return code;
}

const cli_verb cli_verb_gallery = {
    .name = "gallery",
    .arguments = "[ROOT]",
    .summary = "run every figure of the papers and the classics, and write a site of HTML",
    .text = "Runs models/papers and models/classics below ROOT (the current folder) and writes one "
            "page\nper model and index.html; each page works by itself, without a network.",
    .options = options,
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
