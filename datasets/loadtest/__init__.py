"""How much a cluster carries: `python -m datasets.loadtest` over a PostgreSQL.

`scaling` has photographs read by ever more processes whose reader only sleeps, and fits the
universal scalability law; `operations` counts what each operation costs. CAPACITY.md, beside the
units of `scorer_app/serving/deploy`, derives from them how many machines a load needs.
"""
