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

/* --- sections --- */

static double cpu_minutes(const plan *p)
{
    double seconds = 0;
    for (size_t i = 0; i < p->cells; i++)
        seconds += (double)p->cell[i].repeats * cell_seconds(&p->cell[i]);
    return seconds / 60;
}

static size_t trainings(const plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->cells; i++) n += p->cell[i].repeats;
    return n;
}

static void introduction(document *d, const plan *p)
{
    document_heading(d, 1, "%s", title);
    document_text(
        d,
        "Every experiment of D. Wu, Y. Yuan, J. Huang and Y. Tan, \"Optimize TSK Fuzzy Systems for "
        "Regression Problems: Mini-Batch Gradient Descent with Regularization, DropRule, and "
        "AdaBound (MBGD-RDA)\" (IEEE Trans. Fuzzy Systems 28(5), 1003-1015, 2020), done again by "
        "one command, and what came out. This page is written by the program; nothing in it is "
        "entered by hand but the sentences.");
    document_code(d, "make paper DATA=folder-of-the-datasets    # writes paper-results/\n");
    document_text(
        d,
        "%zu trainings, %.0f minutes of CPU time, sugeno %s. Each dataset is split ten times into "
        "70 %% training and 30 %% test rows; splits and mini-batches are the same for every "
        "algorithm. Test RMSE is the mean over the ten runs, ± the standard deviation over them. "
        "\"Best\" is the minimum of the mean test curve (as in the paper, chosen on the test rows, "
        "so a little optimistic), \"final\" its value after iteration 500. Two means differ beyond "
        "the spread (\"clearly\") where the 95 %% interval of their paired difference over the "
        "splits "
        "leaves out zero; a question mark marks datasets where they do not.",
        trainings(p), cpu_minutes(p), sg_version());
    document_text(
        d,
        "Everything was run with two preprocessings. *Ours* fits z-scores, the mean of the target "
        "and principal components on the training rows. *Authors'* fits them on all rows before "
        "the split, as the authors' program does: a leak, kept for the comparison only.");
}

static sg_status claims_section(document *d, const catalogue *c, const plan *p)
{
    document_heading(d, 2, "Claim by claim");
    sg_status st = table_claims(d, "claims", 0, c, p);
    document_heading(d, 2, "Where it does not hold, and why");
    document_text(d,
                  "A reason is a change that flips the result. These were run; a second column of "
                  "claims, each with one thing changed:");
    if (st == SG_OK) st = table_claims(d, "ablations", 1, c, p);
    return st;
}

static sg_status setup_section(document *d, const sight *s)
{
    document_heading(d, 2, "Datasets");
    sg_status st = table_datasets(d, s);
    document_heading(d, 2, "Parameters");
    if (st == SG_OK)
        st = table_parameters(d, s,
                              SEVEN " mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam "
                                    "anfis-gd anfis-gd-lse anfis-gd-lse-r mbgd-rda-all-rows");
    document_text(d, "N_bs = 0 means all training rows.");
    return st;
}

static sg_status curves_section(document *d, const sight s[PREPROCESSINGS])
{
    sg_status st;
    document_heading(d, 2, "The seven algorithms");
    document_figure(d, "mean",
                    "Mean test RMSE of the seven algorithms on the ten datasets (the "
                    "paper's Fig. 2)");
    document_text(d, "Test RMSE after iteration 500; in brackets the paper's figure, read off its "
                     "curves, where it is known.");
    st = table_rmse(d, "final", &s[OURS], AS_IT_IS, SEVEN, FINAL);
    document_text(d, "The same with the authors' preprocessing:");
    if (st == SG_OK) st = table_rmse(d, "final-authors", &s[AUTHORS], AS_IT_IS, SEVEN, FINAL);
    document_text(d, "At the best iteration (behind @):");
    if (st == SG_OK) st = table_rmse(d, "best", &s[OURS], AS_IT_IS, SEVEN, BEST);
    document_text(d, "The same with the authors' preprocessing:");
    if (st == SG_OK) st = table_rmse(d, "best-authors", &s[AUTHORS], AS_IT_IS, SEVEN, BEST);
    document_figure(d, "improvement",
                    "Improvement of the test RMSE over MBGD in the same iteration, "
                    "in per cent (the paper's Fig. 3)");
    document_heading(d, 2, "Computational cost");
    document_text(
        d, "CPU seconds for 500 iterations, with the test rows scored after each one, on one "
           "core; in brackets the paper's seconds (Matlab, i7-8700K).");
    if (st == SG_OK) st = table_seconds(d, "costs", &s[OURS], SEVEN);
    return st;
}

static sg_status sensitivity_section(document *d, const catalogue *c, const plan *p)
{
    document_heading(d, 2, "Sensitivity to the parameters");
    document_figure(d, "sensitivity",
                    "Final test RMSE of MBGD-RDA on PM10, mean of 100 runs a point "
                    "(the paper's Fig. 4; its grids are not printed; λ = 0 is in the "
                    "table)");
    return table_sensitivity(d, c, p);
}

static sg_status anfis_section(document *d, const sight *s)
{
    static const char four[] = "anfis-gd anfis-gd-lse anfis-gd-lse-r mbgd-rda-all-rows";
    document_heading(d, 2, "ANFIS");
    document_text(d, "All training rows in every step. ANFIS-GD: Jang's step on all parameters; "
                     "ANFIS-GD-LSE: on the antecedents, the consequents by least squares; "
                     "ANFIS-GD-LSE-R, which is not in the paper: the same with regularised least "
                     "squares, standardised target, mean loss.");
    document_figure(d, "anfis",
                    "Training (dotted) and test RMSE with all rows in a batch (the paper's "
                    "Fig. 6a)");
    document_figure(d, "anfis-rates",
                    "Learning rates; for MBGD-RDA the mean over all parameters (the "
                    "paper's Fig. 6b)");
    document_text(d, "Test RMSE at the best iteration:");
    sg_status st = table_rmse(d, "anfis-best", s, AS_IT_IS, four, BEST);
    document_text(d, "After iteration 500:");
    if (st == SG_OK) st = table_rmse(d, "anfis-final", s, AS_IT_IS, four, FINAL);
    document_text(d,
                  "Training RMSE in iteration 500, before the update (MBGD-RDA: rules dropped):");
    if (st == SG_OK) st = table_train(d, "anfis-train", s, four);
    return st;
}

static sg_status drop_section(document *d, const sight *s)
{
    static const char four[] = "mbgd-rda mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam";
    document_heading(d, 2, "What is dropped, and Adam");
    document_figure(d, "drop",
                    "DropRule, DropMF and DropMembership: training (dotted, running mean over 25 "
                    "iterations) and test RMSE (the paper's Fig. 9)");
    document_figure(
        d, "adam",
        "AdaBound and Adam: training (dotted, running mean over 25 iterations) and test "
        "RMSE (the paper's Fig. 10)");
    document_text(d, "Test RMSE at the best iteration (MBGD-RDA is DropRule and AdaBound):");
    sg_status st = table_rmse(d, "drop-best", s, AS_IT_IS, four, BEST);
    document_text(d, "After iteration 500:");
    if (st == SG_OK) st = table_rmse(d, "drop-final", s, AS_IT_IS, four, FINAL);
    return st;
}

static sg_status footnotes_section(document *d, const sight *s)
{
    sg_status st;
    document_heading(d, 2, "The footnotes");
    document_text(
        d, "Abalone's sex as three columns of 0 and 1 (then five principal components of ten "
           "inputs), best iteration:");
    st = table_rmse(d, "one-hot", s, ONE_HOT, "rr mbgd-a mbgd-rda", BEST);
    document_text(
        d,
        "Support vector regression (%s, RBF kernel), on the same five components: C and γ "
        "chosen by 5-fold cross-validation inside the training rows of each split; and with "
        "scikit-learn's defaults, one split, for the time it takes.",
        svr_library() ? svr_library() : "not in this build");
    if (st == SG_OK) st = table_rmse(d, "svr", s, AS_IT_IS, "rr mbgd-rda svr svr-default", BEST);
    document_text(d, "CPU seconds, fit and prediction of the test rows (SVR with its search):");
    if (st == SG_OK) st = table_seconds(d, "svr-times", s, "mbgd-rda svr svr-default");
    return st;
}

static sg_status beyond_section(document *d, const sight *s)
{
    static const char columns[] = "rr rr-all mbgd-rda mbgd-rda-all mbgd-rda-32";
    sg_status st;
    document_heading(d, 2, "What the paper lacks");
    document_text(d,
                  "All features in place of five principal components: RR; MBGD-RDA with the full "
                  "grid of two membership functions an input (2^M rules, 8,192 on Housing); "
                  "MBGD-RDA with 32 rules that own their membership functions (k-means), as "
                  "many as the paper's grid has. Best iteration:");
    st = table_rmse(d, "all-features-best", s, AS_IT_IS, columns, BEST);
    document_text(d, "After iteration 500:");
    if (st == SG_OK) st = table_rmse(d, "all-features-final", s, AS_IT_IS, columns, FINAL);
    document_text(d, "The wine sets hold many rows twice, so that test rows are among the training "
                     "rows. Without the 240 and 937 duplicates, best iteration:");
    if (st == SG_OK) st = table_rmse(d, "unique", s, UNIQUE, "rr mbgd mbgd-a mbgd-rda", BEST);
    return st;
}

/* --- */

static sg_status make_folder(const char *folder, const char *name, text *path)
{
    text_add(path, "%s/%s", folder, name);
    return path->failed ? fail(SG_ENOMEM, "out of memory") : make_folders(path->bytes);
}

static sg_status draw(const catalogue *c, const plan *p, const char *folder)
{
    text path = {0};
    int drawn = 1;
    sg_status st = make_folder(folder, "figures", &path);
    if (st == SG_OK) st = figures_draw(c, p, path.bytes, &drawn);
    text_free(&path);
    if (st == SG_OK && !drawn)
        fprintf(stderr,
                "paper: there is no gnuplot: the figures' data and scripts are written, but no "
                "pictures\n");
    return st;
}

sg_status report_write(const catalogue *c, const plan *p, const char *folder)
{
    const sight s[PREPROCESSINGS] = {
        {c, p, OURS   },
        {c, p, AUTHORS}
    };
    document d;
    text tables = {0};
    sg_status st = make_folder(folder, "tables", &tables);
    text_free(&tables);
    if (st == SG_OK) st = draw(c, p, folder);
    document_open(&d, folder, title);
    introduction(&d, p);
    if (st == SG_OK) st = claims_section(&d, c, p);
    if (st == SG_OK) st = curves_section(&d, s);
    if (st == SG_OK) st = sensitivity_section(&d, c, p);
    if (st == SG_OK) st = anfis_section(&d, &s[OURS]);
    if (st == SG_OK) st = drop_section(&d, &s[OURS]);
    if (st == SG_OK) st = footnotes_section(&d, &s[OURS]);
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
    sg_output *o = NULL;
    text_add(&path, "%s/%s", from, name);
    FILE *f = path.failed ? NULL : fopen(path.bytes, "rb");
    sg_status st = f ? SG_OK : fail(SG_EIO, "%s/%s: it can't be read", from, name);
    text_free(&path);
    text_add(&path, "%s/%s", to, name);
    if (st == SG_OK)
        st = path.failed ? fail(SG_ENOMEM, "out of memory") : sg_output_open(path.bytes, &o);
    while (st == SG_OK && (n = fread(block, 1, sizeof block, f)) > 0)
        st = sg_output_write(o, block, n);
    if (st == SG_OK && ferror(f)) st = fail(SG_EIO, "%s/%s: it can't be read", from, name);
    if (st == SG_OK) st = sg_output_commit(o);
    else sg_output_free(o);
    if (f) fclose(f);
    text_free(&path);
    return st;
}

sg_status report_publish(const char *folder, const char *to)
{
    static const char *const files[] = {"RESULTS.md",
                                        "results.csv",
                                        "figures/mean.svg",
                                        "figures/improvement.svg",
                                        "figures/sensitivity.svg",
                                        "figures/anfis.svg",
                                        "figures/anfis-rates.svg",
                                        "figures/drop.svg",
                                        "figures/adam.svg"};
    text figures = {0};
    sg_status st = make_folder(to, "figures", &figures);
    text_free(&figures);
    for (size_t i = 0; st == SG_OK && i < sizeof files / sizeof *files; i++)
        st = copy(folder, to, files[i]);
    return st;
}
