# The front door. Each target does all the set-up it needs on a fresh Debian machine; the real build
# is CMake's (CMakeLists.txt, CMakePresets.json). Build folders are build/<preset>.

PREFIX  ?= /usr/local
DATA    ?= $(SUGENO_DATA)
OUT     ?= paper-results
SECONDS ?= 60
KILLS   ?= 100

# $(call build,ARGUMENTS OF CMAKE,TARGETS): the release build, silent unless something is wrong.
define build
	@cmake --preset release $(1) >/dev/null
	@cmake --build --preset release $(if $(2),--target $(2)) -- --quiet | sed '/no work to do/d'
endef
SHELL       := /bin/bash
.SHELLFLAGS := -o pipefail -c

all: setup-build
	$(call build)

demo: setup-build
	@test -x build/release/sugeno || echo "Building sugeno ..." >&2
	$(call build,,sugeno_cli)
	@build/release/sugeno demo

test: setup-test
	@rm -rf build/results
	@tests/scripts/run_tests.sh release valgrind

# The suite once more under address and undefined-behaviour sanitizers, and what is labelled threads under the thread sanitizer.
sanitize: setup-test
	@tests/scripts/run_tests.sh asan tsan

# The wheel, in an empty environment, with the newest of what it works with: needs PyPI, and says so where it can't be reached. (make test has the
# package's tests with Debian's versions.)
python: setup-python
	@tests/scripts/wheel.sh . build/wheel

# Against the peers that are installed (NumPy, PyTorch, XGBoost, ...); the others are skipped with a note. PEERS=1
# installs all of them first, about 1 GB. QUICK=1: a rough picture. Results go to build/bench; UPDATE=1 also
# writes bench/results.csv, docs/performance.md and its figures.
bench: setup-$(if $(PEERS),peers,bench)
	$(call build,,bench)
	@UPDATE="$(UPDATE)" bench/run.sh build/release/bench/bench build/bench $(if $(QUICK),--quick)

# Time and memory against rows, threads, ranks and batches, up to ROWS (1e7) rows in files in FOLDER; peers as above. STAGES: only
# these parts (bench/scaling/run.py). Results go to build/scaling; UPDATE=1 writes bench/scaling.csv, docs/scaling.md and its
# figures in their place.
scaling: setup-$(if $(PEERS),peers,scaling)
	$(call build,,scaling)
	@UPDATE="$(UPDATE)" ROWS="$(ROWS)" FOLDER="$(FOLDER)" bench/scaling.sh build/release build/scaling $(STAGES)

# Test error on the datasets in DATA, beside peers from PyPI: METHODS on the first SPLITS seeds from SEED (1000) on of SETS. Results go
# to build/accuracy, and what stands there is not made again; UPDATE=1 writes bench/accuracy.csv, docs/accuracy.md and its figures in
# their place. CLAIM is what stands beside the run in docs/accuracy.md. PEERS=1 installs Debian's PyTorch first, for PyTSK.
accuracy: setup-$(if $(PEERS),peers,accuracy)
	$(call build,,sugeno_cli)
	@SUGENO_DATA="$(DATA)" SETS="$(SETS)" METHODS="$(METHODS)" SPLITS="$(SPLITS)" SEED="$(SEED)" JOBS="$(JOBS)" CLAIM="$(CLAIM)" \
	    UPDATE="$(UPDATE)" bench/accuracy.sh build/release build/accuracy

# Finished parts are kept in OUT. UPDATE=1 also writes paper/RESULTS.md, its figures and results.csv.
paper: setup-paper
	$(call build,,paper)
	@build/release/paper/paper --data "$(DATA)" --tables paper --out "$(OUT)" \
	    $(if $(UPDATE),--publish paper,--check paper/results.csv)

# The library's folder depends on the prefix (Debian's /usr), so the prefix is set here and not later.
install: setup-build
	$(call build,-DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX)))
	@DESTDIR=$(DESTDIR) cmake --install build/release
	@test -n "$(DESTDIR)" || ldconfig 2>/dev/null || true

fuzz: setup-clang
	@tests/scripts/fuzz.sh $(SECONDS)

# Trainings that are killed at random moments and go on: make test has 30 kills of them.
kill: setup-build
	$(call build,,sugeno_cli)
	@tests/scripts/kill.sh build/release/sugeno examples/mackey-glass.csv $(KILLS)

# One file a process: with several, clang-tidy 14 invents uninitialised va_lists.
tidy: setup-clang
	@cmake --preset clang >/dev/null
	@find src cli -name '*.c' ! -path 'src/mpi/*' ! -name 'neon_*' -print0 | \
	    xargs -0 -r -n 1 -P "$$(nproc)" clang-tidy -p build/clang --quiet 2>&1 | \
	    sed '/warnings generated/d'

format:
	find include src cli tests bench paper examples -name '*.[ch]' -exec clang-format -i {} +

coverage: setup-test
	@tests/scripts/coverage.sh

clean:
	rm -rf build

setup-%:
	@scripts/setup.sh $*

.PHONY: all demo test sanitize python bench scaling accuracy paper install fuzz kill tidy format coverage clean
