/* Mistakes that were seen in public code, in C: updates and sweeps of CVB and CVB0, the E step and the bounds of VB.
 *
 *     cc -O2 -std=c99 -I lda_reference/oracle/examples -o seen seen.c -lm
 *     ./seen                               the right port
 *     ./seen NAME                          with one of the mistakes
 *     ./seen list                          their names
 *
 * It reads and prints as the example port does.
 */

#define main main_of_the_example
#include <port.c> /* of the examples; this file may have the same name */
#undef main

static const char *const NAMES[] = {
    "topic-total-of-document", "document-counts-normalised", "gamma-of-length-one", "K-eta-for-W-eta",
    "variance-drifts", "entropy-subtracted", "document-term-constant", "stale-topics",
};

static const char *chosen = "";

static int is(const char *name)
{
    return strcmp(chosen, name) == 0;
}

/* Updates and sweeps ----------------------------------------------------------------------------------------------- */

/* What is kept of row i and topic k: a variance for each token, and what updates have added to it too much. */
static double *extra;

static double variance(const Model *m, int i, int k)
{
    double g = m->gamma[i * m->K + k];
    return g - g * g;
}

static int in_document(const Model *m, int word, int document)
{
    for (int i = m->M - 1; i >= 0; i--)
        if (m->w[i] == word && m->j[i] == document)
            return 1;
    return 0;
}

static double mass(const Model *m, int row, int k)
{
    double mean[3] = {0, 0, 0}, spread[3] = {0, 0, 0}, length = 0, g = m->gamma[row * m->K + k];
    for (int i = m->M - 1; i >= 0; i--) {
        int belongs[3] = {m->j[i] == m->j[row], m->w[i] == m->w[row], 1};
        if (is("topic-total-of-document"))
            belongs[2] = in_document(m, m->w[i], m->j[row]);
        for (int part = 0; part < 3; part++)
            if (belongs[part]) {
                mean[part] += m->gamma[i * m->K + k] * m->n[i];
                spread[part] += variance(m, i, k) * m->n[i] + extra[i * m->K + k];
            }
        length += belongs[0] ? m->n[i] : 0;
    }
    for (int part = 0; part < 3; part++)
        if (!is("document-counts-normalised"))
            mean[part] -= g, spread[part] -= variance(m, row, k);
    double eta = m->eta[m->w[row]];
    mean[0] = m->alpha[k] + (is("document-counts-normalised") ? mean[0] / length : mean[0]);
    mean[1] += eta;
    mean[2] += is("K-eta-for-W-eta") ? eta * m->K : m->W_eta;
    double x = mean[1] * mean[0] / mean[2];
    if (m->name == CVB)
        for (int part = 0; part < 3; part++)
            x *= exp((part < 2 ? -0.5 : 0.5) * spread[part] / mean[part] / mean[part]);
    return x;
}

static void new_topics(const Model *m, int row, double *x)
{
    double total = 0;
    for (int k = m->K - 1; k >= 0; k--) {
        x[k] = mass(m, row, k);
        total += is("gamma-of-length-one") ? x[k] * x[k] : x[k];
    }
    for (int k = 0; k < m->K; k++)
        x[k] /= is("gamma-of-length-one") ? sqrt(total) : total;
}

static void by_token(const Model *m)
{
    double *x = numbers(m->K);
    for (int i = 0; i < m->M; i++) {
        new_topics(m, i, x);
        for (int k = 0; k < m->K; k++) {
            m->gamma[i * m->K + k] = x[k];
            if (is("variance-drifts"))
                extra[i * m->K + k] += m->n[i] * (x[k] - variance(m, i, k));
        }
    }
}

/* Variational Bayes ------------------------------------------------------------------------------------------------ */

static double bound_of_gamma(const Model *m)
{
    double uncertain = 0;
    for (int i = m->M * m->K - 1; i >= 0; i--)
        uncertain -= m->gamma[i] > 0 ? m->gamma[i] * log(m->gamma[i]) * m->n[i / m->K] : 0;
    return bound(m) - (is("entropy-subtracted") ? 2 * uncertain : 0);
}

static void iterations_from(const Model *m, double *a, const double *b, int times)
{
    int K = m->K;
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < m->D * K && is("document-term-constant"); i++)
            a[i] = (double)m->D / K + m->alpha[i % K];
        e_step(m, a, b, 1);
        for (int i = 0; i < m->D * K && is("document-term-constant"); i++)
            a[i] += (double)m->D / K;
    }
}

/* With topics before an M step, the terms that cancel after it are left out. */
static double bound_of_parameters(const Model *m, const double *a, const double *b)
{
    int K = m->K;
    double *log_theta = numbers(m->D * K), *log_phi = numbers(m->W * K), *x = numbers(K), *after = numbers(m->W * K);
    double total = elbo(m, a, b);
    expected_logs(m, a, b, log_theta, log_phi);
    for (int i = m->M - 1; i >= 0; i--) {
        best_gamma(m, i, log_theta, log_phi, x);
        for (int k = 0; k < K; k++)
            after[m->w[i] * K + k] += x[k] * m->n[i];
    }
    for (int i = m->W * K - 1; i >= 0 && is("stale-topics"); i--)
        total -= (after[i] + m->eta[i / K] - b[i]) * log_phi[i];
    return total;
}

/* The port --------------------------------------------------------------------------------------------------------- */

static int able(Algorithm name, Operation operation, const char *schedule)
{
    if (name == VB)
        return operation == BOUND || operation == E_STEP || operation == ELBO;
    return (name == CVB || name == CVB0) && (operation == UPDATE || (operation == SWEEP && strcmp(schedule, "token") == 0));
}

static void answer_case(const Json *problem)
{
    Operation operation = (Operation)place(OPERATIONS, text_of(problem, "operation"));
    Algorithm name = (Algorithm)place(ALGORITHMS, text_of(problem, "algorithm"));
    begin();
    if (!able(name, operation, text_of(problem, "schedule"))) {
        puts(",\"skip\":\"not in this port\"}");
        return;
    }
    const Model *m = read_model(problem, name);
    double *x = numbers(m->K);
    extra = numbers(m->M * m->K);
    if (operation == UPDATE) {
        new_topics(m, (int)number_of(problem, "row"), x);
        answer_list("gamma_k", x, m->K);
    } else if (operation == SWEEP) {
        by_token(m);
        answer_table("gamma", m->gamma, m->M, m->K);
    } else if (operation == BOUND) {
        answer_number("bound", bound_of_gamma(m));
    } else {
        double *a = table_of(member(problem, "alpha_jk"), m->D, m->K, "alpha_jk");
        double *b = table_of(member(problem, "eta_wk"), m->W, m->K, "eta_wk");
        if (operation == ELBO) {
            answer_number("bound", bound_of_parameters(m, a, b));
        } else {
            iterations_from(m, a, b, (int)number_of(problem, "iterations"));
            answer_table("alpha_jk", a, m->D, m->K);
        }
    }
    puts("}");
}

int main(int arguments, char **words)
{
    int known = (int)(sizeof NAMES / sizeof *NAMES);
    chosen = arguments > 1 ? words[1] : "";
    for (int i = 0; i < known && is("list"); i++)
        puts(NAMES[i]);
    while (!is("list") && (at = read_line()) != NULL) {
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
