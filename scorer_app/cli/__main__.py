"""`python -m scorer_app.cli` does what the console script `burako` does."""

from scorer_app.cli.main import main

raise SystemExit(main())
