"""MALLET's ParallelTopicModel: collapsed Gibbs sampling in Java."""

import re
from functools import cache, partial
from itertools import chain
from pathlib import Path
from subprocess import STDOUT
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import digamma

from figures.peers import built_cases
from figures.peers.conformance_cases import prior_of, tokens_of

from . import Case, built, corpus, only_numbers, output, rows

NAME, VERSION, MALLET = "MALLET", "2.1.1", built("mallet/bin/mallet")
PATH = f"{MALLET.parents[1]}/target/classes:{MALLET.parents[1]}/target/dependency/*"
ASK = r"""
import cc.mallet.topics.*; import cc.mallet.types.*; import cc.mallet.util.Randoms; import java.util.*;
class Ask {
  static Scanner in = new Scanner(System.in).useLocale(Locale.ROOT);
  static double[] numbers(int n) { return java.util.stream.DoubleStream.generate(in::nextDouble).limit(n).toArray(); }
  static void print(double... x) { for (double v : x) System.out.print(v + " "); }
  public static void main(String[] ask) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    double[] x = numbers(8); int K = (int) x[0], W = (int) x[1], D = (int) x[2], n = (int) x[4];
    ParallelTopicModel m = new ParallelTopicModel(K, x[3] * K, x[3]);
    m.alpha = numbers(K); m.alphaSum = Arrays.stream(m.alpha).sum();
    Alphabet words = new Alphabet(); for (int w = 0; w < W; w++) words.lookupIndex("w" + w);
    InstanceList docs = new InstanceList(words, null); double[][] z = new double[D][];
    int[] lengths = new int[9999]; int[][] counts = new int[K][9999];
    for (int d = 0; d < D; d++) {
      FeatureSequence f = new FeatureSequence(words); int N = in.nextInt(); int[] N_k = new int[K];
      for (double w : numbers(N)) f.add((int) w);
      docs.add(new Instance(f, null, "d" + d, null)); z[d] = numbers(N); lengths[N]++;
      for (double k : z[d]) N_k[(int) k]++;
      for (int k = 0; k < K; k++) counts[k][N_k[k]]++;
    }
    m.addInstances(docs);
    for (int d = 0; d < D; d++)
      for (int t = 0; t < z[d].length; t++) m.data.get(d).topicSequence.getFeatures()[t] = (int) z[d][t];
    m.buildInitialTypeTopicCounts();
    switch (ask[0]) {
      case "alpha" -> {
        try { Dirichlet.learnParameters(m.alpha, counts, lengths, x[5], 1 / x[6], 1); }
        catch (RuntimeException negative) { Arrays.fill(m.alpha, 1); } // as optimizeAlpha does
        print(m.alpha);
      }
      case "eta" -> { m.setNumThreads(0); m.optimizeBeta(new WorkerCallable[0]); print(m.beta); }
      case "likelihood" -> print(m.modelLogLikelihood());
      case "theta" -> { for (int d = 0; d < D; d++) print(m.getTopicProbabilities(d)); }
      case "phi" -> m.printTopicWordWeights(new java.io.PrintWriter(System.out, true));
      case "evidence" -> {
        MarginalProbEstimator estimator = m.getProbEstimator(); estimator.setRandomSeed(1);
        estimator.evaluateLeftToRight(docs, n, x[7] > 0, System.out);
      }
      case "infer" -> {
        TopicInferencer inferencer = m.getInferencer(); inferencer.setRandomSeed((int) x[7]);
        for (Instance d : docs) print(inferencer.getSampledDistribution(d, n, 10, 10));
      }
      case "sample" -> {
        WorkerCallable sweep = new WorkerCallable(K, m.alpha, m.alphaSum, m.beta, new Randoms((int) x[7] + 1), m.data,
          m.typeTopicCounts, m.tokensPerTopic, 0, D);
        sweep.makeOnlyThread();
        StringBuilder out = new StringBuilder();
        for (int t = -100; t < n; t++) {
          sweep.call();
          if (t >= 0) for (TopicAssignment d : m.data)
            for (int i = 0; i < d.topicSequence.size(); i++) out.append(d.topicSequence.getIndexAtPosition(i) + " ");
        }
        System.out.println(out);
      }
    }
  }
}
"""


@cache
def compiled() -> TemporaryDirectory:
    """The folder of the compiled class, which goes when Python ends."""
    folder = TemporaryDirectory()
    Path(folder.name, "Ask.java").write_text(ASK)
    output("javac", "-cp", PATH, "-d", folder.name, f"{folder.name}/Ask.java")
    return folder


def ask(case: Case, question: str, n: int = 0, seed: int = 0) -> np.ndarray:
    if question == "alpha":  # which does not depend on eta
        case = case | {"prior": case["prior"] | {"eta": 1}}
    only_numbers(case, "eta")
    (j, w), D, p = tokens_of(case), case["corpus"]["D"], case.get("gamma_prior", {"shape": 1, "rate": 1})
    z, alpha = case.get("state", {}).get("z", [0] * len(j)), prior_of(case)[0]
    sent_numbers = [case["K"], case["corpus"]["W"], D, case["prior"]["eta"], n, p["shape"], p["rate"], seed, *alpha]
    for d in range(D):
        tokens = [i for i, x in enumerate(j) if x == d]
        sent_numbers += [len(tokens), *(w[i] for i in tokens), *(z[i] for i in tokens)]
    java_command = "java", "-XX:TieredStopAtLevel=1", "-cp", f"{compiled().name}:{PATH}", "Ask"
    told_text = output(*java_command, question, text=" ".join(map(str, sent_numbers)))
    return np.array(re.sub(r"\d+\tw\d+\t", "", told_text).split(), float)


def sample(case: Case) -> Case:
    return {"z": ask(case, "sample", case["draws"], case["seed"]).reshape(case["draws"], -1).astype(int).tolist()}


def estimate(case: Case) -> Case:
    phi_kw = ask(case, "phi").reshape(case["K"], -1)
    return {"theta_jk": ask(case, "theta").reshape(-1, case["K"]), "phi_wk": (phi_kw / phi_kw.sum(1)[:, None]).T}


def log_joint(case: Case) -> Case:
    return {"log_joint": ask(case, "likelihood")[0]}


def evidence(case: Case, particles: int = 20_000, again: int = 0) -> Case:
    return {"log_evidence": ask(case, "evidence", particles, again)}


def infer(case: Case) -> Case:
    return {"theta_jk": ask(case, "infer", 100).reshape(-1, case["K"])}


def alpha_step(case: Case) -> Case:
    return {"alpha": ask(case, "alpha")}


def best_eta(case: Case) -> Case:
    return {"eta": ask(case, "eta")[0]}


# Reproductions -------------------------------------------------------------------------------------------------------


def a_document_of_one_word():
    with TemporaryDirectory() as folder:
        text_path, instances_path = Path(folder, "texts"), Path(folder, "instances")
        text_path.write_text("0 x apple\n")
        output(MALLET, "import-file", "--input", text_path, "--output", instances_path, "--keep-sequence")
        options = ["--num-topics", "1", "--alpha", "5", "--num-iterations", "10"]
        log_text = output(MALLET, "train-topics", "--input", instances_path, *options, stderr=STDOUT)
    return {"theirs": float(re.findall(r"LL/token: (\S+)", log_text)[-1]), "of_length_two": np.log(5 + 1)}


def case_of(documents, topics, K, W, **prior_fields):
    """A case whose documents are lists of words; their topics are lists as well."""
    j = [d for d, words in enumerate(documents) for _ in words]
    corpus_fields = {"j": j, "w": [*chain(*documents)], "n": [1] * len(j), "D": len(documents), "W": W}
    return {"corpus": corpus_fields, "K": K, "state": {"z": [*chain(*topics)]}, **prior_fields}


def the_same_words_in_another_order():
    word_lists = [[0] * 50 + [1] * 50, [0] * 50 + [2] * 50, [0] * 6 + [2] * 3, [2] * 3 + [0] * 6]  # 0 is in both topics
    case = case_of(word_lists, [[0] * 100, [1] * 100, [1] * 9, [1] * 9], 2, 3, prior={"alpha": 0.1, "eta": 0.01})
    right_log_p = built_cases.evidence(case, {})["log_evidence"][2]
    (last, first), (again, _) = (ask(case, "evidence", 50_000, x)[2:] for x in (0, 1))
    return {"last": last, "first": first, "again": again, "right": right_log_p}


def a_step_for_five_documents():
    case = case_of([[0] * 4] * 5, [[0, 0, 0, 1]] * 5, 2, 1, prior={"alpha": 1, "eta": 1})
    N_jk, (shape, rate) = np.array([[3, 1]] * 5), (1.001, 1)  # those of its training
    alpha = ask(case | {"gamma_prior": {"shape": shape, "rate": rate}}, "alpha")
    digamma_rise = (digamma(N_jk + 1) - digamma(1)).sum(0)
    right_alpha = (shape - 1 + digamma_rise) / (rate + 5 * (digamma(4 + 2) - digamma(2)))
    return {"theirs": alpha[0], "right": right_alpha[0]}


def two_topics_of_few_words():
    case = case_of([[0] * 8 + [1] * 2, [1] * 9 + [2] * 3], [[0] * 10, [1] * 12], 2, 3, prior={"alpha": 1, "eta": 0.5})
    return {"theirs": ask(case, "eta")[0], "right": built_cases.best_eta(case, {})["eta"]}


def nine_states():
    X = corpus()
    word_lists = [np.repeat(np.arange(200), x).tolist() for x in X[:10]]
    case = case_of(word_lists, [[w % 5 for w in x] for x in word_lists], 5, 200, prior={"alpha": 0.1, "eta": 0.1})
    theta_pairs = {n: [ask(case, "infer", n, seed).reshape(-1, 5) for seed in (1, 2)] for n in (100, 10_000)}
    return {f"of_{n}": np.abs(a - b).max() for n, (a, b) in theta_pairs.items()}


evidence_again = partial(evidence, again=1)
ROWS = rows(globals())
