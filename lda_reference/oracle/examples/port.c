/* LDA inference in C, an example of a port that the oracle checks. One file, C99 and its mathematical library:
 *
 *     cc -O2 -std=c99 -o port port.c -lm
 *     lda-reference oracle check --samplers -- ./port
 *
 * It reads one JSON case per line on stdin and writes one JSON answer per line on stdout. It recounts every sum from
 * nothing for every row, which is slow and short; use it to test a faster version. Arrays are flat, with the last index
 * fastest: N_jk[j * K + k].
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory, which is freed after each case --------------------------------------------------------------------------- */

typedef union Block { union Block *next; double align; } Block;

static Block *blocks;
static jmp_buf refused;    /* to where a case is refused */
static char reason[200];

static void refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    longjmp(refused, 1);
}

static void *get(size_t size)
{
    Block *b = calloc(1, sizeof(Block) + size);
    if (b == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    b->next = blocks;
    blocks = b;
    return b + 1;
}

static double *numbers(int n)
{
    return get((size_t)n * sizeof(double));
}

static int *wholes(int n)
{
    return get((size_t)n * sizeof(int));
}

static void give_back(void)
{
    while (blocks != NULL) {
        Block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* JSON: as much as the cases need ---------------------------------------------------------------------------------- */

typedef enum { NOTHING, NUMBER, STRING, LIST, OBJECT } Type;

typedef struct Json {
    Type type;
    double number;
    const char *text, *key;       /* of a STRING; of a member of an OBJECT */
    struct Json *first, *next;    /* of a LIST or OBJECT its first entry; the entry after this one */
    int length;
} Json;

static const char *at; /* where the reader stands */

static void skip_space(void)
{
    at += strspn(at, " \t\r\n");
}

static const char *read_string(void)
{
    const char *end = at + 1;
    while (*end != '"' && *end != '\0')
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    if (*end == '\0')
        refuse("not JSON: a string without an end");
    size_t length = (size_t)(end - at - 1);
    char *s = get(length + 1);
    memcpy(s, at + 1, length); /* escapes stay as they are: no name and no id has one */
    at = end + 1;
    return s;
}

static Json *read_value(void)
{
    Json *x = get(sizeof *x);
    skip_space();
    if (*at == '"') {
        x->type = STRING;
        x->text = read_string();
    } else if (*at == '[' || *at == '{') {
        char end = *at == '[' ? ']' : '}';
        Json **last = &x->first;
        x->type = *at == '[' ? LIST : OBJECT;
        at++;
        for (skip_space(); *at != end; skip_space()) {
            const char *key = NULL;
            if (x->length > 0 && *at++ != ',')
                refuse("not JSON: a comma is missing");
            skip_space();
            if (x->type == OBJECT) {
                if (*at != '"')
                    refuse("not JSON: a name is missing");
                key = read_string();
                skip_space();
                if (*at++ != ':')
                    refuse("not JSON: a colon is missing");
            }
            *last = read_value();
            (*last)->key = key;
            last = &(*last)->next;
            x->length++;
        }
        at++;
    } else if (strncmp(at, "null", 4) == 0) {
        at += 4;
    } else {
        char *end;
        x->type = NUMBER;
        x->number = strtod(at, &end);
        if (end == at)
            refuse("not JSON: a value is missing");
        at = end;
    }
    return x;
}

static const Json *member(const Json *x, const char *name)
{
    if (x != NULL && x->type == OBJECT)
        for (const Json *m = x->first; m != NULL; m = m->next)
            if (strcmp(m->key, name) == 0)
                return m;
    return NULL;
}

static const char *text_of(const Json *x, const char *name)
{
    const Json *m = member(x, name);
    return m != NULL && m->type == STRING ? m->text : "";
}

static double number_of(const Json *x, const char *name)
{
    const Json *m = member(x, name);
    if (m == NULL || m->type != NUMBER)
        refuse("%s is missing or no number", name);
    return m->number;
}

/* A whole number, from `from`. */
static int whole(double x, int from, const char *name)
{
    if (!(x >= from && x <= 1e9 && x == floor(x)))
        refuse("%s is %g, expected a whole number from %d", name, x, from);
    return (int)x;
}

/* A list of numbers; its length must be the given one unless that is negative. */
static double *list_of(const Json *x, int length, const char *name)
{
    if (x == NULL || x->type != LIST || (length >= 0 && x->length != length))
        refuse("%s is no list, or not of length %d", name, length);
    double *out = numbers(x->length);
    int i = 0;
    for (const Json *m = x->first; m != NULL; m = m->next) {
        if (m->type != NUMBER)
            refuse("%s has an entry that is no number", name);
        out[i++] = m->number;
    }
    return out;
}

/* Rows of numbers, one after the other. */
static double *table_of(const Json *x, int rows, int columns, const char *name)
{
    if (x == NULL || x->type != LIST || x->length != rows)
        refuse("%s is no list, or not of length %d", name, rows);
    double *out = numbers(rows * columns);
    int i = 0;
    for (const Json *m = x->first; m != NULL; m = m->next)
        memcpy(out + columns * i++, list_of(m, columns, name), (size_t)columns * sizeof *out);
    return out;
}

/* The model of a case ---------------------------------------------------------------------------------------------- */

typedef enum { ML, MAP, VB, VEM, GIBBS, CGS, CVB, CVB0, TCVB0, CVB1D, LDA, NO_ALGORITHM } Algorithm; /* LDA: the model */
typedef enum { BY_TOKEN, BY_DOCUMENT, BY_CORPUS, BY_BLOCK, NESTED, INTERLEAVED, NO_SCHEDULE } Schedule;
typedef enum {
    UPDATE, DRAW, SWEEP, REJECT, TEN_SWEEPS, CONVERGED, SUMMARY, ESTIMATE, PREDICT, BOUND, HYPERPARAMETERS, SAMPLE,
    E_STEP, M_STEP, ELBO, FOLD_IN, LOG_JOINT, NO_OPERATION
} Operation;

static const char *const ALGORITHMS[] = {
    "ml", "map", "vb", "vem", "gibbs", "cgs", "cvb", "cvb0", "tcvb0", "cvb1d", "lda", NULL};
static const char *const SCHEDULES[] = {"token", "document", "corpus", "block", "nested", "interleaved", NULL};
static const char *const OPERATIONS[] = {
    "update", "draw", "sweep", "reject", "ten_sweeps", "converged", "summary", "estimate", "predict", "bound",
    "hyperparameters", "sample", "e_step", "m_step", "elbo", "fold_in", "log_joint", NULL};

/* The place of a name in a list; the number of names if it is not in the list. */
static int place(const char *const *names, const char *name)
{
    int i = 0;
    while (names[i] != NULL && strcmp(names[i], name) != 0)
        i++;
    return i;
}

typedef struct {
    Algorithm name;
    int sampler;
    int D, W, K, M;              /* documents, words, topics, rows */
    int *j, *w, *n;              /* the rows; those of a sampler are its tokens */
    double *alpha, *eta;         /* as vectors */
    double sum_alpha, W_eta;     /* K alpha and W eta where they are all alike */
    double *gamma;               /* M x K; of a sampler one-hot */
    double *theta, *phi;         /* of gibbs: D x K, W x K */
    double *held;                /* phi of fold_in, W x K; otherwise NULL */
    int blocks, inner;           /* of the schedules block and nested */
    const double *outer;         /* in a nested sweep, the gamma of the sums of words and corpus */
} Model;

static double sum(const double *x, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

static double *prior_of(const Json *x, int size, double least, const char *name)
{
    double *a = numbers(size);
    if (x != NULL && x->type == LIST)
        a = list_of(x, size, name);
    else if (x != NULL && x->type == NUMBER)
        for (int i = 0; i < size; i++)
            a[i] = x->number;
    for (int i = 0; i < size; i++)
        if (!(a[i] > least && isfinite(a[i])))
            refuse("%s is %g, expected a number above %g", name, a[i], least);
    return a;
}

/* The row of the corpus of each token; the result is the number of tokens. */
static int tokens_of(const Model *m, int **row)
{
    int N = 0, t = 0;
    for (int i = 0; i < m->M; i++)
        N += m->n[i];
    *row = wholes(N);
    for (int i = 0; i < m->M; i++)
        for (int copy = 0; copy < m->n[i]; copy++)
            (*row)[t++] = i;
    return N;
}

static void read_rows(Model *m, const Json *corpus)
{
    const Json *list = member(corpus, "j");
    m->D = whole(number_of(corpus, "D"), 0, "D");
    m->W = whole(number_of(corpus, "W"), 0, "W");
    m->M = list != NULL ? list->length : 0;
    double *j = list_of(list, m->M, "j"), *w = list_of(member(corpus, "w"), m->M, "w");
    double *n = list_of(member(corpus, "n"), m->M, "n");
    m->j = wholes(m->M), m->w = wholes(m->M), m->n = wholes(m->M);
    for (int i = 0; i < m->M; i++) {
        m->j[i] = whole(j[i], i > 0 ? m->j[i - 1] : 0, "a document, in order,");
        m->w[i] = whole(w[i], 0, "a word");
        m->n[i] = whole(n[i], 1, "a count");
        if (m->j[i] >= m->D || m->w[i] >= m->W)
            refuse("row %d has document %d and word %d, expected numbers below D and W", i, m->j[i], m->w[i]);
        for (int i2 = 0; i2 < i && m->name == TCVB0; i2++)
            if (m->j[i2] == m->j[i] && m->w[i2] == m->w[i])
                refuse("word %d has two rows in document %d, expected types", m->w[i], m->j[i]);
    }
}

/* From here on the rows are tokens. */
static void read_topics(Model *m, const Json *state)
{
    int *row, N = tokens_of(m, &row), K = m->K;
    int *j = wholes(N), *w = wholes(N), *n = wholes(N);
    for (int i = 0; i < N; i++)
        j[i] = m->j[row[i]], w[i] = m->w[row[i]], n[i] = 1;
    m->M = N, m->j = j, m->w = w, m->n = n;
    m->gamma = numbers(N * K);
    if (state == NULL) /* of the operation sample */
        return;
    double *z = list_of(member(state, "z"), N, "z");
    for (int i = 0; i < N; i++) {
        int k = whole(z[i], 0, "a topic");
        if (k >= K)
            refuse("z[%d] is %d, expected a topic below %d", i, k, K);
        m->gamma[i * K + k] = 1;
    }
}

/* gamma from the topics of the tokens: the fraction of a row's tokens in each. */
static double *fractions(const Model *m, const Json *list)
{
    int *row, N = tokens_of(m, &row);
    double *gamma = numbers(m->M * m->K), *z = list_of(list, N, "z");
    for (int t = 0; t < N; t++) {
        if (!(z[t] >= 0 && z[t] < m->K))
            refuse("z[%d] is %g, expected a topic below %d", t, z[t], m->K);
        gamma[row[t] * m->K + (int)z[t]] += 1.0 / m->n[row[t]];
    }
    return gamma;
}

static void read_gamma(Model *m, const Json *state)
{
    const Json *z = member(state, "z");
    m->gamma = z != NULL ? fractions(m, z) : table_of(member(state, "gamma"), m->M, m->K, "gamma");
    for (int i = 0; i < m->M; i++) {
        const double *x = m->gamma + i * m->K;
        for (int k = 0; k < m->K; k++)
            if (!(x[k] >= 0))
                refuse("gamma[%d, %d] is %g, expected a probability", i, k, x[k]);
        if (!(fabs(sum(x, m->K) - 1) <= 1e-9))
            refuse("gamma[%d] sums to %g, expected 1", i, sum(x, m->K));
    }
}

static Model *read_model(const Json *problem, Algorithm name)
{
    Model *m = get(sizeof *m);
    const Json *prior = member(problem, "prior"), *state = member(problem, "state");
    double least = name == MAP ? 1 : 0;
    m->name = name;
    m->sampler = name == CGS || name == GIBBS || name == LDA;
    m->K = whole(number_of(problem, "K"), 1, "K");
    read_rows(m, member(problem, "corpus"));
    m->alpha = prior_of(member(prior, "alpha"), m->K, least, "alpha");
    m->eta = prior_of(member(prior, "eta"), m->W, least, "eta");
    m->sum_alpha = sum(m->alpha, m->K);
    m->W_eta = sum(m->eta, m->W);
    if (m->sampler)
        read_topics(m, state);
    else if (state != NULL)
        read_gamma(m, state);
    if (name == GIBBS && member(problem, "theta_jk") != NULL) {
        m->theta = table_of(member(problem, "theta_jk"), m->D, m->K, "theta_jk");
        m->phi = table_of(member(problem, "phi_wk"), m->W, m->K, "phi_wk");
    }
    m->blocks = member(problem, "blocks") != NULL ? whole(number_of(problem, "blocks"), 1, "blocks") : 1;
    m->inner = member(problem, "inner") != NULL ? whole(number_of(problem, "inner"), 1, "inner") : 1;
    return m;
}

static Schedule schedule_of(const Json *problem, const Model *m)
{
    const char *name = text_of(problem, "schedule");
    Schedule s = (Schedule)place(SCHEDULES, name);
    if (s == NO_SCHEDULE || (s == NESTED && m->name != VB && m->name != VEM) || (m->name == CGS && s != BY_TOKEN && s != INTERLEAVED) || (s == INTERLEAVED && m->name != CGS) || (m->name == GIBBS && s != BY_CORPUS))
        refuse("%s has no schedule %s", ALGORITHMS[m->name], name);
    return s;
}

static double *uniforms_of(const Json *problem, const Model *m)
{
    double *u = list_of(member(problem, "uniforms"), m->M, "uniforms");
    for (int i = 0; i < m->M; i++)
        if (!(u[i] >= 0 && u[i] < 1))
            refuse("uniforms[%d] is %g, expected a number in [0, 1)", i, u[i]);
    return u;
}

/* The update ------------------------------------------------------------------------------------------------------- */

/* The digamma function of x > 0: the recurrence up to 10, then the asymptotic series. */
static double digamma(double x)
{
    double shift = 0;
    for (; x < 10; x++)
        shift -= 1 / x;
    double y = 1 / (x * x);
    static const double series[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
    double rest = 0;
    for (int i = 6; i >= 0; i--)
        rest = (rest + series[i]) * y;
    return shift + log(x) - 0.5 / x - rest;
}

/* How many tokens of row i are in the sums that the update of `row` sees. */
static int remaining(const Model *m, int i, int row)
{
    if (i != row)
        return m->n[i];
    switch (m->name) {
    case CGS: case CVB: case CVB0: case CVB1D: return m->n[i] - 1;
    case TCVB0: return 0;
    default: return m->n[i];
    }
}

/* Means and variances of the counts that the update of a row sees, for one topic: of its document, its word, in all. */
typedef struct { double N_jk, N_wk, N_k, V_jk, V_wk, V_k; } Sums;

static Sums sums(const Model *m, const double *gamma, int row, int k)
{
    Sums s = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < m->M; i++) {
        double g = gamma[i * m->K + k];
        double mean = remaining(m, i, row) * g, variance = mean * (1 - g); /* TNW06 (16) */
        if (m->j[i] == m->j[row])
            s.N_jk += mean, s.V_jk += variance;
        if (m->w[i] == m->w[row])
            s.N_wk += mean, s.V_wk += variance;
        s.N_k += mean, s.V_k += variance;
    }
    return s;
}

/* log(a + n) to second order, for a + n of a mean and a variance: TNW06 (17). */
static double second_order(double mean, double variance)
{
    return log(mean) - variance / (2 * mean * mean);
}

/* exp of x, up to a factor, in place: with the largest at 1, not all are 0. The result is the logarithm of the factor. */
static double exp_below(double *x, int K)
{
    double top = x[0];
    for (int k = 1; k < K; k++)
        top = fmax(top, x[k]);
    for (int k = 0; k < K; k++)
        x[k] = exp(x[k] - top);
    return top;
}

/* The right-hand side of the update of a row, topic by topic. */
static void weights(const Model *m, const double *gamma, int row, double *x)
{
    int K = m->K, logs = m->name == VB || m->name == VEM || m->name == CVB;
    for (int k = 0; k < K; k++) {
        if (m->name == GIBBS) {
            x[k] = m->theta[m->j[row] * K + k] * m->phi[m->w[row] * K + k]; /* SOL14 (7) */
            continue;
        }
        Sums s = sums(m, gamma, row, k);
        if (m->outer != NULL) {
            Sums topics = sums(m, m->outer, row, k);
            s.N_wk = topics.N_wk, s.N_k = topics.N_k;
        }
        double a = s.N_jk + m->alpha[k], b = s.N_wk + m->eta[m->w[row]], c = s.N_k + m->W_eta;
        if (m->held != NULL) { /* the document term times phi; VB's is in logs */
            double phi = m->held[m->w[row] * K + k];
            x[k] = m->name == VB ? digamma(a) + log(phi) : a * phi;
            continue;
        }
        switch (m->name) {
        case ML: /* AWST09 (4) */
            x[k] = s.N_k > 0 ? s.N_jk * s.N_wk / s.N_k : 0;
            break;
        case MAP: /* AWST09 (5) */
            x[k] = (a - 1) * (b - 1) / (c - m->W);
            break;
        case VB: /* TNW06 (6), AWST09 (10) */
            x[k] = digamma(a) + digamma(b) - digamma(c);
            break;
        case VEM: /* AWST09 (10), (4) */
            x[k] = s.N_wk > 0 ? digamma(a) + log(s.N_wk / s.N_k) : -INFINITY;
            break;
        case CVB: /* TNW06 (18), AWST09 (12) */
            x[k] = second_order(a, s.V_jk) + second_order(b, s.V_wk) - second_order(c, s.V_k);
            break;
        case CVB1D: /* SN12 (50) */
            x[k] = a * b / c * (1 + s.V_k / (c * c));
            break;
        default: /* cvb0 AWST09 (13), cgs TNW06 (8), AWST09 (14), tcvb0 SN12 (55) */
            x[k] = a * b / c;
        }
    }
    if (logs)
        exp_below(x, K);
}

static void normalise(double *x, int K)
{
    double total = sum(x, K);
    for (int k = 0; k < K; k++)
        x[k] /= total;
}

/* The number of the first K-1 partial sums, added in topic order, that are <= u times the last. */
static int draw(const double *x, int K, double u)
{
    double bar = u * sum(x, K), partial = 0;
    int topic = 0;
    for (int k = 0; k < K - 1; k++) {
        partial += x[k];
        topic += partial <= bar;
    }
    return topic;
}

/* Whether row i, the first of a document, begins a block: some b M / B is after the document before and at most i. */
static int begins_block(const Model *m, int i)
{
    int before = i - 1;
    while (before > 0 && m->j[before - 1] == m->j[i - 1])
        before--;
    return m->blocks >= m->D || i == 0 || i * m->blocks / m->M > before * m->blocks / m->M;
}

/* Each document from uniform rows, in `inner` steps, in place; the sums of words and corpus are those of gamma. */
static void nested_sweep(const Model *m, double *gamma)
{
    int size = m->M * m->K;
    double *now = numbers(size), *held = numbers(size), *last = numbers(size);
    Model nested = *m;
    nested.outer = memcpy(held, gamma, (size_t)size * sizeof *gamma);
    for (int i = 0; i < size; i++)
        now[i] = 1.0 / m->K;
    for (int t = 0; t < m->inner; t++) {
        memcpy(last, now, (size_t)size * sizeof *now);
        for (int i = 0; i < m->M; i++) {
            weights(&nested, last, i, now + i * m->K);
            normalise(now + i * m->K, m->K);
        }
    }
    memcpy(gamma, now, (size_t)size * sizeof *now);
}

/* The place of token i in its document. */
static int place_of(const Model *m, int i)
{
    int first = i;
    while (first > 0 && m->j[first - 1] == m->j[i])
        first--;
    return i - first;
}

/* The token that is drawn after token i in interleaved order: of its place in a later document, or of the next place. */
static int next_turn(const Model *m, int i)
{
    int place = place_of(m, i);
    for (int l = i + 1; l < m->M; l++)
        if (place_of(m, l) == place)
            return l;
    for (int l = 0; l < m->M; l++)
        if (place_of(m, l) == place + 1)
            return l;
    return 0;
}

/* One sweep, in place. */
static void sweep(const Model *m, double *gamma, double *seen, Schedule schedule, const double *uniforms)
{
    size_t size = (size_t)(m->M * m->K) * sizeof *gamma;
    if (schedule == NESTED) {
        nested_sweep(m, gamma);
        return;
    }
    memcpy(seen, gamma, size);
    for (int turn = 0, i = 0; turn < m->M; turn++, i = schedule == INTERLEAVED ? next_turn(m, i) : turn) {
        double *x = gamma + i * m->K;
        int new_document = i == 0 || m->j[i] != m->j[i - 1];
        if (schedule == BY_TOKEN || schedule == INTERLEAVED || (schedule == BY_DOCUMENT && new_document)
            || (schedule == BY_BLOCK && new_document && begins_block(m, i)))
            memcpy(seen, gamma, size);
        weights(m, seen, i, x);
        if (m->sampler) {
            int topic = draw(x, m->K, uniforms[i]);
            for (int k = 0; k < m->K; k++)
                x[k] = k == topic;
        } else {
            normalise(x, m->K);
        }
    }
}

/* Estimates -------------------------------------------------------------------------------------------------------- */

typedef struct { double *jk, *wk, *k, *j; } Counts;

static Counts counts(const Model *m)
{
    int K = m->K;
    Counts N = {numbers(m->D * K), numbers(m->W * K), numbers(K), numbers(m->D)};
    for (int i = 0; i < m->M; i++)
        for (int k = 0; k < K; k++) {
            double mean = m->n[i] * m->gamma[i * K + k];
            N.jk[m->j[i] * K + k] += mean;
            N.wk[m->w[i] * K + k] += mean;
            N.k[k] += mean;
            N.j[m->j[i]] += mean;
        }
    return N;
}

static double ratio(double part, double all, int size)
{
    return all > 0 ? part / all : 1.0 / size; /* without mass uniform */
}

/* Posterior means AWST09 (15); for map the mode (6); for ml, and for phi of vem, proportions (2)(3). */
static void estimate(const Model *m, double *theta, double *phi)
{
    Counts N = counts(m);
    int K = m->K, W = m->W, less = m->name == MAP; /* what is taken off alpha and eta */
    int theta_smoothed = m->name != ML, phi_smoothed = m->name != ML && m->name != VEM;
    double A = theta_smoothed ? m->sum_alpha - less * K : 0, H = phi_smoothed ? m->W_eta - less * W : 0;
    for (int j = 0; j < m->D; j++)
        for (int k = 0; k < K; k++) {
            double alpha = theta_smoothed ? m->alpha[k] - less : 0;
            theta[j * K + k] = ratio(N.jk[j * K + k] + alpha, N.j[j] + A, K);
        }
    for (int w = 0; w < W; w++)
        for (int k = 0; k < K; k++) {
            double eta = phi_smoothed ? m->eta[w] - less : 0;
            phi[w * K + k] = ratio(N.wk[w * K + k] + eta, N.k[k] + H, W);
        }
}

/* TNW06 (2), the parameters at their optimum: the log joint (7) at the expected counts, and the entropy of q(z). */
static double bound(const Model *m)
{
    Counts N = counts(m);
    int K = m->K;
    double total = m->D * lgamma(m->sum_alpha) + K * lgamma(m->W_eta);
    for (int k = 0; k < K; k++)
        total -= m->D * lgamma(m->alpha[k]) + lgamma(m->W_eta + N.k[k]);
    for (int w = 0; w < m->W; w++)
        total -= K * lgamma(m->eta[w]);
    for (int j = 0; j < m->D; j++)
        total -= lgamma(m->sum_alpha + N.j[j]);
    for (int j = 0; j < m->D; j++)
        for (int k = 0; k < K; k++)
            total += lgamma(m->alpha[k] + N.jk[j * K + k]);
    for (int w = 0; w < m->W; w++)
        for (int k = 0; k < K; k++)
            total += lgamma(m->eta[w] + N.wk[w * K + k]);
    for (int i = 0; i < m->M * K; i++)
        if (m->gamma[i] > 0)
            total -= m->n[i / K] * m->gamma[i] * log(m->gamma[i]);
    return total;
}

/* The parameters of q(theta) and q(phi) ---------------------------------------------------------------------------- */

/* E[log x] of x ~ Dirichlet(a), for `size` numbers of a that lie `step` apart. */
static void expected_log(const double *a, int size, int step, double *out)
{
    double total = 0;
    for (int i = 0; i < size; i++)
        total += a[i * step];
    for (int i = 0; i < size; i++)
        out[i * step] = digamma(a[i * step]) - digamma(total);
}

/* E[log theta_jk] and E[log phi_wk]. */
static void expected_logs(const Model *m, const double *a, const double *b, double *log_theta, double *log_phi)
{
    for (int j = 0; j < m->D; j++)
        expected_log(a + j * m->K, m->K, 1, log_theta + j * m->K);
    for (int k = 0; k < m->K; k++)
        expected_log(b + k, m->W, m->K, log_phi + k);
}

/* gamma of a row, TNW06 (6); the result is the logarithm of its normaliser. */
static double best_gamma(const Model *m, int row, const double *log_theta, const double *log_phi, double *x)
{
    for (int k = 0; k < m->K; k++)
        x[k] = log_theta[m->j[row] * m->K + k] + log_phi[m->w[row] * m->K + k];
    double top = exp_below(x, m->K), log_total = top + log(sum(x, m->K));
    normalise(x, m->K);
    return log_total;
}

/* Iterations of TNW06 (6) and (4), in place. */
static void e_step(const Model *m, double *a, const double *b, int iterations)
{
    int K = m->K;
    double *log_theta = numbers(m->D * K), *log_phi = numbers(m->W * K), *x = numbers(K);
    for (int t = 0; t < iterations; t++) {
        expected_logs(m, a, b, log_theta, log_phi);
        for (int i = 0; i < m->D * K; i++)
            a[i] = m->alpha[i % K];
        for (int i = 0; i < m->M; i++) {
            best_gamma(m, i, log_theta, log_phi, x);
            for (int k = 0; k < K; k++)
                a[m->j[i] * K + k] += m->n[i] * x[k];
        }
    }
}

/* E[log p(x) - log q(x)] of x ~ q = Dirichlet(b), p = Dirichlet(a); the numbers of b lie `step` apart. */
static double less_log_q(const double *a, const double *b, const double *E_log, int size, int step)
{
    double total = lgamma(sum(a, size)), all = 0;
    for (int i = 0; i < size; i++) {
        total += lgamma(b[i * step]) - lgamma(a[i]) + (a[i] - b[i * step]) * E_log[i * step];
        all += b[i * step];
    }
    return total - lgamma(all);
}

/* TNW06 (2) for any parameters, and the best gamma for them. */
static double elbo(const Model *m, const double *a, const double *b)
{
    int K = m->K;
    double *log_theta = numbers(m->D * K), *log_phi = numbers(m->W * K), *x = numbers(K), total = 0;
    expected_logs(m, a, b, log_theta, log_phi);
    for (int i = 0; i < m->M; i++)
        total += m->n[i] * best_gamma(m, i, log_theta, log_phi, x);
    for (int j = 0; j < m->D; j++)
        total += less_log_q(m->alpha, a + j * K, log_theta + j * K, K, 1);
    for (int k = 0; k < K; k++)
        total += less_log_q(m->eta, b + k, log_phi + k, m->W, K);
    return total;
}

/* One step of Minka's fixed point, AWST09 §3.1, SN12 §10, for the prior a of `size` components, in place:
 * N[r * over + s * step] is the count of component s in row r. */
static void minka(
    double *a, int size, int vector, const double *N, int rows, int over, int step, double shape, double rate)
{
    double A = sum(a, size), of_all = 0, *rise = numbers(size);
    for (int r = 0; r < rows; r++) {
        double total = 0;
        for (int s = 0; s < size; s++) {
            double count = N[r * over + s * step];
            rise[s] += digamma(count + a[s]) - digamma(a[s]);
            total += count;
        }
        of_all += digamma(total + A) - digamma(A);
    }
    double all = sum(rise, size);
    for (int s = 0; s < size; s++)
        if (vector)
            a[s] = (shape - 1 + a[s] * rise[s]) / (rate + of_all);
        else
            a[s] = (shape - 1 + a[s] * all) / (rate + size * of_all);
}

/* Random draws ----------------------------------------------------------------------------------------------------- */

/* splitmix64: the next uniform number in [0, 1), of 53 bits. */
static double uniform(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (double)(x >> 11) / 9007199254740992.0;
}

/* Answers ---------------------------------------------------------------------------------------------------------- */

static const char *id; /* of the case at hand */

/* Opens the answer, when the input is known to be legal. */
static void begin(void)
{
    printf("{\"id\":\"%s\"", id);
}

static void print_number(double x)
{
    if (isinf(x))
        printf(x > 0 ? "\"inf\"" : "\"-inf\"");
    else
        printf("%.17g", x);
}

static void print_list(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        putchar(i > 0 ? ',' : '[');
        print_number(x[i]);
    }
    printf(n > 0 ? "]" : "[]");
}

static void answer_list(const char *name, const double *x, int n)
{
    printf(",\"%s\":", name);
    print_list(x, n);
}

static void answer_number(const char *name, double x)
{
    printf(",\"%s\":", name);
    print_number(x);
}

static void answer_table(const char *name, const double *x, int rows, int columns)
{
    printf(",\"%s\":[", name);
    for (int i = 0; i < rows; i++) {
        if (i > 0)
            putchar(',');
        print_list(x + i * columns, columns);
    }
    putchar(']');
}

static void print_topics(const Model *m, const double *gamma)
{
    putchar('[');
    for (int i = 0; i < m->M; i++) {
        int topic = 0;
        while (gamma[i * m->K + topic] == 0)
            topic++;
        printf(i > 0 ? ",%d" : "%d", topic);
    }
    putchar(']');
}

static void answer_update(const Model *m, const Json *problem, Operation operation)
{
    int row = whole(number_of(problem, "row"), 0, "row");
    if (m->sampler) { /* the rows are tokens: those of the rows before come first */
        const Json *list = member(member(problem, "corpus"), "n");
        if (row >= list->length)
            refuse("row is %d, expected one of the corpus", row);
        row = (int)sum(list_of(list, -1, "n"), row) + whole(number_of(problem, "token"), 0, "token");
    }
    if (row >= m->M)
        refuse("row or token is none of the corpus");
    double *x = numbers(m->K), u = operation == DRAW ? number_of(problem, "uniform") : 0;
    weights(m, m->gamma, row, x);
    begin();
    if (operation == DRAW) {
        printf(",\"topic\":%d", draw(x, m->K, u));
    } else {
        normalise(x, m->K);
        answer_list("gamma_k", x, m->K);
    }
}

/* Sweeps until nothing changes, at most 10,000 times. */
static void converge(const Model *m, double *seen, Schedule schedule)
{
    int size = m->M * m->K;
    double *last = numbers(size), change = 1;
    for (int t = 0; t < 10000 && change > 1e-15; t++) {
        memcpy(last, m->gamma, (size_t)size * sizeof *last);
        sweep(m, m->gamma, seen, schedule, NULL);
        change = 0;
        for (int i = 0; i < size; i++)
            change = fmax(change, fabs(m->gamma[i] - last[i]));
    }
}

/* The sums of all gamma, each times the cosine and the sine of its place. */
static void answer_places(const Model *m)
{
    double cosine = 0, sine = 0;
    for (int i = 0; i < m->M * m->K; i++)
        cosine += m->gamma[i] * cos(i), sine += m->gamma[i] * sin(i);
    answer_number("cosine", cosine);
    answer_number("sine", sine);
}

static void answer_sweeps(const Model *m, const Json *problem, Operation operation)
{
    Schedule schedule = schedule_of(problem, m);
    double *seen = numbers(m->M * m->K), *u = m->sampler ? uniforms_of(problem, m) : NULL;
    int sweeps = operation == SUMMARY ? whole(number_of(problem, "sweeps"), 1, "sweeps") : operation == TEN_SWEEPS ? 10 : 1;
    if (operation == CONVERGED)
        converge(m, seen, schedule);
    else
        for (int t = 0; t < sweeps; t++)
            sweep(m, m->gamma, seen, schedule, u);
    begin();
    if (m->sampler) {
        printf(",\"z\":");
        print_topics(m, m->gamma);
    } else if (operation == SUMMARY) {
        answer_places(m);
    } else {
        answer_table("gamma", m->gamma, m->M, m->K);
    }
}

/* The prediction from the estimates: TNW06 (19), AWST09 §4. */
static void answer_estimate(const Model *m, const Json *problem, Operation operation)
{
    int K = m->K;
    double *theta = numbers(m->D * K), *phi = numbers(m->W * K);
    estimate(m, theta, phi);
    if (operation == ESTIMATE) {
        begin();
        answer_table("theta_jk", theta, m->D, K);
        answer_table("phi_wk", phi, m->W, K);
        return;
    }
    const Json *test = member(problem, "test"), *list = member(test, "j");
    int M = list != NULL ? list->length : 0;
    double *j = list_of(list, M, "j"), *w = list_of(member(test, "w"), M, "w"), *n = list_of(member(test, "n"), M, "n");
    double *p = numbers(M), logs = 0;
    for (int i = 0; i < M; i++) {
        if (!(j[i] >= 0 && j[i] < m->D && w[i] >= 0 && w[i] < m->W))
            refuse("test: row %d is none of the documents and words", i);
        for (int k = 0; k < K; k++)
            p[i] += theta[(int)j[i] * K + k] * phi[(int)w[i] * K + k];
        logs += n[i] * log(p[i]);
    }
    begin();
    answer_list("token_probability", p, M);
    answer_number("perplexity", exp(-logs / sum(n, M)));
}

/* Vectors from vectors, numbers from numbers. */
static void answer_hyperparameters(const Model *m, const Json *problem)
{
    const Json *prior = member(problem, "prior"), *on = member(problem, "gamma_prior");
    double shape = number_of(on, "shape"), rate = number_of(on, "rate");
    int alpha_vector = member(prior, "alpha")->type == LIST, eta_vector = member(prior, "eta")->type == LIST;
    Counts N = counts(m);
    minka(m->alpha, m->K, alpha_vector, N.jk, m->D, m->K, 1, shape, rate);
    minka(m->eta, m->W, eta_vector, N.wk, m->K, 1, m->K, shape, rate);
    begin();
    alpha_vector ? answer_list("alpha", m->alpha, m->K) : answer_number("alpha", m->alpha[0]);
    eta_vector ? answer_list("eta", m->eta, m->W) : answer_number("eta", m->eta[0]);
}

static void answer_parameters(const Model *m, const Json *problem, Operation operation)
{
    if (operation == M_STEP) { /* TNW06 (5) */
        double *b = counts(m).wk;
        for (int i = 0; i < m->W * m->K; i++)
            b[i] += m->eta[i / m->K];
        begin();
        answer_table("eta_wk", b, m->W, m->K);
        return;
    }
    double *a = table_of(member(problem, "alpha_jk"), m->D, m->K, "alpha_jk");
    double *b = table_of(member(problem, "eta_wk"), m->W, m->K, "eta_wk");
    if (operation == E_STEP) {
        e_step(m, a, b, whole(number_of(problem, "iterations"), 1, "iterations"));
        begin();
        answer_table("alpha_jk", a, m->D, m->K);
    } else {
        begin();
        answer_number("bound", elbo(m, a, b));
    }
}

/* Sweeps from uniform gamma, with phi given. */
static void answer_fold_in(Model *m, const Json *problem)
{
    int K = m->K, sweeps = whole(number_of(problem, "sweeps"), 1, "sweeps");
    double *seen = numbers(m->M * K), *theta = numbers(m->D * K), *unused = numbers(m->W * K);
    Schedule schedule = schedule_of(problem, m);
    m->held = table_of(member(problem, "phi_wk"), m->W, K, "phi_wk");
    m->gamma = numbers(m->M * K);
    for (int i = 0; i < m->M * K; i++)
        m->gamma[i] = 1.0 / K;
    for (int t = 0; t < sweeps; t++)
        sweep(m, m->gamma, seen, schedule, NULL);
    estimate(m, theta, unused);
    begin();
    answer_table("theta_jk", theta, m->D, K);
}

/* Consecutive sweeps of collapsed Gibbs sampling, from any start and after a burn-in. */
static void answer_sample(const Model *m, const Json *problem)
{
    int draws = whole(number_of(problem, "draws"), 0, "draws");
    uint64_t state = (uint64_t)number_of(problem, "seed");
    double *seen = numbers(m->M * m->K), *u = numbers(m->M);
    for (int i = 0; i < m->M; i++)
        m->gamma[i * m->K + (int)(uniform(&state) * m->K)] = 1;
    begin();
    printf(",\"z\":[");
    for (int t = -200; t < draws; t++) {
        for (int i = 0; i < m->M; i++)
            u[i] = uniform(&state);
        sweep(m, m->gamma, seen, BY_TOKEN, u);
        if (t > 0)
            putchar(',');
        if (t >= 0)
            print_topics(m, m->gamma);
    }
    putchar(']');
}

enum { MOST_ROWS = 10000 }; /* of a summary: counting every sum again for more of them takes hours */

static void answer(const Json *problem)
{
    Operation operation = (Operation)place(OPERATIONS, text_of(problem, "operation"));
    Algorithm name = (Algorithm)place(ALGORITHMS, text_of(problem, "algorithm"));
    if (operation == NO_OPERATION || name == NO_ALGORITHM || (operation == BOUND && name != VB)
        || (operation == SAMPLE && name != CGS) || (name == LDA && operation != LOG_JOINT)
        || (operation == SUMMARY && member(member(problem, "corpus"), "n")->length > MOST_ROWS)) {
        begin();
        printf(",\"skip\":\"no %s of %s here\"}\n", text_of(problem, "operation"), text_of(problem, "algorithm"));
        return;
    }
    int without_state = operation == E_STEP || operation == ELBO || operation == FOLD_IN || operation == SAMPLE;
    if (member(problem, "state") == NULL && !without_state)
        refuse("state is missing");
    Model *m = read_model(problem, name);
    switch (operation) {
    case UPDATE: case DRAW: answer_update(m, problem, operation); break;
    case SWEEP: case REJECT: case TEN_SWEEPS: case CONVERGED: case SUMMARY: answer_sweeps(m, problem, operation); break;
    case ESTIMATE: case PREDICT: answer_estimate(m, problem, operation); break;
    case BOUND: begin(); answer_number("bound", bound(m)); break;
    case E_STEP: case M_STEP: case ELBO: answer_parameters(m, problem, operation); break;
    case FOLD_IN: answer_fold_in(m, problem); break;
    case LOG_JOINT: begin(); answer_number("log_joint", bound(m)); break; /* TNW06 (7); q(z) is one z, of entropy 0 */
    case HYPERPARAMETERS: answer_hyperparameters(m, problem); break;
    default: answer_sample(m, problem);
    }
    puts("}");
}

static char *read_line(void)
{
    static char *line;
    static size_t room;
    for (size_t length = 0;; length++) {
        int c = getchar();
        if (c == EOF && length == 0)
            return NULL;
        if (length == room && (line = realloc(line, room = 2 * room + 1024)) == NULL)
            exit(1);
        line[length] = (char)c;
        if (c == EOF || c == '\n') {
            line[length] = '\0';
            return line;
        }
    }
}

int main(void)
{
    while ((at = read_line()) != NULL) {
        id = "";
        if (setjmp(refused) == 0) {
            const Json *problem = read_value();
            id = text_of(problem, "id");
            answer(problem);
        } else {
            begin();
            printf(",\"error\":\"%s\"}\n", reason);
        }
        fflush(stdout);
        give_back();
    }
    return 0;
}
