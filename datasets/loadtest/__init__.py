"""How much a cluster carries: `python -m datasets.loadtest` over a PostgreSQL.

`scaling` measures how many photographs a growing number of reading processes read a second, with a
reader that only sleeps, and the universal scalability law is fitted to that; `operations` counts
what each operation costs. CAPACITY.md in `scorer_app/serving/deploy` derives from them how many
machines a load needs.
"""
