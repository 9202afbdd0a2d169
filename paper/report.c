/* report.c: see report.h. The order of the page, and the words between figures and tables. */
#include "report.h"

#include "report_figures.h"
#include "report_tables.h"
#include "svr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEVEN "rr mbgd mbgd-r mbgd-d mbgd-rd mbgd-a mbgd-rda"

static const char title[] = "The paper, reproduced";

/* --- pieces --- */

static double cpu_minutes(const plan *p)
{
    double seconds = 0;
    for (size_t i = 0; i < p->cells; i++) seconds += (double)p->cell[i].repeats * cell_time(&p->cell[i], 1).mean;
    return seconds / 60;
}

static size_t trainings(const plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->cells; i++) n += p->cell[i].repeats;
    return n;
}

/* The table for ours, and for the authors' preprocessing. */
static sg_status both(document *d, const sight s[PREPROCESSINGS], const char *name, variant v, const char *algorithms,
                      when w)
{
    text theirs = {0};
    text_add(&theirs, "%s-authors", name);
    sg_status st = table_rmse(d, name, &s[OURS], v, algorithms, w);
    document_text(d, "The same with the authors' preprocessing:");
    if (st == SG_OK && theirs.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) st = table_rmse(d, theirs.bytes, &s[AUTHORS], v, algorithms, w);
    text_free(&theirs);
    return st;
}

static sg_status best_and_final(document *d, const sight s[PREPROCESSINGS], const char *name, const char *algorithms)
{
    text t = {0};
    text_add(&t, "%s-best", name);
    document_text(d, "Test RMSE at the best iteration (behind @):");
    sg_status st = t.failed ? fail(SG_ENOMEM, "out of memory") : both(d, s, t.bytes, AS_IT_IS, algorithms, BEST);
    text_free(&t);
    text_add(&t, "%s-final", name);
    document_text(d, "After iteration 500:");
    if (st == SG_OK && t.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) st = both(d, s, t.bytes, AS_IT_IS, algorithms, FINAL);
    text_free(&t);
    return st;
}

/* --- sections --- */

static void introduction(document *d, const plan *p)
{
    document_heading(d, 1, "%s", title);
    document_text(d, "Every experiment of D. Wu, Y. Yuan, J. Huang and Y. Tan, \"Optimize TSK Fuzzy Systems "
                     "for Regression Problems: Mini-Batch Gradient Descent with Regularization, DropRule, "
                     "and AdaBound (MBGD-RDA)\" (IEEE Trans. Fuzzy Systems 28(5), 1003-1015, 2020), done "
                     "again by one command, and what came out. The program writes this page: every number in "
                     "a table and every verdict is computed.");
    document_code(d, "make paper DATA=folder-of-the-datasets    # writes paper-results/\n");
    document_text(d,
                  "%zu trainings, %.0f minutes of CPU time with all cores busy, sugeno %s. The datasets "
                  "are split at random into 70 %% training and 30 %% test rows, ten times where nothing "
                  "else is said; splits and mini-batches are the same for every algorithm. Test RMSE is "
                  "the mean over the runs, ± their standard deviation. \"Best\" is the minimum of the "
                  "mean test curve (as in the paper: chosen on the test rows, so a little optimistic), "
                  "\"final\" its value after iteration 500.",
                  trainings(p), cpu_minutes(p), sg_version());
    document_text(d, "Two preprocessings. \"Ours\" fits z-scores, the mean of the target and principal "
                     "components on the training rows. \"Authors'\" fits them on all rows before the split, "
                     "as the authors' program does: a leak, kept for the comparison only. What the paper "
                     "lacks was run with ours only (ANFIS-GD-LSE-R, all features, the wine sets without "
                     "repeated rows), and so was support vector regression.");
}

static sg_status claims_section(document *d, const catalogue *c, const plan *p)
{
    document_heading(d, 2, "Claim by claim");
    document_text(d, "What the paper says that can be measured, in our words, with the measure in brackets "
                     "where it says no number. Counted are datasets, by their means. \"Clearly\": the 95 %% "
                     "interval of the difference, paired over the splits, leaves out zero; a question mark "
                     "marks a dataset where it does not. A claim is \"within the spread\" where it would "
                     "hold if the differences that are not clear fell its way. Some measures were changed "
                     "after the first results; which, and why: [docs/decisions.md](../docs/decisions.md).");
    sg_status st = table_claims(d, "claims", 0, c, p);
    document_heading(d, 2, "Where it does not hold, and why");
    document_text(d, "A reason is a change that flips the result. The numbers are those of the claims above, "
                     "checked again with one thing changed. One of them alone: `build/release/paper/paper "
                     "--data FOLDER --out FOLDER --experiments \"NAMES\"`.");
    if (st == SG_OK) st = table_claims(d, "ablations", 1, c, p);
    return st;
}

static sg_status figures_section(document *d, const sight s[PREPROCESSINGS])
{
    document_heading(d, 2, "Figures that differ from the paper's");
    document_text(d, "Final test RMSE with the authors' preprocessing, in brackets the paper's, and what "
                     "brings them together. Plain MBGD ends higher than in the paper. Its steps have a "
                     "length, the rate, which Jang's rule raises and lowers; how far it gets in 500 of them "
                     "is decided by that. If the rule looks for up-down-up-down in every second iteration "
                     "only, or, nearly the same, lowers the rate by the root of 0.9 (`--rate-down 0.9487`), "
                     "MBGD ends within the spread of the paper's figures:");
    sg_status st = table_rmse(d, "rate", &s[AUTHORS], AS_IT_IS, "mbgd mbgd-down", FINAL);
    document_text(d, "MBGD-A and MBGD-RDA end lower than in the paper on Airfoil. The authors' program has "
                     "had more than one floor for σ; with a tenth of ours (`--sigma-floor 0.1`) both move to "
                     "the paper's figures, within their spread:");
    if (st == SG_OK)
        st = table_rmse(d, "floor", &s[AUTHORS], AS_IT_IS, "mbgd-a mbgd-a-floor mbgd-rda mbgd-rda-floor", FINAL);
    document_text(d, "On Abalone RR, MBGD-A and MBGD-RDA are lower than the paper's. RR has no randomness "
                     "but the split, and over 100 splits (below) it stays there, so the paper's ten would be "
                     "an unlucky draw of about three standard errors. The authors' program keeps 98 %% of "
                     "the variance, four components; that explains a fifth of it. The rest is unexplained:");
    if (st == SG_OK)
        st = table_rmse(d, "components", &s[AUTHORS], AS_IT_IS, "rr rr-pca4 mbgd-a mbgd-a-pca4 mbgd-rda mbgd-rda-pca4",
                        FINAL);
    document_text(d, "Ridge regression over 100 splits, in brackets an independent computation of "
                     "the same with other splits:");
    if (st == SG_OK) st = table_rmse(d, "ridge-100", &s[AUTHORS], AS_IT_IS, "rr-100", FINAL);
    document_text(d, "The course of MBGD-RDA on NO2, where the paper's curve is known at four places:");
    if (st == SG_OK) st = table_course(d, "course", s, "no2", "mbgd-rda");
    return st;
}

static sg_status curves_section(document *d, const sight s[PREPROCESSINGS])
{
    document_heading(d, 2, "The seven algorithms");
    document_figure(d, "mean", "Mean test RMSE of the seven algorithms (Fig. 2 of the paper)");
    document_text(d, "In the tables of the final iteration the paper's figure stands in brackets, read "
                     "off its curves, where it is known. The paper's own spread, a standard deviation "
                     "over runs at iteration 500: .04 on PM10, .02 NO2, .57 Housing, .48 Concrete, .23 "
                     "Airfoil, .05 PowerPlant.");
    document_text(d, "The final iteration is less kind than the best one, in the paper too: of its own "
                     "final figures MBGD-A's is below RR's on 6 datasets, MBGD-RDA's on 8. On Protein "
                     "single runs of MBGD-A and MBGD-RDA go astray towards the end, on a few test rows "
                     "far out; with Adam in place of AdaBound they do not (below).");
    sg_status st = best_and_final(d, s, "seven", SEVEN);
    document_figure(d, "improvement",
                    "Improvement of the test RMSE over MBGD's in the same iteration, in per "
                    "cent (Fig. 3 of the paper)");
    document_heading(d, 2, "Computational cost");
    document_text(d, "CPU seconds for 500 iterations on one core, with the test rows scored after each "
                     "one; in brackets the paper's seconds (Matlab, i7-8700K). All cores were busy, so "
                     "that differences of some per cent are noise.");
    if (st == SG_OK) st = table_seconds(d, "costs", &s[OURS], SEVEN, 1);
    document_text(d, "Training alone:");
    if (st == SG_OK) st = table_seconds(d, "costs-training", &s[OURS], SEVEN, 0);
    return st;
}

static sg_status sensitivity_section(document *d, const sight s[PREPROCESSINGS])
{
    document_heading(d, 2, "Sensitivity to the parameters");
    document_figure(d, "sensitivity",
                    "Final test RMSE of MBGD-RDA on PM10, mean of 100 runs a point (Fig. 4 of "
                    "the paper, whose grids are not printed; λ = 0 is in the table)");
    document_text(d, "Scored in every tenth iteration.");
    return table_sensitivity(d, s);
}

static sg_status anfis_section(document *d, const sight s[PREPROCESSINGS])
{
    static const char four[] = "anfis-gd anfis-gd-lse anfis-gd-lse-r mbgd-rda-all-rows";
    document_heading(d, 2, "ANFIS");
    document_text(d, "All training rows in every step. ANFIS-GD: Jang's step on all parameters; "
                     "ANFIS-GD-LSE: on the antecedents, the consequents by least squares; ANFIS-GD-LSE-R, "
                     "which is not in the paper: the same with regularised least squares, standardised "
                     "target, mean loss.");
    document_text(d, "The paper used Matlab's `anfis`. Ours is written here, starts like MBGD-RDA and keeps "
                     "its floor for σ, which `anfis` does not have.");
    document_figure(d, "anfis",
                    "Training (dotted) and test RMSE with all rows in a batch (Fig. 6a of the "
                    "paper)");
    document_figure(d, "anfis-rates",
                    "Learning rates; for MBGD-RDA the mean over all parameters (Fig. 6b of the "
                    "paper)");
    sg_status st = best_and_final(d, s, "anfis", four);
    document_text(d, "Training RMSE in iteration 500, before the update (MBGD-RDA: rules dropped):");
    if (st == SG_OK) st = table_train(d, "anfis-train", &s[OURS], four);
    return st;
}

static sg_status drop_section(document *d, const sight s[PREPROCESSINGS])
{
    document_heading(d, 2, "What is dropped, and Adam");
    document_figure(d, "drop",
                    "DropRule, DropMF and DropMembership: training (dotted, running mean over "
                    "25 iterations) and test RMSE (Fig. 9 of the paper)");
    document_figure(d, "adam",
                    "AdaBound and Adam: training (dotted, running mean over 25 iterations) and "
                    "test RMSE (Fig. 10 of the paper)");
    document_text(d, "MBGD-RDA has DropRule and AdaBound; MBGD-RA drops nothing. On PM10 and NO2 the "
                     "gradients are such that Adam's rates lie within AdaBound's bounds nearly all the "
                     "time: the two are the same curve.");
    return best_and_final(d, s, "drop", "mbgd-rda mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam mbgd-ra");
}

static sg_status footnotes_section(document *d, const sight s[PREPROCESSINGS])
{
    sg_status st;
    document_heading(d, 2, "The footnotes");
    document_text(d, "Abalone's sex as three columns of 0 and 1 (then five principal components of ten "
                     "inputs), best iteration:");
    st = both(d, s, "one-hot", ONE_HOT, "rr mbgd-a mbgd-rda", BEST);
    document_text(d,
                  "Support vector regression (%s, RBF kernel), on the same five components: C and γ "
                  "chosen by 5-fold cross-validation inside the training rows of each split; and with "
                  "scikit-learn's defaults, one split, for the time it takes. Ours:",
                  svr_library() ? svr_library() : "not in this build");
    if (st == SG_OK) st = table_rmse(d, "svr", &s[OURS], AS_IT_IS, "rr mbgd-rda svr svr-default", BEST);
    document_text(d,
                  "Support vector regression (%s, RBF kernel), on the same components, with standardised "
                  "target and ε = 0.1: C of 1, 10, 100 and γ of ¼, 1, 4 times 1/(inputs × variance), "
                  "chosen by 5-fold cross-validation inside the training rows of each split; and with C = "
                  "1 and the middle γ, one split only, for the time it takes. Ours:",
                  svr_library() ? svr_library() : "not in this build");
    if (st == SG_OK) st = table_seconds(d, "svr-costs", &s[OURS], "mbgd-rda svr svr-default", 1);
    return st;
}

static sg_status beyond_section(document *d, const sight *ours)
{
    static const char columns[] = "rr rr-all mbgd-rda mbgd-rda-all mbgd-rda-32";
    sg_status st;
    document_heading(d, 2, "What the paper lacks");
    document_text(d, "All features in place of five principal components: RR; MBGD-RDA with the full "
                     "grid of two membership functions an input (2^M rules: 8,192 for 13 inputs); "
                     "MBGD-RDA with 32 rules that own their membership functions (k-means), as many as "
                     "the paper's grid has. (Airfoil and PowerPlant have no more than five.) The last two "
                     "are scored in every tenth iteration. Best:");
    st = table_rmse(d, "all-features-best", ours, AS_IT_IS, columns, BEST);
    document_text(d, "After iteration 500:");
    if (st == SG_OK) st = table_rmse(d, "all-features-final", ours, AS_IT_IS, columns, FINAL);
    document_text(d, "The wine sets hold rows more than once, so that test rows are among the training "
                     "rows. Without the repeated ones, best iteration:");
    if (st == SG_OK) st = table_rmse(d, "unique", ours, UNIQUE, "rr mbgd mbgd-a mbgd-rda", BEST);
    return st;
}

static sg_status setup_section(document *d, const sight *ours)
{
    document_heading(d, 2, "Datasets");
    sg_status st = table_datasets(d, ours);
    document_heading(d, 2, "Parameters");
    if (st == SG_OK)
        st = table_parameters(d, ours,
                              SEVEN " mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam "
                                    "anfis-gd anfis-gd-lse anfis-gd-lse-r mbgd-rda-all-rows");
    document_text(d, "N_bs = 0 means all training rows.");
    return st;
}

/* --- */

static sg_status make_folder(const char *folder, const char *name, text *path)
{
    text_add(path, "%s/%s", folder, name);
    return path->failed ? fail(SG_ENOMEM, "out of memory") : make_folders(path->bytes);
}

static sg_status draw(const catalogue *c, const plan *p, const char *folder, int *drawn)
{
    text path = {0};
    sg_status st = make_folder(folder, "figures", &path);
    if (st == SG_OK) st = figures_draw(c, p, path.bytes, drawn);
    text_free(&path);
    if (st == SG_OK && !*drawn)
        fprintf(stderr, "paper: there is no gnuplot: the figures' data and scripts are written, but no "
                        "pictures\n");
    return st;
}

sg_status report_write(const catalogue *c, const plan *p, const char *folder, int *drawn)
{
    const sight s[PREPROCESSINGS] = {{c, p, OURS}, {c, p, AUTHORS}};
    document d;
    text tables = {0};
    sg_status st = make_folder(folder, "tables", &tables);
    text_free(&tables);
    if (st == SG_OK) st = draw(c, p, folder, drawn);
    document_open(&d, folder, title);
    introduction(&d, p);
    if (st == SG_OK) st = claims_section(&d, c, p);
    if (st == SG_OK) st = figures_section(&d, s);
    if (st == SG_OK) st = curves_section(&d, s);
    if (st == SG_OK) st = sensitivity_section(&d, s);
    if (st == SG_OK) st = anfis_section(&d, s);
    if (st == SG_OK) st = drop_section(&d, s);
    if (st == SG_OK) st = footnotes_section(&d, s);
    if (st == SG_OK) st = beyond_section(&d, &s[OURS]);
    if (st == SG_OK) st = setup_section(&d, &s[OURS]);
    return document_close(&d, st);
}

/* --- what is checked in --- */

static sg_status copy(const char *from, const char *to, const char *name)
{
    text path = {0};
    char block[65536];
    size_t n;
    sg_atomic_file *o = NULL;
    text_add(&path, "%s/%s", from, name);
    FILE *f = path.failed ? NULL : fopen(path.bytes, "rb");
    sg_status st = f ? SG_OK : fail(SG_EIO, "%s/%s: it can't be read", from, name);
    text_free(&path);
    text_add(&path, "%s/%s", to, name);
    if (st == SG_OK) st = path.failed ? fail(SG_ENOMEM, "out of memory") : sg_atomic_file_open(path.bytes, &o);
    while (st == SG_OK && (n = fread(block, 1, sizeof block, f)) > 0) st = sg_atomic_file_write(o, block, n);
    if (st == SG_OK && ferror(f)) st = fail(SG_EIO, "%s/%s: it can't be read", from, name);
    if (st == SG_OK) st = sg_atomic_file_commit(o);
    else sg_atomic_file_free(o);
    if (f) fclose(f);
    text_free(&path);
    return st;
}

sg_status report_publish(const char *folder, const char *to)
{
    /* The table of results last: while it is the old one, nothing is said to be new. */
    static const char *const files[] = {"figures/mean.svg",
                                        "figures/improvement.svg",
                                        "figures/sensitivity.svg",
                                        "figures/anfis.svg",
                                        "figures/anfis-rates.svg",
                                        "figures/drop.svg",
                                        "figures/adam.svg",
                                        "RESULTS.md",
                                        "results.csv"};
    text figures = {0};
    sg_status st = make_folder(to, "figures", &figures);
    text_free(&figures);
    for (size_t i = 0; st == SG_OK && i < sizeof files / sizeof *files; i++) st = copy(folder, to, files[i]);
    return st;
}
