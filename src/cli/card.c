/* A run of the command as a card of a report. */
#include "card.h"

void cli_card_of(const dry_model *model, const dry_model_options *options, const cli_run *run,
                 dry_card *card) {
    card->model = model;
    card->options = options;
    card->record = run->result.record;
    card->run = run->run;
    card->measured = run->measured;
    card->expected = run->expected;
    card->counts = run->result.counts;
    card->seconds = run->result.seconds;
    card->native = run->native;
}
