# The library as WebAssembly: BUILD/drystone.wasm, of the sources in src as they are.
#
#   make -f web/engine/engine.mk BUILD=build/wasm
#
# posix/ has what WASI lacks. What the JavaScript names (dry_...), and nothing else, is exported.
BUILD ?= build/wasm
CLANG ?= clang
optimize ?= -Os
rooms := $(shell sed -n 's/^[0-9] *| *\([a-z]*\) .*/\1/p' tools/rooms.txt | grep -vx cli)
laws  := $(shell mkdir -p $(BUILD) && tools/set-laws.sh $(BUILD) && sed -n 's/^DRY_LAW(\(.*\))/\1/p' $(BUILD)/set_laws.def)
texts := law fmu
made  := $(laws:%=$(BUILD)/%.c) $(texts:%=$(BUILD)/%_text.c)
sources := $(sort $(wildcard $(rooms:%=src/%/*.c))) web/engine/engine.c
objects := $(sources:%.c=$(BUILD)/o/%.o) $(made:$(BUILD)/%.c=$(BUILD)/o/made/%.o)
script  := $(wildcard web/engine/*.js)
calls   := $(shell cat $(script) | grep -o '\bc\.\(malloc\|free\)\b\|dry_[a-z0-9_]*' | sed 's/^c\.//' | \
             grep -v '^dry_\(status\|bind_fact\)$$' | LC_ALL=C sort -u)

flags := --target=wasm32-wasi -std=c17 $(optimize) -DNDEBUG -ffp-contract=off -D__STDC_NO_ATOMICS__=1 \
         -D_WASI_EMULATED_GETPID -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL \
         -isystem web/engine/posix -Iinclude -Isrc -I$(BUILD) -Wall -Wextra -Wno-unused-function
# Rooms whose functions no step calls are compiled for size alone; some files of them are called.
cold  := base record syntax graph urdf lang design check model native plot fmu watch sweep fit report lsp bind
hot   := src/graph/eval.c src/graph/block.c src/graph/wide.c
size   = $(if $(filter $(cold:%=src/%/%),$(filter-out $(hot),$<)),-Oz)
links := --target=wasm32-wasi -mexec-model=reactor -lwasi-emulated-getpid -lwasi-emulated-process-clocks \
         -lwasi-emulated-signal -Wl,--strip-all,--gc-sections,--stack-first,-z,stack-size=4194304,--max-memory=2147483648

.PHONY: all
all: $(BUILD)/drystone.wasm $(BUILD)/drystone-classic.js $(script:web/engine/%=$(BUILD)/%) $(BUILD)/drystone.d.ts

$(BUILD)/%.js: web/engine/%.js
	@cp $< $@
$(BUILD)/%.d.ts: web/engine/%.d.ts
	@cp $< $@
$(BUILD)/drystone-classic.js: $(script) web/engine/classic.sh
	@web/engine/classic.sh > $@

$(BUILD)/drystone.wasm: $(objects) $(script)
	@$(CLANG) $(objects) $(links) $(calls:%=-Wl,--export=%) -o $@

$(BUILD)/%_text.c: tools/%-text.sh $(wildcard src/law/* src/math/* src/fmu/inside/*)
	@tools/$*-text.sh > $@

$(BUILD)/o/made/%.o: $(BUILD)/%.c
	@mkdir -p $(@D)
	@$(CLANG) $(flags) -MMD -MP -c $< -o $@

$(BUILD)/o/%.o: %.c
	@mkdir -p $(@D)
	@$(CLANG) $(flags) $(size) -MMD -MP -c $< -o $@

-include $(objects:.o=.d)
