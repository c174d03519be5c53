-- What the queries of claims.toml read of SOL14's CSV files, in the order of the claims.

-- The ways of VB as the paper describes it, in two schedules and with the start of its code, and others.
create table ways as
select column1 as way, column2 as place, column2 <= 3 as of_paper from (values ('vb nested', 1), ('vb corpus', 2),
  ('vb published, with counts', 3), ('vb nested, no counts', 4), ('vb published', 5), ('cvb0', 6), ('ml', 7));

-- Runs on R8, without the lines of their averages.
create table r8 as
select r.*, place, of_paper from "sol14/runs" r left join ways using (way) where data = 'r8' and seed <> 'mean';

-- The longest chains of each sampler: averaged estimates, one sample, or probabilities averaged over all chains.
create table chains as
with every as (
  select data, sampler, sweeps, chain as seed, kind, samples, r_hat, log_joint_half, log_joint, ll, completion,
    accuracy, mse from "sol14/chains"
  union all
  select data, replace(sampler, ' tomotopy', ''), sweeps, seed, 'estimates', 0, null, null, null, ll, null, accuracy, mse from "sol14/fits"
), of_use as (select * from every where kind = 'estimates' or samples = 1)
select * from of_use e where sweeps = (select max(sweeps) from of_use x
  where (x.data, x.sampler, x.kind, x.seed = 'all') = (e.data, e.sampler, e.kind, e.seed = 'all'));

-- The mean of the runs on each synthetic corpus.
create table synthetic as
select data, way, way as name, avg(ll) as ll, avg(accuracy) as accuracy, avg(mse) as mse, avg(bound_2) as bound_2
from "sol14/runs" where data <> 'r8' group by data, way
union all
select data, sampler, sampler, avg(ll), avg(accuracy), avg(mse), null from chains
where data <> 'r8' and kind = 'estimates' group by data, sampler;

-- The distance of each number from the median of its algorithm.
create table distances as
with every as (
  select 'R8' as place, way as name, seed, ll, accuracy, completion, null as mse from r8 r
  where start = (select start from r8 x where x.way = r.way order by start = 'dirichlet' desc, start)
  union all
  select 'R8', sampler, seed, ll, accuracy, completion, null from chains
  where data = 'r8' and kind = 'probabilities' and seed <> 'all'
  union all
  select 'synthetic', name, data, ll, accuracy, null, mse from synthetic
), long as (
  select place, name, seed, criterion, case criterion when 'll' then ll when 'accuracy' then accuracy
    when 'completion' then completion else mse end as y
  from every join (select column1 as criterion from (values ('ll'), ('accuracy'), ('completion'), ('mse')))
)
select long.*, abs((y - middle) / middle) as distance
from long join (select place, name, criterion, median(y) as middle from long group by 1, 2, 3)
using (place, name, criterion) where y is not null;

create table optima as
select way, start, place, max(bound_2) - min(bound_2) as range, spread(bound_2, ',.4f') as bound, spread(ll) as ll,
  spread(completion) as completion from r8 where of_paper group by way, start having count(bound_2) > 2;

create table mixing as
select sampler, count(r_hat) as count, sweeps, r_hat,
  spread(log_joint_half, ',.4f') as half, spread(log_joint, ',.4f') as last
from chains where data = 'r8' and kind = 'probabilities' and seed <> 'all'
group by sampler having count(r_hat) > 1;

create table sparsity as
with means as (select data = 'r8' as r8, avg(1.0 * pairs / words) as mean from "sol14/corpora" group by data = 'r8')
select iif(r8, 'R8', 'synthetic') as name, mean, iif(r8, 29, 95) as printed from means
where (select count(*) from means) = 2;

create table bootstrap as
select truth, draw, replace(way, ' tomotopy', '') as way, ll, accuracy, min(rowid) over (partition by truth) as place
from "sol14/bootstrap";

-- R-hat of the second half of the chains of tomotopy.
create table long_r_hat as
with ordered as (select * from "sol14/long" order by chain, sweep)
select count(distinct chain) as chains, max(sweep) as sweeps, 'log p(x, z)' as function,
  r_hat(chain, log_joint) as r_hat from ordered
union all
select count(distinct chain), max(sweep), 'training tokens', r_hat(chain, log_tokens) from ordered;
