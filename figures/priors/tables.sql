-- What the queries of rows.toml read of priors/runs.csv.

-- All lines by start and prior. cgs has one start, and ml and map have no learned prior: they stand beside both. The
-- perplexity of ml can be infinite, and its nats are then null.
create table ways as
select r.corpus, r.seed, r.algorithm, b.column1 as begin, p.column1 as prior, r.sweeps, r.seconds, r.alpha, r.eta,
  ln(nullif(r.perplexity, 'inf')) as nats, ln(r.by_16) as nats_16, instr('ml map vb cvb0 cvb cgs ', r.algorithm || ' ') as place,
  upper(r.algorithm) as label
from "priors/runs" r
join (values ('recommended'), ('common')) b on r.begin = b.column1 or r.algorithm = 'cgs'
join (values ('fixed'), ('learned')) p on r.prior = p.column1 or r.algorithm in ('ml', 'map');

-- The last sweep of each run.
create table ends as
select * from (
  select *, max(sweeps) over (partition by corpus, seed, algorithm, begin, prior) as last from ways)
where sweeps = last;

-- Of the four algorithms that can learn a prior, by unit, start and prior: their range, and the worst of them.
create table ranges as
select corpus, seed, begin, prior, max(nats) - min(nats) as range, max(nats) as worst,
  'range' as label
from ends where algorithm in ('vb', 'cvb0', 'cvb', 'cgs') group by corpus, seed, begin, prior having count(*) = 4;

-- What learning gains each of them, with the range at the fixed prior.
create table gains as
select l.*, f.nats - l.nats as gain, range
from ends l join ends f using (corpus, seed, algorithm, begin) join ranges r using (corpus, seed, begin)
where l.prior = 'learned' and f.prior = 'fixed' and r.prior = 'fixed' and l.algorithm in ('vb', 'cvb0', 'cvb', 'cgs');

-- When each of them passes the perplexity at which the worst of them ends: sweeps, and milliseconds of CPU time.
create table arrivals as
select w.corpus, w.seed, w.algorithm, w.begin, w.prior, label, place, passing(w.sweeps, -nats, -worst) as sweeps,
  passing(w.seconds * 1000, -nats, -worst) as milliseconds
from (select corpus, seed, begin, prior, worst from ranges) join ways w using (corpus, seed, begin, prior)
where w.algorithm in ('vb', 'cvb0', 'cvb', 'cgs') group by w.corpus, w.seed, w.algorithm, w.begin, w.prior;

-- What the table of perplexities has.
create table perplexities as
select label || iif(begin = 'common', ', common start', '') as label, corpus, prior, coalesce(exp(nats), 9e999) as perplexity
from ends
where (algorithm <> 'cgs' or begin = 'recommended') and (algorithm not in ('ml', 'map') or prior = 'fixed')
order by begin = 'common', place;

-- What the sentences of the page read: VB less CVB0, learned less fixed, how often CVB0 is worst, and priors by validation.
create table leads as
select v.begin, v.prior, median(v.nats - c.nats) as lead from ends v join ends c using (corpus, seed, begin, prior)
where v.algorithm = 'vb' and c.algorithm = 'cvb0' group by v.begin, v.prior;

create table costs as
select algorithm, begin, median(-gain) as cost, median(alpha) as alpha, sum(alpha > 5) as large, count(*) as runs
from gains group by algorithm, begin;

create table worst as
select prior, sum(nats = worst) as number, count(*) as units
from ends join ranges using (corpus, seed, begin, prior) where algorithm = 'cvb0' group by prior;

create table validated as
select v.corpus, v."group", median(ln(v.perplexity / c.perplexity)) as lead
from "search/experiment" v join "search/experiment" c using (corpus, split, seed, "group", arm)
where v.objective = 'vb' and c.objective = 'cvb0' and arm = 'random' and v.seed in (0, 1) group by v.corpus, v."group";
