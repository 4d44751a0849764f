-- SPDX-License-Identifier: GPL-2.0-only
-- A client of PostgreSQL, which connects, waits for the file go, prints $DONE after
-- its queries, and stays connected until go is gone
\! echo ready >&2
\! until [ -e go ]; do sleep 0.1; done
select md5(repeat(repeat('x', 1000), 20000));
select count(*) from generate_series(1, 100000) a where a % 7 = 3;
\! echo $DONE >&2
\! while [ -e go ]; do sleep 0.1; done
