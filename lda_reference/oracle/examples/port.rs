//! LDA inference in Rust, an example of a port that the oracle checks. One file, without crates:
//!
//!     rustc -O --edition 2021 -o port port.rs
//!     lda-reference oracle check --samplers -- ./port
//!
//! It reads one JSON case per line on stdin and writes one JSON answer per line on stdout. It has the algorithms cvb0,
//! cgs and vb. It recounts every sum from nothing for every row, which is slow and short; use it to test a faster version.

#![allow(non_snake_case)] // the papers' names

use std::io::{self, BufRead, Write};

type Table = Vec<Vec<f64>>;
type Answer<T> = Result<T, String>; // an error says why the input is refused

fn demand(legal: bool, text: impl FnOnce() -> String) -> Answer<()> {
    if legal {
        Ok(())
    } else {
        Err(text())
    }
}

// JSON: as much as the cases need -------------------------------------------------------------------------------------

enum Json {
    Nothing,
    Bool,
    Number(f64),
    Text(String), // escapes stay as they are: no name and no id has one
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        *self.text.get(self.at).unwrap_or(&0)
    }

    fn expect(&mut self, c: u8) -> Answer<()> {
        let found = self.peek() == c;
        self.at += 1;
        demand(found, || format!("not JSON: {} is missing", c as char))
    }

    fn string(&mut self) -> Answer<String> {
        self.expect(b'"')?;
        let start = self.at;
        while self.at < self.text.len() && self.text[self.at] != b'"' {
            self.at += if self.text[self.at] == b'\\' { 2 } else { 1 };
        }
        demand(self.at < self.text.len(), || "not JSON: a string without an end".into())?;
        self.at += 1;
        Ok(String::from_utf8_lossy(&self.text[start..self.at - 1]).into_owned())
    }

    fn value(&mut self) -> Answer<Json> {
        match self.peek() {
            b'"' => Ok(Json::Text(self.string()?)),
            b'[' => {
                let mut list = Vec::new();
                self.at += 1;
                while self.peek() != b']' {
                    if !list.is_empty() {
                        self.expect(b',')?;
                    }
                    list.push(self.value()?);
                }
                self.at += 1;
                Ok(Json::List(list))
            }
            b'{' => {
                let mut members = Vec::new();
                self.at += 1;
                while self.peek() != b'}' {
                    if !members.is_empty() {
                        self.expect(b',')?;
                    }
                    self.peek();
                    let key = self.string()?;
                    self.expect(b':')?;
                    members.push((key, self.value()?));
                }
                self.at += 1;
                Ok(Json::Object(members))
            }
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !b",]} \t\r\n".contains(&self.text[self.at]) {
                    self.at += 1;
                }
                match std::str::from_utf8(&self.text[start..self.at]).unwrap_or("") {
                    "null" => Ok(Json::Nothing),
                    "true" | "false" => Ok(Json::Bool),
                    word => word.parse().map(Json::Number).map_err(|_| format!("not JSON: {word:?} is no value")),
                }
            }
        }
    }
}

impl Json {
    /// A member of an object; nothing if there is none.
    fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => members.iter().find(|m| m.0 == name).map_or(&Json::Nothing, |m| &m.1),
            _ => &Json::Nothing,
        }
    }

    fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    fn number(&self, name: &str) -> Answer<f64> {
        match self {
            Json::Number(x) => Ok(*x),
            _ => Err(format!("{name} is missing or no number")),
        }
    }

    fn whole(&self, least: usize, name: &str) -> Answer<usize> {
        let x = self.number(name)?;
        demand(x >= least as f64 && x <= 1e9 && x.fract() == 0.0, || {
            format!("{name} is {x}, expected a whole number from {least}")
        })?;
        Ok(x as usize)
    }

    fn list(&self, name: &str) -> Answer<&Vec<Json>> {
        match self {
            Json::List(list) => Ok(list),
            _ => Err(format!("{name} is missing or no list")),
        }
    }

    fn numbers(&self, length: usize, name: &str) -> Answer<Vec<f64>> {
        let list = self.list(name)?;
        demand(list.len() == length, || format!("{name} has {} entries, expected {length}", list.len()))?;
        list.iter().map(|x| x.number(name)).collect()
    }

    fn wholes(&self, least: usize, name: &str) -> Answer<Vec<usize>> {
        self.list(name)?.iter().map(|x| x.whole(least, name)).collect()
    }
}

// The model of a case -------------------------------------------------------------------------------------------------

struct Model {
    sampler: bool, // cgs; its rows are its tokens, and their gamma is one-hot
    vb: bool,
    D: usize,
    W: usize,
    K: usize,
    j: Vec<usize>,
    w: Vec<usize>,
    n: Vec<f64>,
    alpha: Vec<f64>, // as vectors, also if they are numbers in the case
    eta: Vec<f64>,
    gamma: Table,
}

fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn one_hot(topic: usize, K: usize) -> Vec<f64> {
    (0..K).map(|k| if k == topic { 1.0 } else { 0.0 }).collect()
}

fn prior(x: &Json, size: usize, name: &str) -> Answer<Vec<f64>> {
    let a = match x {
        Json::List(_) => x.numbers(size, name)?,
        _ => vec![x.number(name)?; size],
    };
    match a.iter().find(|v| !(**v > 0.0 && v.is_finite())) {
        Some(v) => Err(format!("{name} is {v}, expected a positive number")),
        None => Ok(a),
    }
}

/// The row of the corpus of each token.
fn tokens(n: &[usize]) -> Vec<usize> {
    (0..n.len()).flat_map(|i| std::iter::repeat(i).take(n[i])).collect()
}

fn read(case: &Json) -> Answer<Model> {
    let (corpus, state) = (case.get("corpus"), case.get("state"));
    let (K, D, W) = (case.get("K").whole(1, "K")?, corpus.get("D").whole(0, "D")?, corpus.get("W").whole(0, "W")?);
    let (mut j, mut w) = (corpus.get("j").wholes(0, "j")?, corpus.get("w").wholes(0, "w")?);
    let mut n = corpus.get("n").wholes(1, "n")?;
    demand(j.len() == w.len() && j.len() == n.len(), || "j, w and n differ in length".into())?;
    for i in 0..j.len() {
        demand(j[i] < D && w[i] < W, || format!("row {i} has document {} and word {}, expected less", j[i], w[i]))?;
        demand(i == 0 || j[i - 1] <= j[i], || format!("row {i} has document {}, expected documents in order", j[i]))?;
    }
    let alpha = prior(case.get("prior").get("alpha"), K, "alpha")?;
    let eta = prior(case.get("prior").get("eta"), W, "eta")?;
    let sampler = case.get("algorithm").text() == "cgs";
    let mut gamma = Table::new();
    if sampler {
        let rows = tokens(&n);
        (j, w) = (rows.iter().map(|&i| j[i]).collect(), rows.iter().map(|&i| w[i]).collect());
        n = vec![1; rows.len()];
        if case.get("operation").text() != "sample" {
            let z = state.get("z").wholes(0, "z")?;
            demand(z.len() == j.len(), || format!("z has {} entries, expected one for each token", z.len()))?;
            demand(z.iter().all(|&k| k < K), || format!("z has a topic that is not below {K}"))?;
            gamma = z.iter().map(|&k| one_hot(k, K)).collect();
        }
    } else {
        for x in state.get("gamma").list("gamma")? {
            let x = x.numbers(K, "a row of gamma")?;
            let legal = x.iter().all(|&v| v >= 0.0) && (sum(&x) - 1.0).abs() <= 1e-9;
            demand(legal, || format!("a row of gamma is {x:?}, expected probabilities that sum to 1"))?;
            gamma.push(x);
        }
        demand(gamma.len() == j.len(), || "gamma must have a row for each row of the corpus".into())?;
    }
    let n = n.into_iter().map(|x| x as f64).collect();
    Ok(Model { sampler, vb: case.get("algorithm").text() == "vb", D, W, K, j, w, n, alpha, eta, gamma })
}

// Functions -----------------------------------------------------------------------------------------------------------

/// The digamma function of x > 0: the recurrence up to 10, then the asymptotic series.
fn digamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    shift + x.ln() - 0.5 / x - series.iter().rev().fold(0.0, |s, c| (s + c) * y)
}

/// log Gamma(2 + z) for |z| <= 1/2, by its power series.
fn near_two(z: f64) -> f64 {
    SERIES.iter().rev().fold(0.0, |s, c| (s + c) * z)
}

const SERIES: [f64; 29] = [
    0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
    0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939,
    9.945751278180853e-05, -4.492623673813314e-05, 2.050721277567069e-05, -9.439488275268397e-06,
    4.374866789907488e-06, -2.039215753801366e-06, 9.55141213040742e-07, -4.492469198764566e-07,
    2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08, -5.183475041970047e-09, 2.4836745438024785e-09, -1.1921401405860912e-09,
    5.731367241678862e-10, -2.7595228851242334e-10, 1.330476437424449e-10, -6.4229645638381e-11,
];

/// log Gamma(x) for x > 0, to 1e-15 of itself.
fn log_gamma(mut x: f64) -> f64 {
    if x >= 10.0 {
        let series = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360360.0, 1.0 / 156.0];
        let rest = series.iter().rev().fold(0.0, |s, c| s / (x * x) + c) / x;
        return (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + rest;
    }
    if x < 0.5 {
        return near_two(x) - x.ln_1p() - x.ln();
    }
    if x < 1.5 {
        return near_two(x - 1.0) - (x - 1.0).ln_1p();
    }
    let mut product = 1.0f64;
    while x > 2.5 {
        x -= 1.0;
        product *= x;
    }
    near_two(x - 2.0) + product.ln()
}

// The update ----------------------------------------------------------------------------------------------------------

/// The right-hand side of the update of a row, topic by topic.
fn weights(m: &Model, gamma: &Table, row: usize) -> Vec<f64> {
    let H = sum(&m.eta);
    let mut x = vec![0.0; m.K];
    for k in 0..m.K {
        let (mut N_jk, mut N_wk, mut N_k) = (0.0, 0.0, 0.0);
        for i in 0..m.n.len() {
            let remaining = if i == row && !m.vb { m.n[i] - 1.0 } else { m.n[i] }; // one token is excluded
            let mean = remaining * gamma[i][k];
            N_jk += if m.j[i] == m.j[row] { mean } else { 0.0 };
            N_wk += if m.w[i] == m.w[row] { mean } else { 0.0 };
            N_k += mean;
        }
        let (a, b, c) = (N_jk + m.alpha[k], N_wk + m.eta[m.w[row]], N_k + H);
        x[k] = match m.vb {
            true => digamma(a) + digamma(b) - digamma(c), // TNW06 (6), AWST09 (10)
            false => a * b / c,                           // cvb0 AWST09 (13), cgs TNW06 (8), AWST09 (14)
        };
    }
    if m.vb {
        let top = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max); // with the largest at 1, nothing overflows
        x.iter_mut().for_each(|v| *v = (*v - top).exp());
    }
    x
}

fn normalised(x: Vec<f64>) -> Vec<f64> {
    let total = sum(&x);
    x.iter().map(|v| v / total).collect()
}

/// The number of the first K-1 partial sums, added in topic order, that are <= u times the last.
fn draw(x: &[f64], u: f64) -> usize {
    let bar = u * sum(x);
    let mut partial = 0.0;
    x[..x.len() - 1].iter().filter(|v| { partial += **v; partial <= bar }).count()
}

/// One sweep.
fn sweep(m: &Model, mut gamma: Table, schedule: &str, uniforms: &[f64]) -> Table {
    let mut seen = gamma.clone();
    for i in 0..gamma.len() {
        if schedule == "token" || (schedule == "document" && (i == 0 || m.j[i] != m.j[i - 1])) {
            seen.clone_from(&gamma);
        }
        let x = weights(m, &seen, i);
        gamma[i] = if m.sampler { one_hot(draw(&x, uniforms[i]), m.K) } else { normalised(x) };
    }
    gamma
}

fn topics(gamma: &Table) -> Vec<f64> {
    gamma.iter().map(|x| x.iter().position(|&v| v == 1.0).unwrap_or(0) as f64).collect()
}

// Estimates -----------------------------------------------------------------------------------------------------------

/// N_jk, N_wk and N_k of the state.
fn counts(m: &Model) -> (Table, Table, Vec<f64>) {
    let (mut N_jk, mut N_wk, mut N_k) = (vec![vec![0.0; m.K]; m.D], vec![vec![0.0; m.K]; m.W], vec![0.0; m.K]);
    for i in 0..m.n.len() {
        for k in 0..m.K {
            let mean = m.n[i] * m.gamma[i][k];
            N_jk[m.j[i]][k] += mean;
            N_wk[m.w[i]][k] += mean;
            N_k[k] += mean;
        }
    }
    (N_jk, N_wk, N_k)
}

/// The posterior means, AWST09 (15).
fn estimate(m: &Model) -> (Table, Table) {
    let (N_jk, N_wk, N_k) = counts(m);
    let (A, H) = (sum(&m.alpha), sum(&m.eta));
    let theta = |N: &Vec<f64>| (0..m.K).map(|k| (N[k] + m.alpha[k]) / (sum(N) + A)).collect();
    let phi = |w: usize| (0..m.K).map(|k| (N_wk[w][k] + m.eta[w]) / (N_k[k] + H)).collect();
    (N_jk.iter().map(theta).collect(), (0..m.W).map(phi).collect())
}

/// E log Gamma(a + n), where n is the number of tokens of some rows that have topic k: at the mean of n for vb, and
/// over the distribution of n for cvb0.
fn expected(m: &Model, a: f64, k: usize, belongs: impl Fn(usize) -> bool) -> f64 {
    let rows = (0..m.n.len()).filter(|&i| belongs(i));
    if m.vb {
        return log_gamma(a + rows.map(|i| m.n[i] * m.gamma[i][k]).sum::<f64>());
    }
    let mut p = vec![1.0];
    for i in rows {
        let g = m.gamma[i][k];
        for _ in 0..m.n[i] as usize {
            p.push(0.0);
            for c in (0..p.len()).rev() {
                p[c] = (1.0 - g) * p[c] + if c > 0 { g * p[c - 1] } else { 0.0 };
            }
        }
    }
    p.iter().enumerate().map(|(c, q)| q * log_gamma(a + c as f64)).sum()
}

/// TNW06 (2) for vb, (12) for cvb0.
fn bound(m: &Model) -> f64 {
    let (A, H) = (sum(&m.alpha), sum(&m.eta));
    let mut total = 0.0;
    for j in 0..m.D {
        let N_j: f64 = (0..m.n.len()).filter(|&i| m.j[i] == j).map(|i| m.n[i]).sum();
        total += log_gamma(A) - log_gamma(A + N_j);
        for k in 0..m.K {
            total += expected(m, m.alpha[k], k, |i| m.j[i] == j) - log_gamma(m.alpha[k]);
        }
    }
    for k in 0..m.K {
        total += log_gamma(H) - expected(m, H, k, |_| true);
        for w in 0..m.W {
            total += expected(m, m.eta[w], k, |i| m.w[i] == w) - log_gamma(m.eta[w]);
        }
    }
    for (i, x) in m.gamma.iter().enumerate() {
        total -= m.n[i] * x.iter().filter(|&&g| g > 0.0).map(|g| g * g.ln()).sum::<f64>();
    }
    total
}

/// One step of Minka's fixed point, AWST09 §3.1, SN12 §10: of rows of counts, one column for each entry of the prior a.
fn minka(rows: &Table, a: &[f64], is_vector: bool, shape: f64, rate: f64) -> Vec<f64> {
    let A = sum(a);
    let total: f64 = rows.iter().map(|N| digamma(sum(N) + A) - digamma(A)).sum();
    let rise = |s: usize| rows.iter().map(|N| digamma(N[s] + a[s]) - digamma(a[s])).sum::<f64>();
    if is_vector {
        return (0..a.len()).map(|s| (shape - 1.0 + a[s] * rise(s)) / (rate + total)).collect();
    }
    let all: f64 = (0..a.len()).map(rise).sum();
    vec![(shape - 1.0 + a[0] * all) / (rate + a.len() as f64 * total)]
}

// Answers -------------------------------------------------------------------------------------------------------------

fn of_number(x: f64) -> String {
    if x.is_finite() {
        format!("{x:?}")
    } else {
        format!("\"{x}\"")
    }
}

fn of_list(x: &[f64]) -> String {
    format!("[{}]", x.iter().map(|&v| of_number(v)).collect::<Vec<_>>().join(","))
}

fn of_topics(x: &[f64]) -> String {
    format!("[{}]", x.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
}

fn of_table(x: &Table) -> String {
    format!("[{}]", x.iter().map(|row| of_list(row)).collect::<Vec<_>>().join(","))
}

fn of_prior(x: &[f64], is_vector: bool) -> String {
    if is_vector {
        of_list(x)
    } else {
        of_number(x[0])
    }
}

fn legal_schedule<'a>(m: &Model, case: &'a Json) -> Answer<&'a str> {
    let schedule = case.get("schedule").text();
    let legal = if m.sampler { &["token"][..] } else { &["token", "document", "corpus"][..] };
    demand(legal.contains(&schedule), || format!("schedule is {schedule:?}, expected one of {legal:?}"))?;
    Ok(schedule)
}

fn legal_uniforms(m: &Model, case: &Json) -> Answer<Vec<f64>> {
    let uniforms = case.get("uniforms").numbers(m.j.len(), "uniforms")?;
    demand(uniforms.iter().all(|u| (0.0..1.0).contains(u)), || "uniforms must be in [0, 1)".into())?;
    Ok(uniforms)
}

/// The row of an update or a draw; for a sampler that of its token.
fn row_of(m: &Model, case: &Json) -> Answer<usize> {
    let mut row = case.get("row").whole(0, "row")?;
    if m.sampler {
        let before: usize = case.get("corpus").get("n").wholes(1, "n")?.iter().take(row).sum();
        row = before + case.get("token").whole(0, "token")?;
    }
    demand(row < m.j.len(), || "row or token is none of the corpus".into())?;
    Ok(row)
}

fn predict(m: &Model, case: &Json) -> Answer<String> {
    let (theta, phi) = estimate(m);
    let test = case.get("test");
    let (j, w, n) = (test.get("j").wholes(0, "j")?, test.get("w").wholes(0, "w")?, test.get("n").wholes(1, "n")?);
    demand(j.iter().all(|&j| j < m.D) && w.iter().all(|&w| w < m.W), || "test: no such document or word".into())?;
    demand(j.len() == w.len() && j.len() == n.len(), || "test: j, w and n differ in length".into())?;
    let p: Vec<f64> = (0..j.len()).map(|i| (0..m.K).map(|k| theta[j[i]][k] * phi[w[i]][k]).sum()).collect(); // TNW06 (19)
    let logs: f64 = (0..j.len()).map(|i| n[i] as f64 * p[i].ln()).sum();
    let perplexity = (-logs / n.iter().sum::<usize>() as f64).exp(); // AWST09 §4
    Ok(format!("\"token_probability\":{},\"perplexity\":{}", of_list(&p), of_number(perplexity)))
}

fn hyperparameters(m: &Model, case: &Json) -> Answer<String> {
    let (N_jk, N_wk, _) = counts(m);
    let N_kw: Table = (0..m.K).map(|k| N_wk.iter().map(|N| N[k]).collect()).collect();
    let (prior, on) = (case.get("prior"), case.get("gamma_prior"));
    let (shape, rate) = (on.get("shape").number("shape")?, on.get("rate").number("rate")?);
    let side = |rows: &Table, a: &[f64], name: &str| {
        let is_vector = matches!(prior.get(name), Json::List(_));
        format!("\"{name}\":{}", of_prior(&minka(rows, a, is_vector, shape, rate), is_vector))
    };
    Ok(format!("{},{}", side(&N_jk, &m.alpha, "alpha"), side(&N_kw, &m.eta, "eta")))
}

/// Sweeps until no number changes by more than 1e-15, at most 10,000 times.
fn converged(m: &Model, schedule: &str) -> Table {
    let mut gamma = m.gamma.clone();
    for _ in 0..10_000 {
        let next = sweep(m, gamma.clone(), schedule, &[]);
        let change = |(a, b): (&Vec<f64>, &Vec<f64>)| (0..m.K).fold(0.0, |most: f64, k| most.max((a[k] - b[k]).abs()));
        let most = gamma.iter().zip(&next).map(change).fold(0.0, f64::max);
        gamma = next;
        if most <= 1e-15 {
            break;
        }
    }
    gamma
}

/// splitmix64: the next uniform number in [0, 1), of 53 bits.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *state;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// Consecutive sweeps of collapsed Gibbs sampling, from any start and after a burn-in.
fn sample(m: &Model, case: &Json) -> Answer<String> {
    let draws = case.get("draws").whole(0, "draws")?;
    let mut state = case.get("seed").number("seed")? as u64;
    let mut gamma: Table = m.j.iter().map(|_| one_hot((uniform(&mut state) * m.K as f64) as usize, m.K)).collect();
    let mut z = Vec::new();
    for t in 0..200 + draws {
        let uniforms: Vec<f64> = m.j.iter().map(|_| uniform(&mut state)).collect();
        gamma = sweep(m, gamma, "token", &uniforms);
        if t >= 200 {
            z.push(of_topics(&topics(&gamma)));
        }
    }
    Ok(format!("\"z\":[{}]", z.join(",")))
}

/// The fields of the answer, as JSON without the braces.
fn answer(case: &Json) -> Answer<String> {
    let (algorithm, operation) = (case.get("algorithm").text(), case.get("operation").text());
    let known = match operation {
        "update" | "sweep" | "reject" | "estimate" | "predict" | "hyperparameters" => ["cvb0", "cgs", "vb"].contains(&algorithm),
        "ten_sweeps" | "converged" | "bound" => ["cvb0", "vb"].contains(&algorithm),
        "draw" | "sample" => algorithm == "cgs",
        _ => false,
    };
    let schedule = case.get("schedule").text();
    let unknown = operation != "reject" && !["", "token", "document", "corpus"].contains(&schedule);
    if !known || unknown {
        return Ok(format!("\"skip\":\"no {operation} of {algorithm} here{}\"", if unknown { " in this schedule" } else { "" }));
    }
    let m = read(case)?;
    let gamma = |x: Table| format!("\"gamma\":{}", of_table(&x));
    Ok(match operation {
        "update" => format!("\"gamma_k\":{}", of_list(&normalised(weights(&m, &m.gamma, row_of(&m, case)?)))),
        "draw" => {
            let u = case.get("uniform").number("uniform")?;
            format!("\"topic\":{}", draw(&weights(&m, &m.gamma, row_of(&m, case)?), u))
        }
        "sweep" | "reject" => {
            let uniforms = if m.sampler { legal_uniforms(&m, case)? } else { Vec::new() };
            let new = sweep(&m, m.gamma.clone(), legal_schedule(&m, case)?, &uniforms);
            if m.sampler {
                format!("\"z\":{}", of_topics(&topics(&new)))
            } else {
                gamma(new)
            }
        }
        "ten_sweeps" => {
            let schedule = legal_schedule(&m, case)?;
            gamma((0..10).fold(m.gamma.clone(), |g, _| sweep(&m, g, schedule, &[])))
        }
        "converged" => gamma(converged(&m, legal_schedule(&m, case)?)),
        "estimate" => {
            let (theta, phi) = estimate(&m);
            format!("\"theta_jk\":{},\"phi_wk\":{}", of_table(&theta), of_table(&phi))
        }
        "predict" => predict(&m, case)?,
        "bound" => format!("\"bound\":{}", of_number(bound(&m))),
        "hyperparameters" => hyperparameters(&m, case)?,
        _ => sample(&m, case)?,
    })
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let case = Reader { text: line.as_bytes(), at: 0 }.value();
        let fields = case.as_ref().map_err(String::clone).and_then(answer);
        let fields = fields.unwrap_or_else(|why| format!("\"error\":\"{}\"", why.replace(['\\', '"'], "'")));
        writeln!(out, "{{\"id\":\"{}\",{fields}}}", case.as_ref().map_or("", |case| case.get("id").text()))?;
        out.flush()?;
    }
    Ok(())
}
