/* Mistakes of porters in C that are in no list: CVB0, VB and MAP, with one of them or two.
 *
 *     cc -O2 -std=c99 -I lda_reference/oracle/examples -o planted planted.c -lm
 *     ./planted                            the right port
 *     ./planted ID, or ID+ID               with one mistake or two
 *     ./planted list                       the ids, their algorithms and the truth about each
 *
 * It reads and prints as the example port does, and has its own updates, sweeps and estimates.
 */

#define main main_of_the_example
#include <port.c> /* of the examples; this file may have the same name */
#undef main

static const char *const MISTAKES[][3] = {
    /* the id, the algorithms that are asked, the truth */
    {"topic-sums-carried", "cvb0 vb", "The sum of topic k begins with those of the topics before: it is not set to 0."},
    {"sums-kept", "cvb0 map", "The sums of words of the case before are added: their table is not set to 0."},
    {"half-copied", "cvb0 vb", "A refresh copies half of the bytes, so that the last rows keep the gamma from before the sweep."},
    {"corpus-copied-once", "cvb0 vb map", "In corpus order all sweeps see the gamma from before the first sweep."},
    {"words-for-documents", "cvb0 vb", "In document order the sums are refreshed where the word changes, and not the document."},
    {"integer-abs", "cvb0 vb", "The change of gamma is taken by abs of whole numbers, so that the first sweep is the last."},
    {"whole-W-eta", "cvb0 vb", "W eta is truncated to a whole number."},
    {"whole-alpha", "cvb0 map", "alpha is truncated to a whole number where it is above 1."},
    {"last-topic-not-summed", "cvb0 map", "The sum that normalises gamma leaves out the last topic."},
    {"float-product", "cvb0 map", "The weights are in single precision, and all sums in double."},
    {"float-digamma", "vb", "The digamma function takes its argument in single precision."},
    {"words-modulo-four", "cvb0 map", "The numbers of words are taken modulo 4, so that words share their sums."},
    {"rows-for-topics", "cvb0 vb", "The sum of a topic counts each row once; the other two count tokens."},
    {"first-topics-sum", "cvb0 vb", "phi of every topic is divided by the sum of the first topic."},
    {"theta-by-alpha", "cvb0 vb", "theta is divided by N_j + K alpha_k instead of N_j and the sum of alpha."},
    {"float-logs", "cvb0 vb map", "The logarithms of the perplexity are added up in single precision."},
    {"whole-mean-log", "cvb0 vb", "The mean logarithm of the perplexity is a quotient of whole numbers."},
    {"log-of-tgamma", "vb", "log Gamma(x) is the logarithm of Gamma(x), which is infinite above 171."},
    {"entropy-of-tokens", "vb", "The entropy is multiplied by the row's count twice."},
    {"sweeps-in-three-bits", "cvb0 vb", "Sweeps are counted in three bits, so that ten are two."},
};

static const char *chosen = "";

/* Whether the port makes this mistake. */
static int is(const char *name)
{
    const char *found = strstr(chosen, name);
    size_t length = strlen(name);
    return found != NULL && (found == chosen || found[-1] == '+') && (found[length] == '\0' || found[length] == '+');
}

/* The update ------------------------------------------------------------------------------------------------------- */

#define WORDS 100000 /* the entries of the table of words */

static double N_wk[WORDS]; /* of the case before */

/* N_jk, N_wk and N_k of a row in the gamma that it sees, with what CVB0 excludes. */
static void sums_of(const Model *m, const double *gamma, int row, int k, double *N)
{
    int less = m->name == CVB0, shared = is("words-modulo-four");
    double carried = is("topic-sums-carried") ? N[2] : 0;
    N[0] = N[1] = N[2] = 0;
    for (int i = 0; i < m->M; i++) {
        double g = gamma[i * m->K + k], mean = (m->n[i] - (i == row) * less) * g;
        if (m->j[i] == m->j[row])
            N[0] += mean;
        if (shared ? m->w[i] % 4 == m->w[row] % 4 : m->w[i] == m->w[row])
            N[1] += mean;
        N[2] += is("rows-for-topics") ? (i != row || !less) * g : mean;
    }
    N[2] += carried;
    if (is("sums-kept") && m->w[row] * m->K + k < WORDS)
        N[1] += N_wk[m->w[row] * m->K + k];
}

static double planted_digamma(double x)
{
    return digamma(is("float-digamma") ? (float)x : x);
}

static void new_row(const Model *m, const double *gamma, int row, double *x)
{
    double N[3] = {0, 0, 0}, top = -INFINITY, total = 0, H = is("whole-W-eta") ? (int)m->W_eta : m->W_eta;
    for (int k = 0; k < m->K; k++) {
        double alpha = is("whole-alpha") && m->alpha[k] > 1 ? (int)m->alpha[k] : m->alpha[k];
        sums_of(m, gamma, row, k, N);
        double a = N[0] + alpha, b = N[1] + m->eta[m->w[row]], c = N[2] + H;
        if (m->name == MAP)
            x[k] = (a - 1) * (b - 1) / (c - m->W); /* AWST09 (5) */
        else if (m->name == CVB0)
            x[k] = a * b / c; /* AWST09 (13) */
        else
            x[k] = planted_digamma(a) + planted_digamma(b) - planted_digamma(c); /* TNW06 (6) */
        if (is("float-product"))
            x[k] = (float)x[k];
        top = fmax(top, x[k]);
    }
    for (int k = 0; k < m->K; k++) {
        x[k] = m->name == VB ? exp(x[k] - top) : x[k];
        if (k < m->K - 1 || m->K == 1 || !is("last-topic-not-summed"))
            total += x[k];
    }
    for (int k = 0; k < m->K; k++)
        x[k] /= total;
}

/* Sweeps ----------------------------------------------------------------------------------------------------------- */

static void one_sweep(const Model *m, double *gamma, double *seen, Schedule schedule, int number)
{
    size_t size = (size_t)(m->M * m->K) * sizeof *gamma;
    if (number == 0 || schedule != BY_CORPUS || !is("corpus-copied-once"))
        memcpy(seen, gamma, size);
    for (int i = 0; i < m->M; i++) {
        const int *part = is("words-for-documents") ? m->w : m->j;
        if (i > 0 && (schedule == BY_TOKEN || (schedule == BY_DOCUMENT && part[i] != part[i - 1])))
            memcpy(seen, gamma, is("half-copied") ? size / 2 : size);
        new_row(m, seen, i, gamma + i * m->K);
    }
}

static double change(const double *a, const double *b, int size)
{
    double most = 0;
    for (int i = 0; i < size; i++)
        most = fmax(most, is("integer-abs") ? abs((int)(a[i] - b[i])) : fabs(a[i] - b[i]));
    return most;
}

static void sweeps(const Model *m, Schedule schedule, Operation operation)
{
    int size = m->M * m->K, times = operation == CONVERGED ? 10000 : operation == TEN_SWEEPS ? 10 : 1;
    double *seen = numbers(size), *old = numbers(size);
    if (is("sweeps-in-three-bits") && operation == TEN_SWEEPS)
        times &= 7;
    for (int t = 0; t < times; t++) {
        memcpy(old, m->gamma, (size_t)size * sizeof *old);
        one_sweep(m, m->gamma, seen, schedule, t);
        if (operation == CONVERGED && change(old, m->gamma, size) <= 1e-15)
            break;
    }
}

/* Estimates -------------------------------------------------------------------------------------------------------- */

static void estimates(const Model *m, double *theta, double *phi)
{
    int K = m->K, first = is("first-topics-sum"), less = m->name == MAP;
    Counts N = counts(m);
    for (int i = 0; i < m->D * K; i++) {
        int j = i / K, k = i % K;
        double A = is("theta-by-alpha") ? K * m->alpha[k] : m->sum_alpha;
        theta[i] = (N.jk[i] + m->alpha[k] - less) / (N.j[j] + A - less * K); /* AWST09 (15), (6) */
    }
    for (int i = 0; i < m->W * K; i++)
        phi[i] = (N.wk[i] + m->eta[i / K] - less) / (N.k[first ? 0 : i % K] + m->W_eta - less * m->W);
}

static void predict(const Model *m, const Json *test)
{
    int K = m->K, M = member(test, "j")->length;
    double *j = list_of(member(test, "j"), M, "j"), *w = list_of(member(test, "w"), M, "w");
    double *n = list_of(member(test, "n"), M, "n"), *theta = numbers(m->D * K), *phi = numbers(m->W * K);
    double *p = numbers(M), logs = 0;
    estimates(m, theta, phi);
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < K; k++)
            p[i] += theta[(int)j[i] * K + k] * phi[(int)w[i] * K + k]; /* TNW06 (19) */
        logs += n[i] * log(p[i]);
        logs = is("float-logs") ? (float)logs : logs;
    }
    answer_list("token_probability", p, M);
    answer_number("perplexity", exp(is("whole-mean-log") ? -(int)logs / (int)sum(n, M) : -logs / sum(n, M)));
}

static double planted_bound(const Model *m)
{
    double total = bound(m), more = 0;
    for (int i = 0; i < m->M * m->K && is("entropy-of-tokens"); i++)
        if (m->gamma[i] > 0)
            more -= m->n[i / m->K] * (m->n[i / m->K] - 1) * m->gamma[i] * log(m->gamma[i]);
    Counts N = counts(m);
    for (int j = 0; j < m->D && is("log-of-tgamma"); j++) /* the same total, but for what overflows */
        total += lgamma(m->sum_alpha + N.j[j]) - log(tgamma(m->sum_alpha + N.j[j]));
    return total + more;
}

/* The port --------------------------------------------------------------------------------------------------------- */

static int able(Algorithm name, Operation operation, Schedule schedule)
{
    int in_sweeps = operation == SWEEP || operation == TEN_SWEEPS || operation == CONVERGED;
    if (name != CVB0 && name != VB && name != MAP)
        return 0;
    return operation == UPDATE || operation == ESTIMATE || operation == PREDICT || (operation == BOUND && name == VB)
        || (in_sweeps && (schedule == BY_TOKEN || schedule == BY_DOCUMENT || schedule == BY_CORPUS));
}

static void answer_case(const Json *problem)
{
    Operation operation = (Operation)place(OPERATIONS, text_of(problem, "operation"));
    Algorithm name = (Algorithm)place(ALGORITHMS, text_of(problem, "algorithm"));
    Schedule schedule = (Schedule)place(SCHEDULES, text_of(problem, "schedule"));
    begin();
    if (!able(name, operation, schedule)) {
        puts(",\"skip\":\"not in this port\"}");
        return;
    }
    const Model *m = read_model(problem, name);
    double *x = numbers(m->K), *theta = numbers(m->D * m->K), *phi = numbers(m->W * m->K);
    if (operation == UPDATE) {
        new_row(m, m->gamma, (int)number_of(problem, "row"), x);
        answer_list("gamma_k", x, m->K);
    } else if (operation == ESTIMATE) {
        estimates(m, theta, phi);
        answer_table("theta_jk", theta, m->D, m->K);
        answer_table("phi_wk", phi, m->W, m->K);
    } else if (operation == PREDICT) {
        predict(m, member(problem, "test"));
    } else if (operation == BOUND) {
        answer_number("bound", planted_bound(m));
    } else {
        sweeps(m, schedule, operation);
        answer_table("gamma", m->gamma, m->M, m->K);
    }
    memset(N_wk, 0, sizeof N_wk);
    memcpy(N_wk, counts(m).wk, sizeof *N_wk * (size_t)(m->W * m->K < WORDS ? m->W * m->K : WORDS));
    puts("}");
}

int main(int arguments, char **words)
{
    int known = (int)(sizeof MISTAKES / sizeof *MISTAKES), all = 0;
    chosen = arguments > 1 ? words[1] : "";
    for (int i = 0; i < known && strcmp(chosen, "list") == 0; i++)
        printf("%s\t%s\t%s\n", MISTAKES[i][0], MISTAKES[i][1], MISTAKES[i][2]);
    for (int i = 0; i < known; i++)
        all += is(MISTAKES[i][0]);
    if (chosen[0] != '\0' && all == 0 && strcmp(chosen, "list") != 0)
        return 2; /* there is no such mistake */
    while (strcmp(chosen, "list") != 0 && (at = read_line()) != NULL) {
        id = "";
        if (setjmp(refused) == 0) {
            const Json *problem = read_value();
            id = text_of(problem, "id");
            answer_case(problem);
        } else {
            printf(",\"error\":\"%s\"}\n", reason);
        }
        fflush(stdout);
        give_back();
    }
    return 0;
}
