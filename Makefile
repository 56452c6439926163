# Drystone: the doors. The building itself is described in CMakeLists.txt.

BUILD   ?= build
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
SECONDS ?= 60
MANY    ?= 25

# A make inside cmake must not take this one's flags for its own.
CMAKE     := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
CONFIGURE := $(CMAKE) --log-level=NOTICE -S .
BUILD_IN  := $(CMAKE) --build
SOURCES    = $(wildcard include/drystone/*.h src/*/*.[ch] tests/*.h tests/*/*.[ch] \
               bench/*.[ch] bench/peers/*.[ch]* examples/*.[ch] examples/*/*.[ch] octave/*.c web/engine/*.c web/engine/posix/*.h web/engine/posix/*/*.h)

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

build: ## the command, the libraries and the examples, with what this computer has
	@$(CONFIGURE) -B $(BUILD)
	@$(BUILD_IN) $(BUILD) -j $(JOBS)

demo: ## installs what is missing, builds, and runs a first simulation
	@tools/deps.sh demo
	@$(MAKE) --no-print-directory build
	@mkdir -p out
	@$(BUILD)/drystone run models/hello.dry -o out/block.csv --plot out/block.svg --picture

gallery: ## every figure of the papers and the classics as pages, in docs/gallery
	@tools/deps.sh demo
	@$(MAKE) --no-print-directory build
	@$(BUILD)/drystone gallery --quiet -o docs/gallery

test: ## every test, in all the builds of tools/build-tests.sh, warnings as errors
	@tools/deps.sh test
	@tools/build-tests.sh $(BUILD) $(JOBS)
	@tools/fuzz.sh build $(BUILD)/fuzz
	@tools/run-tests.sh $$(tools/build-tests.sh --list $(BUILD))

coverage: ## how often 95 % intervals of fits hold the truth, in 400 repetitions
	@$(CONFIGURE) -B $(BUILD)
	@$(BUILD_IN) $(BUILD) -j $(JOBS) --target fit_test_coverage
	@$(BUILD)/tests/fit_test_coverage 400

test-web: ## the gallery, a report and the playground in headless Chromium
	@tools/deps.sh web
	@$(MAKE) --no-print-directory playground
	@tools/web-test.sh $(BUILD)

test-latex: ## the LaTeX of every model, by pdflatex
	@tools/deps.sh latex
	@$(MAKE) --no-print-directory build
	@tools/latex-test.sh $(BUILD)

wasm: ## the library as WebAssembly with a JavaScript API, for pages and node, in BUILD/wasm
	@tools/deps.sh wasm
	@$(MAKE) --no-print-directory -j $(JOBS) -f web/engine/engine.mk BUILD=$(BUILD)/wasm

npm: wasm ## that engine as a package for npm, BUILD/npm/drystone-VERSION.tgz
	@tools/npm.sh $(BUILD)

test-wasm: wasm ## that engine in node: every model with the bits of this computer, its API, hostile texts
	@$(MAKE) --no-print-directory build
	@tools/wasm-test.sh $(BUILD)

bench-wasm: wasm ## its times against bytecode here, and its bytes
	@$(MAKE) --no-print-directory build
	@tools/wasm-test.sh $(BUILD) bench

playground: ## the whole tool as a page, in BUILD/playground: static files, served or opened as a file
	@tools/deps.sh playground
	@$(MAKE) --no-print-directory wasm build
	@tools/playground.sh $(BUILD)

playground-serve: playground ## the same at an address of this computer, which it prints
	@node tools/playground-serve.mjs $(BUILD)/playground

octave: ## the functions for Octave, in BUILD/octave, a folder for addpath
	@tools/deps.sh octave
	@$(MAKE) --no-print-directory build
	@tools/octave.sh $(BUILD)

test-octave: ## their tests
	@tools/deps.sh octave
	@$(MAKE) --no-print-directory build
	@tools/octave.sh $(BUILD) test

test-firmware: ## exported C on emulated processors: the bits of this computer, instructions and bytes
	@tools/deps.sh firmware
	@$(MAKE) --no-print-directory build
	@tools/firmware-test.sh $(BUILD)

test-editors: ## what VS Code, Vim and Emacs make of the models
	@tools/deps.sh editors
	@$(MAKE) --no-print-directory build
	@tools/test-editors.sh $(BUILD)

vsix: ## the extension of VS Code, as BUILD/drystone-VERSION.vsix
	@tools/vsix.sh $(BUILD)

reference: ## the numbers of papers and classics from second programs, beside what the models expect
	@tools/deps.sh reference
	@PATH=/usr/bin:$$PATH python3 tests/reference/reference.py --jobs $(JOBS)

accuracy: ## how far the elementary functions are from the exact values, at most, over 10^7 points each
	@tools/deps.sh accuracy
	@$(MAKE) --no-print-directory build
	@$(CC) -std=c17 -O2 -Iinclude tests/reference/accuracy.c $(BUILD)/libdrystone.a -o $(BUILD)/accuracy -lmpfr -lm
	@$(BUILD)/accuracy

fuzz: ## random texts as models, robots, tables and journals, for SECONDS (60)
	@tools/deps.sh test
	@tools/fuzz.sh build $(BUILD)/fuzz
	@tools/fuzz.sh run $(BUILD)/fuzz $(SECONDS)

mutants: ## MANY (25) changes of signs and constants in the C of ROOM (all), by SEED: which ones no test sees
	@tools/deps.sh test
	@$(CONFIGURE) -G "Unix Makefiles" -B $(BUILD)/mutants -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DDRYSTONE_BENCH=OFF
	@$(BUILD_IN) $(BUILD)/mutants -j $(JOBS) --target drystone tests
	@PATH=/usr/bin:$$PATH tools/cage.sh $(BUILD)/mutants -- python3 tools/mutants.py run $(BUILD)/mutants \
	    --room "$(ROOM)" --many "$(MANY)" --seed "$(SEED)" --jobs "$(JOBS)"

bench: ## every benchmark
	@$(CONFIGURE) -B $(BUILD)
	@$(BUILD_IN) $(BUILD) -j $(JOBS) --target benches
	@for bench in $(BUILD)/bench/bench_*; do \
	    if [ -x "$$bench" ]; then echo "== $${bench##*/}"; "$$bench" || exit 1; \
	    else echo "no benchmarks yet"; fi; done
	@if PATH=/usr/bin:$$PATH python3 -c 'import numpy' 2>/dev/null; then echo "== bench_python.py"; \
	    PATH=/usr/bin:$$PATH PYTHONPATH=python DRYSTONE_LIBRARY="$$(ls $(BUILD)/libdrystone.so.*.*.*)" \
	    python3 bench/bench_python.py; else echo "bench_python.py is left out: it needs python3-numpy"; fi

bench-peers: ## other libraries against this one, those that can be installed
	@tools/deps.sh peers
	@$(CONFIGURE) -B $(BUILD)/peers -DDRYSTONE_PEERS=ON
	@$(BUILD_IN) $(BUILD)/peers -j $(JOBS) --target peers
	@for peer in $(BUILD)/peers/bench/peers_*; do \
	    if [ -x "$$peer" ]; then echo "== $${peer##*/}"; "$$peer" || exit 1; \
	    else echo "none of the other libraries is here"; fi; done

# The prefix decides the folder of the libraries: below /usr, Debian has one for each architecture.
install: ## into PREFIX (/usr/local), below DESTDIR where it is set
	@$(CONFIGURE) -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))
	@$(BUILD_IN) $(BUILD) -j $(JOBS)
	@$(CMAKE) --install $(BUILD)

install-python: ## the library and its Python package, into PREFIX (/usr/local), below DESTDIR where it is set
	@tools/deps.sh python
	@$(MAKE) --no-print-directory install
	@tools/install-python.sh $(BUILD) $(PREFIX)

dist: ## a release as a tarball, the same bytes for the same commit, into BUILD/dist
	@tools/dist.sh $(BUILD)/dist

deb: ## the last commit as packages for Debian, into BUILD/deb
	@tools/deps.sh deb
	@tools/deb.sh $(BUILD)/deb $(JOBS)

test-deb: deb ## these packages in an empty Debian, without and with what they recommend (as root)
	@tools/test-deb.sh $(BUILD)/deb

rooms: ## the picture of the rooms and who includes whom; files, lines, rings and structs of each
	@tools/check-rooms.sh --picture
	@$(MAKE) --no-print-directory build >/dev/null
	@tools/room-sizes.sh $(BUILD)

format: ## clang-format on every source
	@clang-format-14 -i $(SOURCES)

clean: ## removes the build
	@rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
