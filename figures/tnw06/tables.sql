-- What the queries of claims.toml read of TNW06's CSV files, in the order of the claims.

-- The lines of Fig. 1. A run of VB from CVB's end follows that of CVB, whose start its own is to name.
create table fig1 as
select f.rowid as line, f.*,
  corpus || ', K = ' || case corpus when 'kos' then 8 when 'nips' then 40 else 10 end as label,
  start || iif(start like 'end of cvb %', (
    select iif(c.start = 'dirichlet', '', ' from ' || c.start) from "tnw06/fig1" c
    where c.algorithm = 'cvb' and c.rowid < f.rowid order by c.rowid desc limit 1), '') as begin
from "tnw06/fig1" f where seed not in ('mean', 'all');

-- Where the runs of Fig. 1 end. The later starts have another rule for it, so their sweeps are not compared.
create table fig1_ends as
select max(line) as line, label, corpus, algorithm, schedule, begin as start, seed, bound, bound_2, bound_12, test,
  averaged, settled, iif(first = 0, sweep, null) as sweep
from fig1 group by corpus, algorithm, schedule, begin, seed;

-- Fig. 2: a number of documents of KOS. `seed` is an order of the documents, of all documents a seed.
create table sizes as
select documents, algorithm, schedule, start, "order" as seed, min(rowid) as line, avg(test) as test,
  avg(iif(algorithm = 'vb', bound_2, bound_12)) as bound, avg(bound_12) as bound_12
from "tnw06/fig2" where corpus = 'kos' group by documents, algorithm, schedule, start, "order"
union all
select 3430, algorithm, schedule, start, seed, line, test, bound, bound_12 from fig1_ends
where corpus = 'kos' and (algorithm, schedule, start) in (select algorithm, schedule, start from "tnw06/fig2");

-- The corpora of the study of search.
create table studies as
select column1 as study, column1 || ', K = ' || column2 as corpus
from (values ('bars', 10), ('drawn', 8), ('kos', 10), ('r8', 8), ('nips', 40));

-- All ends: of Figs. 1 and 2, and of the runs and cross-starts of the study of search.
-- Of two with one start the last counts.
create table every as
select 1 as part, line, label as corpus, algorithm, schedule, start, seed, bound, bound_12, test, sweep
from fig1_ends
union all
select 2, line, 'kos, ' || documents || ' documents, K = 8', algorithm, schedule, start, seed, bound, bound_12, test,
  null
from sizes where documents < 3430
union all
select 3, r.rowid, corpus, algorithm, schedule, start, seed, value, bound_12, -ln(perplexity), sweeps
from "search/runs" r join studies using (study) where seed <> 'mean' and perplexity <> 'inf'
union all
select 4, r.rowid, corpus, "to", to_schedule, 'end of ' || "from" || ' ' || from_schedule, seed, value_after,
  bound_12_after, -ln(perplexity_after), sweeps
from "search/cross" r join studies using (study) where "from" in ('cvb0', 'map', 'ml', 'cgs');

-- `goes_on` is the start of a run of VB that goes on from here.
create table ends as
select *, min(part * 100000 + line) over (partition by corpus) as place, start in ('dirichlet', 'one-hot') as random,
  'end of cvb ' || schedule || iif(start = 'dirichlet', '', ' from ' || start) as goes_on,
  iif(start like 'end of cvb %', ' from CVB''s ends', '') as continued
from (select *, row_number() over (partition by corpus, algorithm, schedule, start, seed order by part desc) as back
  from every) where back = 1;

-- Sweeps of each run until the log probability of test words is 0.01 below the median end of a kind of VB's runs.
create table arrivals as
select label as corpus, f.algorithm, f.schedule, begin as start, seed, begin in ('dirichlet', 'one-hot') as random,
  level.schedule as vb_schedule, level.start as vb_start, level.place, passing(sweep, test, near) as sweeps
from fig1 f join (select corpus, schedule, start, min(place) as place, median(test) - 0.01 as near from ends
  where algorithm = 'vb' and start not like 'end of%' group by corpus, schedule, start) level on level.corpus = label
where f.algorithm in ('cvb', 'vb')
group by label, f.algorithm, f.schedule, begin, seed, vb_schedule, vb_start;

-- The lead of CVB over VB at each number of documents.
create table leads as
select a.documents, a.schedule, b.schedule as vb_schedule, b.start, a.seed, a.bound - b.bound as bound,
  a.bound_12 - b.bound_12 as bound_12, a.test - b.test as test, a.start as cvb_start,
  iif(b.start like 'end of cvb %', ' from CVB''s ends', '') as continued,
  min(a.documents) over pair as fewest, max(a.documents) over pair as most,
  max(iif(a.documents < 3430, a.documents, null)) over pair as largest_part
from sizes a join sizes b using (documents, seed)
where a.algorithm = 'cvb' and b.algorithm = 'vb' and (a.start = b.start
  or b.start = 'end of cvb ' || a.schedule || iif(a.start = 'dirichlet', '', ' from ' || a.start))
window pair as (partition by a.schedule, a.start, b.schedule, b.start);

-- Chains of collapsed Gibbs sampling, each with the mean probability over its samples.
create table chains as
select label as corpus, seed, averaged as test from fig1_ends where algorithm = 'cgs'
union all
select corpus, chain, -ln(perplexity) from "search/chains" c join studies using (study)
where chain <> 'all' and samples = (select max(samples) from "search/chains" x where x.study = c.study);

create table mixed as
select 'R-hat of log p(x, z) on kos is ' || shown(r_hat(seed, bound), '.2f') || ' (' || count(distinct seed) ||
  ' chains of ' || (count(bound) / count(distinct seed)) || ' sweeps).' as text
from (select seed, bound from fig1 where corpus = 'kos' and algorithm = 'cgs' order by seed, sweep);

-- 0.01 nats less the largest error of (17), by E[n].
create table taylor as
select low, high, 0.01 - max(abs(error_second_order)) as left
from "tnw06/taylor" join (select column1 as low, column2 as high from (values (0, 1), (1, 10), (10, 100), (100, 'inf')))
on N * g >= low and N * g < high where a = 0.1 group by low;

-- The least of (12) less (2) at the ends of each algorithm.
create table inequality as
select corpus, algorithm, min(least) as least, min(part) as part, min(line) as line from (
  select 1 as part, corpus, algorithm, bound_12 - bound_2 as least, line from fig1 where settled is not null
  union all
  select 2, study, algorithm, bound_12 - bound_2, rowid from "search/runs" where value is not null
) where least is not null group by corpus, algorithm;

-- The cost of exact CVB by the seconds of a row at the two largest sizes, which are extended as a power of the tokens to
-- the training tokens of KOS. The log of the factor is over CVB's seconds of a row, which do not grow.
create table scaling as
with sizes as (select large.*, small.seconds as seconds_small, cvb.seconds as seconds_cvb,
    ln(large.seconds / small.seconds) / ln(1.0 * large.tokens / small.tokens) as slope
  from "tnw06/scaling" large join "tnw06/scaling" small using (seed, method) join "tnw06/scaling" cvb using (seed, tokens)
  where large.tokens = 3000 and small.tokens = 1500 and cvb.method = 'cvb')
select *, ln(seconds / seconds_cvb) + slope * ln(420739.0 / tokens) as log_factor from sizes where method <> 'cvb';
