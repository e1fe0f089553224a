"""How much a cluster carries: `python -m datasets.loadtest` with the URL of a PostgreSQL.

`scaling` measures how many photographs a second a growing number of reading processes read, with a
reader that only sleeps; `scaling_law` fits the universal scalability law to these figures.
`operations` measures what each operation costs. From both results CAPACITY.md in
`scorer_app/serving/deploy` derives how many machines a load needs.
"""
