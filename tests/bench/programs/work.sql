-- SPDX-License-Identifier: GPL-2.0-only
-- Joins, groups and recursive queries of tables in memory
create table a(id integer primary key, x int, y text);
create table b(id integer primary key, a int, z real);
with recursive c(i) as (select 1 union all select i + 1 from c where i < 13000)
	insert into a select i, i * 7919 % 1013, 'name' || i from c;
with recursive c(i) as (select 1 union all select i + 1 from c where i < 13000)
	insert into b select i, i * 31 % 13000, i / 3.0 from c;
create index ax on a(x);
select count(*), sum(z) from a join b on b.a = a.id where x between 100 and 900;
select y, count(*) from a group by substr(y, 1, 6) order by 2 desc, 1 limit 3;
select count(*) from a where y like '%99%' or x in (select a % 1013 from b where z > 500);
with recursive q(i, s) as (select 1, 'x' union all
	select i + 1, substr(s || i, 1, 50) from q where i < 33000)
	select max(length(s)) from q;
