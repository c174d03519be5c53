-- What the queries of claims.toml read of AWST09's CSV files, in the order of the claims.

-- All lines with the algorithm as the tables name it, and priors without the offset of MAP, which runs one higher.
create table lines as
select r.rowid as line, r.*, round(alpha - (algorithm = 'map'), 8) as a, round(eta - (algorithm = 'map'), 8) as e,
  (study, K) = (select study, K from "awst09/runs" limit 1) as main,
  study = (select study from "awst09/runs" limit 1) as main_study, K = (select K from "awst09/runs" limit 1) as main_K,
  setting <> 'raised' and estimator in ('mean', 'own') as usual,
  algorithm || iif(schedule = case algorithm when 'cgs' then 'token' when 'vb' then '' else 'corpus' end, '',
    ' ' || schedule) || case start when 'cvb0' then ' from cvb0' when 'growing' then ' growing' else '' end ||
    case estimator when 'digamma' then ' (16)' when 'lowered' then ' lowered' else '' end as label,
  (100 + instr('ml map vb cvb cvb0 cgs', algorithm)) || schedule || ' ' || start || ' ' || estimator as place
from "awst09/runs" r;

-- The ends of runs, of VB those that fold in with the schedule of the run. Priors that are learned begin at 0.5.
create table ends as
select * from lines where "at" like 'end%' and (algorithm <> 'vb' or fold = schedule)
  and (setting <> 'minka' or alpha = 0.5);

-- The usual runs that learn both priors, from 0.5 as in the paper and from 0.1.
create table learned as
select *, min(line) over (partition by begin, study) as study_place,
  min(line) over (partition by begin, study, K) as corpus_place
from (select *, alpha as begin from lines where "at" like 'end%' and (algorithm <> 'vb' or fold = schedule)
  and setting = 'minka' and alpha in (0.5, 0.1) and usual);

-- The main study at alpha = eta = 0.1.
create table point as
select * from ends where main and setting = 'fixed' and algorithm <> 'ml' and a = 0.1 and e = 0.1;

-- Means there, also of VB that begins at the ends of CVB0.
create table gap as
select avg(iif(label = 'vb corpus', perplexity, null)) as vb, avg(iif(label = 'cvb0', perplexity, null)) as cvb0,
  avg(iif(label = 'vb corpus from cvb0', perplexity, null)) as from_cvb0,
  avg(iif(label = 'vb corpus', bound_2, null)) as bound,
  avg(iif(label = 'vb corpus from cvb0', bound_2, null)) as bound_from_cvb0 from point;

-- The points of the grid, with the ranks of their mean validation, and the runs at the best and the worst.
create table points as
select label, a, e, avg(perplexity) as mean, avg(validation) as validation,
  a in (0.1, 0.25, 0.5) and e in (0.1, 0.25, 0.5) as shared
from ends where main and setting = 'fixed' and start = 'dirichlet' and algorithm <> 'ml'
group by label, a, e having count(distinct seed) >= 3;

create table ranks as
select * from (
  select *, count(*) over (partition by label) as points,
    rank() over (partition by label order by validation) as best,
    rank() over (partition by label order by validation desc) as worst
  from points where shared
) where points = 9;

create table of_grid as
select x.*, best, worst from ends x join ranks using (label, a, e)
where main and setting = 'fixed' and start = 'dirichlet' and (best = 1 or worst = 1);

-- The runs at the best points; VB with the better of the estimates (15) and (16).
create table best as
with every as (
  select *, replace(label, ' (16)', '') as family, avg(validation) over (partition by label) as mean
  from of_grid where best = 1
)
select *, mean = min(mean) over (partition by family) as better from every;

-- The best eta of each seed at alpha = 0.5.
create table minima as
select label, algorithm, place, seed, lowest(e, perplexity) as eta from ends x
where main and setting = 'fixed' and start in ('dirichlet', 'one-hot') and algorithm not in ('ml', 'cgs') and a = 0.5
  and (select count(distinct e) from ends y where y.main and y.setting = 'fixed' and y.a = 0.5
    and y.label = x.label) > 3
group by label, seed;

-- The largest less the smallest perplexity of VB, CVB0 and a third, in each column of Fig. 8.
create table fig8 as
select 'point' as stage, label, place, seed, perplexity from point where usual
union all
select 'minka', label, place, seed, perplexity from ends where main and usual and setting = 'minka'
union all
select 'grid', family, place, seed, perplexity from best where better;

create table ranges as
select v.stage, v.label, o.label as third, seed, max(v.perplexity, c.perplexity, o.perplexity)
  - min(v.perplexity, c.perplexity, o.perplexity) as range,
  (select place from point where point.label = v.label) as place
from fig8 v join fig8 c using (stage, seed) join fig8 o using (stage, seed)
where v.label like 'vb%' and c.label = 'cvb0' and o.label in ('cvb', 'map');

-- Sweeps until a run is and remains within a part of its last perplexity.
create table arrivals as
with way as (
  select *, first_value(perplexity) over (partition by label, seed order by "at" desc) as last
  from lines where main and setting = 'minka' and alpha = 0.5 and typeof("at") = 'integer'
), late as (
  select label, place, seed, part, max(iif(abs(perplexity / last - 1) > part, "at", 0)) as late
  from way join (select column1 as part from (values (0.01), (0.05))) group by label, seed, part
)
select *, (select min("at") from way where way.label = late.label and way.seed = late.seed and "at" > late) as sweeps
from late;

create table searched as
select *, min(rowid) over (partition by study) as place from "search/runs" where seed <> 'mean';

-- Single runs, and with `seed` = 'all' the mean of their probabilities; `samples` is that of each chain.
create table averages as
select *, min(line) over (partition by study) as study_place from (
  select rowid as line, study, algorithm, schedule, estimator, samples, "of" as seed, perplexity, r_hat
  from "awst09/averages"
  union all
  select 10000 + rowid, study, algorithm, schedule, iif(algorithm = 'vb', 'mean', 'own'), 1,
    replace(seed, 'mean', 'all'), perplexity, null from "search/runs"
  where study in ('kos-40', 'kos', 'drawn', 'bars') and start = 'dirichlet' and "group" = 0 and schedule <> 'token'
  union all
  select 20000 + rowid, study, 'cgs', 'token', 'own', samples, chain, perplexity, r_hat from "search/chains"
  where study in ('kos-40', 'kos', 'drawn', 'bars')
) where algorithm <> 'ml' and estimator <> 'digamma';

create table gains as
select s.*, a.perplexity as average, s.perplexity / a.perplexity - 1 as gain, a.line as place,
  max(iif(s.algorithm = 'cgs', s.samples, null)) over (partition by s.study) as most,
  avg(s.perplexity) over (partition by s.study, s.algorithm, s.schedule, s.samples) as mean
from averages s join averages a using (study, algorithm, schedule, estimator, samples)
where s.seed <> 'all' and a.seed = 'all';

-- Half of the range of three or more seeds in every setting.
create table halves as
select algorithm || ' ' || schedule || ' (KOS)' as name, min(rowid) as place,
  (max(perplexity) - min(perplexity)) / 2 as half
from "search/runs"
where study = 'kos' and start = 'dirichlet' and "group" = 0 and seed in (0, 1, 2) and algorithm <> 'ml'
group by algorithm, schedule having count(*) > 2
union all
select label, 10000 + dense_rank() over (order by place), (max(perplexity) - min(perplexity)) / 2
from ends where main and usual and algorithm <> 'ml' and setting in ('fixed', 'minka')
group by label, setting, a, e having count(distinct seed) > 2;

create table parallel as
select 0 as place, 'kos-400' as study, iif(setting = 'minka', 'Minka''s update', '0.1, 0.1') as setting, schedule, seed,
  perplexity
from ends where main and algorithm = 'cvb0' and start = 'dirichlet'
  and (setting = 'minka' or (setting, a, e) = ('fixed', 0.1, 0.1))
union all
select place, study, '0.1, 0.1 from ' || start, schedule, seed, perplexity from searched where algorithm = 'cvb0';

-- The runs with areas at the best point by validation, of those with most runs.
create table areas as
select * from (
  select *, rank() over (partition by label order by runs desc, validation_mean) as best,
    (select count(*) from (select distinct a, e from ends y where y.label = p.label and y.auc is not null
      and y.K = 10)) as points
  from (select *, count(*) over point as runs, avg(validation) over point as validation_mean from ends
    where auc is not null and start in ('dirichlet', 'one-hot') and setting = 'fixed' and K = 10
    window point as (partition by label, a, e)) p
) where best = 1;

-- The same on half of Cranfield; VB with the better of the estimates (15) and (16).
create table halved as
select * from (
  select *, rank() over (partition by algorithm order by runs desc, validation_mean) as best
  from (select *, count(*) over point as runs, avg(validation) over point as validation_mean from ends
    where study = 'cranfield-490' and setting = 'fixed' window point as (partition by label, a, e))
) where best = 1;
