# Shortcuts. Each target first installs what it needs on a fresh Debian machine (scripts/setup.sh). CMake does the
# build itself (CMakeLists.txt, CMakePresets.json), in build/<preset>.

PREFIX  ?= /usr/local
DATA    ?= $(SUGENO_DATA)
OUT     ?= paper-results
SECONDS ?= 60
KILLS   ?= 100

# $(call build,CMAKE ARGUMENTS,TARGETS): build the release preset. Prints only warnings and errors.
define build
	@scripts/configure.sh release $(1)
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

# All tests of the release build.
test: setup-test
	@rm -rf build/results
	@tests/scripts/run_tests.sh release

# Build what has changed and run all tests except the slow ones, with fewer cases. Takes less than a minute if one file
# has changed.
test-quick: setup-test
	@rm -rf build/results
	@TESTS_QUICK=1 tests/scripts/run_tests.sh quick

# Run the tests under the address and undefined-behaviour sanitizers, those labelled threads under the thread sanitizer,
# and those labelled memory under valgrind.
sanitize: setup-test
	@rm -rf build/results
	@tests/scripts/run_tests.sh asan tsan valgrind

# Build the wheel and test it in an empty environment with the latest dependencies from PyPI. Skipped with a message if
# PyPI cannot be reached. (make test runs the package's tests with Debian's versions.)
python: setup-python
	@tests/scripts/wheel.sh . build/wheel

# Compare speed with the peers that are installed (NumPy, PyTorch, XGBoost, ...). Missing peers are skipped with a note.
# PEERS=1 installs all of them first (about 1 GB). QUICK=1 gives rough numbers. Results go to build/bench. UPDATE=1 also
# writes bench/results.csv, docs/performance.md and its figures.
bench: setup-$(if $(PEERS),peers,bench)
	$(call build,,bench)
	@UPDATE="$(UPDATE)" bench/run.sh build/release/bench/bench build/bench $(if $(QUICK),--quick)

# Measure time and memory against rows, threads, ranks and batches, with up to ROWS (1e7) rows in files in FOLDER. PEERS
# as above. STAGES selects parts (bench/scaling/run.py). Results go to build/scaling. UPDATE=1 writes bench/scaling.csv,
# docs/scaling.md and its figures instead.
scaling: setup-$(if $(PEERS),peers,scaling)
	$(call build,,scaling)
	@UPDATE="$(UPDATE)" ROWS="$(ROWS)" FOLDER="$(FOLDER)" bench/scaling.sh build/release build/scaling $(STAGES)

# Compare test errors on the datasets in DATA with peers from PyPI. Runs METHODS on SETS, with SPLITS seeds starting at
# SEED (1000). Results go to build/accuracy. Existing results there are not computed again. UPDATE=1 writes
# bench/accuracy.csv, docs/accuracy.md and its figures instead. CLAIM is the text beside the run in docs/accuracy.md.
# PEERS=1 installs Debian's PyTorch first, for PyTSK.
accuracy: setup-$(if $(PEERS),peers,accuracy)
	$(call build,,sugeno_cli)
	@SUGENO_DATA="$(DATA)" SETS="$(SETS)" METHODS="$(METHODS)" SPLITS="$(SPLITS)" SEED="$(SEED)" JOBS="$(JOBS)" CLAIM="$(CLAIM)" \
	    UPDATE="$(UPDATE)" bench/accuracy.sh build/release build/accuracy

# Repeat the experiments of the paper on the datasets in DATA. Finished cells are kept in OUT and not computed again.
# UPDATE=1 also writes paper/RESULTS.md, its figures and results.csv. LIMIT='--experiments "NAMES"' runs a part; see
# paper/run.py --help.
paper: setup-paper
	$(call build,,sugeno)
	@SUGENO_LIBRARY=build/release/libsugeno.so PYTHONPATH=python /usr/bin/python3 -B paper/run.py --data "$(DATA)" \
	    --out "$(OUT)" $(if $(UPDATE),--publish paper,--check paper/results.csv) $(LIMIT)

# The library folder depends on the prefix (on Debian, /usr differs), so set the prefix when configuring.
install: setup-build
	$(call build,-DCMAKE_INSTALL_PREFIX="$$(realpath -m "$(PREFIX)")")
	@DESTDIR="$(DESTDIR)" cmake --install build/release
	@test -n "$(DESTDIR)" || ldconfig 2>/dev/null || true

fuzz: setup-clang
	@tests/scripts/fuzz.sh $(SECONDS)

# Kill training KILLS times at random moments and resume it. (make test does this 30 times.)
kill: setup-build
	$(call build,,sugeno_cli)
	@tests/scripts/kill_and_resume.sh build/release/sugeno examples/mackey-glass.csv $(KILLS)

# One file per process. With several files, clang-tidy 14 reports uninitialised va_lists that do not exist.
tidy: setup-clang
	@scripts/configure.sh clang
	@find src cli -name '*.c' ! -path 'src/mpi/*' ! -name 'neon_*' -print0 | \
	    xargs -0 -r -n 1 -P "$$(nproc)" clang-tidy -p build/clang --quiet 2>&1 | \
	    sed '/warnings generated/d'

# clang-format 14, Debian's version. Other versions format differently.
c_files := find include src cli tests bench examples cmake -name '*.[ch]'

format: setup-format
	@$(c_files) -exec clang-format -i {} +

format-check: setup-format
	@$(c_files) -exec clang-format --dry-run -Werror {} + || { echo "Run make format." >&2 && exit 1; }

coverage: setup-test
	@tests/scripts/coverage.sh

clean:
	rm -rf build

setup-%:
	@scripts/setup.sh $*

.PHONY: all demo test test-quick sanitize python bench scaling accuracy paper install fuzz kill tidy format format-check \
    coverage clean
