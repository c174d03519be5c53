-- What the queries of claims.toml read of BOO16's CSV files, in the order of the claims.

create table runs as
select *, min(rowid) over (partition by corpus, schedule, documents) as place
from "boo16/runs" where start = 'dirichlet';

-- The fall of a score from a sweep to the last.
create table falls as
select f.*, ln(f.perplexity / l.perplexity) as fall, ln(f.of_seen / l.of_seen) as fall_of_seen
from runs f join runs l using (corpus, schedule, K, documents, model, run)
where K = 6 and documents = 1000 and l.sweep = 50;

-- The ratio of the conjugate model to a baseline after the last sweep. It is to be below 1 below 3000 documents.
create table ratios as
select c.*, s.model as base, ln(c.perplexity / s.perplexity) as ratio, ln(c.of_seen / s.of_seen) as ratio_of_seen,
  ln(c.seconds / s.seconds) as ratio_of_seconds, iif(c.documents < 3000, -1, 1) as side,
  min(c.documents) over (partition by c.corpus, c.schedule, c.K = 6) as smallest,
  max(c.documents) over (partition by c.corpus, c.schedule, c.K = 6) as largest
from runs c join runs s using (corpus, schedule, K, documents, run, sweep)
where c.model = 'conjugate' and s.model in ('em2', 'em2 later') and sweep = 50;

create table outer as
select * from ratios where (documents = smallest and smallest < 3000) or (documents = largest and largest > 3000);

-- The distance of the ratio from 1: the mean over sizes of |log ratio|, of runs that have all sizes.
create table distances as
select corpus, schedule, K, base, run, avg(abs(ratio_of_seen)) as distance,
  min(K) over (partition by corpus, schedule) as fewest
from ratios r group by corpus, schedule, K, base, run
having count(*) = (select count(distinct documents) from ratios x
  where (x.corpus, x.schedule, x.K) = (r.corpus, r.schedule, r.K));
