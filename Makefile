# `make run` and `make test` do all set-up on a fresh machine; the README spells the commands out for those without make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than two cores have: a browser and a server keep their test waiting.
WORKERS ?= 3
PYTEST = $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal

# Installs this checkout with the extras $(1). The wheel of opencv-python links to libraries of the desktop (libGL, libxcb, glib)
# that a small server lacks: where it cannot be imported, the same version of opencv-python-headless takes its place.
define install
$(BIN)/pip install --quiet --disable-pip-version-check -e '.$(1)'
@if ! missing=$$($(BIN)/python -c 'import cv2' 2>&1); then \
	version=$$($(BIN)/python -c 'from importlib.metadata import version; print(version("opencv-python"))') && \
	echo "opencv-python cannot be used here ($${missing##*Error: })." && \
	echo "Installing opencv-python-headless $$version in its place." && \
	$(BIN)/pip uninstall --quiet --yes --disable-pip-version-check opencv-python && \
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall opencv-python-headless==$$version && \
	$(BIN)/python -c 'import cv2'; \
fi
endef

comma := ,

# The tests start hundreds of processes, each of which would compile the same files anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-quick test-cluster test-slow loadtest attack mutants bench train train-odd train-low train-rack-detector train-further train-racks train-second-look train-cards train-card-second-look train-column-ends train-column-gaps training-assets clean

run: $(VENV)/.installed
	$(BIN)/burako serve

test: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(PYTEST) -m "not slow"

# The tests alone that need neither a browser nor much time: no film is watched frame by frame, no server is started as a program, of whole
# pictures a few are read and rendered (tiles, cards, a set that is taught, a scene), and Hypothesis tries three of ten examples. Hardly any of
# them waits for something, so that a third worker would only collect them once more.
test-quick: WORKERS = 2
test-quick: $(VENV)/.installed-dev
	$(PYTEST) --hypothesis-profile=quick -m "not slow and not browser and not film and not process and not pictures"

# Several processes over one PostgreSQL and one S3 store, behind nginx. Debian's packages `postgresql` and `nginx` bring what pip does not; all are
# started for the tests alone.
test-cluster: $(VENV)/.installed-cluster
	$(BIN)/python -m tests.cluster.postgresql $(PYTEST) -m "not slow" tests/cluster tests/scorer_app/store/test_postgresql.py

test-slow: $(VENV)/.installed-cluster
	$(BIN)/pytest -m slow --ignore tests/cluster
	$(BIN)/python -m tests.cluster.postgresql $(BIN)/pytest -m slow tests/cluster
	$(BIN)/python -m tests.cluster.postgresql $(BIN)/python -m tests.scorer_app.bench.bench_many_matches

# How much a cluster carries: what each operation costs, and ever more processes that read; on a quiet machine.
loadtest: $(VENV)/.installed-cluster
	$(BIN)/python -m tests.cluster.postgresql $(BIN)/python -m datasets.loadtest

# Hostile requests, slow sockets, kills, a full disk and a jumping clock, against a real server on this machine alone.
SECONDS := 900
attack: $(VENV)/.installed-attack
	$(BIN)/python -m tests.attack --seconds $(SECONDS)

# Accuracy on the labelled photographs (left out where they are absent), then speed and memory.
bench: $(VENV)/.installed-dev
	$(BIN)/python -m datasets.benchmark --plots --sheet
	$(BIN)/python -m datasets.benchmark.promise
	$(BIN)/python -m datasets.benchmark.scenes --plots
	$(BIN)/python -m datasets.benchmark.dealt_hands
	$(BIN)/python -m datasets.benchmark.dealt_hands --taught
	$(BIN)/python -m datasets.benchmark.own_set
	$(BIN)/python -m datasets.benchmark.ordinary_sets --sets 40 --seed 9300
	$(BIN)/python -m datasets.benchmark.ordinary_sets --sets 40 --seed 9430 --blurred 0.1
	$(BIN)/python -m datasets.benchmark.odd_sets
	$(BIN)/python -m datasets.benchmark.cards
	$(BIN)/python -m datasets.benchmark.speed
	$(BIN)/python -m datasets.benchmark.rules
	$(BIN)/python -m tests.scorer_app.bench.bench_page
	$(BIN)/python -m tests.scorer_app.bench.bench_taps
	$(BIN)/python -m tests.scorer_app.bench.bench_many_matches
	$(BIN)/python -m tests.scorer_app.bench.bench_live_page
	$(BIN)/python -m datasets.benchmark.live

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	$(call install,)
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed pyproject.toml
	$(call install,[dev])
	touch $@

$(VENV)/.installed-cluster: $(VENV)/.installed-dev pyproject.toml
	$(call install,[cluster$(comma)cluster-tests])
	touch $@

$(VENV)/.installed-attack: $(VENV)/.installed-dev pyproject.toml
	$(call install,[attack])
	touch $@

# Small changes of the code, each of which some test should notice; about 35 minutes on two slow cores,
# at most an hour. Whole files: `make mutants MUTANTS="engine/fixes.py"`.
MUTANTS :=
mutants: $(VENV)/.installed-mutants
	$(BIN)/python -m tests.mutants $(MUTANTS)

$(VENV)/.installed-mutants: $(VENV)/.installed-dev pyproject.toml
	$(call install,[mutants])
	touch $@

$(VENV)/.installed-train: $(VENV)/.installed pyproject.toml
	$(call install,[train])
	touch $@

# The folder whose networks a training begins with, and to which it writes its own. It begins as a copy of the shipped networks, which stay as
# they are: the limits in vision/ are fitted to them. CONTRIBUTING.md, "Networks trained anew", tells how a trained one takes their place.
MODELS := var/models
$(MODELS)/manifest.json:
	mkdir -p $(MODELS)
	cp models/*.onnx.gz $(MODELS)
	cp models/manifest.json $(MODELS)

# From nothing to the two networks: scenes, training, mining, tuning on the photographs of ../shared where present, temperatures,
# export, whole numbers. Goes on where it was broken off. `make training-assets` first; `make train MINUTES=10 MODELS=var/small` is a small run.
MINUTES := 150
train: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes --out var/training-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The networks of odd sets of tiles, from the usual ones in MODELS.
train-odd: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.odd --out var/training-odd-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The detector for views from low above the table, from the usual one in MODELS.
train-low: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.low --out var/training-low-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The detector for racks, from that for views from low in MODELS.
train-rack-detector: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.rack_detector --out var/training-rack-detector-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The detector for one VIEW further: tables, low or racks. A second run needs another SEED.
VIEW := tables
SEED := 302
train-further: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.further $(VIEW) --out var/training-$(VIEW)-$(SEED)-$(MINUTES) --models $(MODELS) --minutes $(MINUTES) --seed $(SEED)

# The network that tells the direction of 6s and 9s on racks, found and read by the networks of tiles in MODELS.
train-racks: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.racks --out var/training-racks-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The network that looks again at finds in doubt, of the networks of tiles in MODELS.
train-second-look: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.second_look --out var/training-second-look-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The networks of cards, from those of tiles in MODELS.
train-cards: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.cards --out var/training-cards-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The network that looks again at marks in doubt, of the networks of cards in MODELS.
train-card-second-look: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.card_second_look --out var/training-card-second-look-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The network that tells what lies beyond the ends of columns, of the networks of cards in MODELS.
train-column-ends: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.column_ends --out var/training-column-ends-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# The network that tells what lies between neighbours of a column, learnt from columns as the networks of cards in MODELS read them.
train-column-gaps: $(VENV)/.installed-train $(MODELS)/manifest.json
	$(BIN)/python -m models.recipes.column_gaps --out var/training-column-gaps-$(MINUTES) --models $(MODELS) --minutes $(MINUTES)

# Typefaces the rendered pieces are drawn with, artwork of cards, and photographs for under and behind them (Debian, as root); for
# training only.
training-assets:
	apt-get install --yes --no-install-recommends $$(cat datasets/faces/fonts.txt datasets/scene/photographs.txt datasets/cards/artwork.txt)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
