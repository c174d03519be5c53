-- What the queries of claims.toml read of SN12's CSV files, in the order of the claims.

-- `token` runs stop after 100 sweeps, so one of their two lines is enough. `gap` is by how much CVB is above CVB0.
create table settings as
select r.*, g.gap, instr('token block corpus nested', r.schedule) as place,
  r.schedule = 'token' and r.start = 'dirichlet' and r.stopped = '100' as paper
from "sn12/runs" r left join (
  select c.study, c.T, c.schedule, c.start, c.stopped, avg(c.perplexity - o.perplexity) as gap
  from "sn12/runs" c join "sn12/runs" o using (study, T, schedule, start, stopped, seed)
  where c.algorithm = 'cvb' and o.algorithm = 'cvb0' group by 1, 2, 3, 4, 5
) g using (study, T, schedule, start, stopped)
where not (schedule = 'token' and stopped = 'end');

-- CVB0 over types and over tokens from the same start: the largest part by which their perplexities differ.
create table types as
select t.study, t.T, t.stopped, count(*) as runs, max(abs(t.perplexity / o.perplexity - 1)) as apart
from settings t join settings o using (study, T, schedule, start, stopped, seed)
where t.algorithm = 'cvb0' and o.algorithm = 'cvb0-tokens' and schedule = 'corpus'
group by t.study, t.T, t.start, t.stopped;

create table shares as
select g.gap / d.gap as part from settings g join settings d using (study, T, schedule, stopped)
where g.start = 'growing' and d.start = 'dirichlet';

-- Of each corpus the extreme perplexities of each algorithm where its runs end.
create table extremes as
select study || ', T = ' || T as corpus, algorithm, min(perplexity) as low, max(perplexity) as high
from "sn12/runs" where stopped = 'end' group by study, T, algorithm;
