/* sugeno.h: the public API of libsugeno, Takagi-Sugeno-Kang (TSK) fuzzy systems for regression.
 *
 *     sg_options *options;
 *     sg_table *table;
 *     sg_model *model;
 *     sg_options_new(&options);
 *     sg_table_read("data.csv", options, NULL, 0, &table);
 *     sg_source rows = sg_table_source(table);
 *     sg_train(options, &rows, NULL, NULL, NULL, &model);
 *     sg_model_predict(model, x, 1, &y);
 *     sg_model_save(model, "model.json");
 *
 * Contents: 1. The calls everyone needs   2. Data   3. Models   4. Understanding a model
 *           5. Training step by step   6. Distributed training   7. Helpers for front ends
 *
 * Conventions, unless a function says otherwise:
 * - Functions that can fail return sg_status. On failure, sg_errmsg() returns a sentence that says why, and output
 *   parameters are unchanged.
 * - Handles are opaque. sg_x_new, sg_x_open, sg_x_read and sg_x_load create a handle that the caller owns and frees
 *   with sg_x_free. sg_x_free(NULL) does nothing.
 * - Returned strings and arrays belong to the handle they come from and are valid until it is freed. A `char **out`
 *   parameter receives a string that the caller frees with sg_string_free.
 * - The library never prints, never exits and has no global state. Different threads may use different handles at the
 *   same time. Several threads may use one sg_model, sg_table or sg_source at the same time through const pointers;
 *   all other handles must be used by one thread at a time.
 * - Matrices are row-major. x[rows * inputs] is an array of that many doubles. NaN is a missing value.
 * - threads == 0 uses one thread per core. Results do not depend on the number of threads.
 */
#ifndef SUGENO_H
#define SUGENO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SG_API __attribute__((visibility("default")))
#else
#define SG_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SG_VERSION "0.1.0"

/* Returns the version of the library at run time, which may be newer than SG_VERSION. */
SG_API const char *sg_version(void);

/* === 1. The calls everyone needs =========================================================== */

typedef enum sg_status {
    SG_OK = 0,
    SG_ENOMEM,   /* out of memory, or a size that would overflow                             */
    SG_EINVAL,   /* an unknown option, or an option or argument out of bounds                */
    SG_EIO,      /* a file that cannot be opened, read or written                            */
    SG_EDATA,    /* a file or table with invalid contents                                    */
    SG_EDIVERGED /* training produced a number that is not finite; the last finite parameters are kept */
} sg_status;

/* Returns the message of the last failure in this thread, without a trailing newline. The next failure replaces it. */
SG_API const char *sg_errmsg(void);

typedef struct sg_options sg_options; /* a value for each option of docs/options.md             */
typedef struct sg_table sg_table;     /* rows in memory                                         */
typedef struct sg_source sg_source;   /* an interface to rows, wherever they are; see section 2 */
typedef struct sg_model sg_model;     /* a trained system                                       */

/* Creates options with their default values. The default preset, auto, searches for a good system. */
SG_API sg_status sg_options_new(sg_options **out);
SG_API void sg_options_free(sg_options *o);
/* Sets an option by name, as on the command line: sg_options_set(o, "preset", "mbgd-rda"). A value that is set takes
 * precedence over the value of the preset, which takes precedence over the default. */
SG_API sg_status sg_options_set(sg_options *o, const char *name, const char *value);

/* Reads a CSV file into memory; "-" is standard input, and gzip is detected. Keeps the columns named in wanted, in file
 * order. If wanted is NULL, keeps all numeric and categorical columns and drops dates and identifiers (docs/data.md;
 * the options categorical and numeric override this). Columns that are not kept may contain anything. An empty cell, or
 * a cell that the option missing lists, is a missing value. */
SG_API sg_status sg_table_read(const char *path, const sg_options *o, const char *const *wanted, size_t wanted_count,
                               sg_table **out);
SG_API void sg_table_free(sg_table *t);
/* Returns the table's rows as a source. The table must outlive the source. */
SG_API sg_source sg_table_source(const sg_table *t);

/* Called from time to time by long operations, from any thread. A non-zero return value cancels the operation. done and
 * planned count iterations in training, units of work in a search, iterations of all folds in cross-validation, and
 * rows while files are read, where planned is 0 because the total is unknown. */
typedef int sg_cancel_fn(void *arg, size_t done, size_t planned);

/* Trains a model with any preset. The option targets names the targets; by default, the last numeric column is the
 * target. The presets auto and auto-ensemble search for a good system by validation inside `rows` and require valid ==
 * NULL; the others train once. valid: validation rows that select the best iterate, or NULL. cancel: may be NULL; after
 * a cancellation the model is the best found so far. */
SG_API sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *cancel,
                          void *arg, sg_model **out);

/* Predicts y[rows * outputs] from x[rows * inputs], in the units of the data. A missing input (NaN) is skipped in
 * conditions and replaced by its training mean in consequents. For a category, x holds the index of the level (see
 * sg_model_level); any other number is an unknown level. */
SG_API sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y);

/* Writes the model as JSON (docs/model-file.md). The file is replaced atomically: after a failure it is unchanged. "-"
 * is standard output. */
SG_API sg_status sg_model_save(const sg_model *m, const char *path);
/* Reads a model file of this or any earlier release; "-" is standard input. */
SG_API sg_status sg_model_load(const char *path, sg_model **out);
SG_API void sg_model_free(sg_model *m);

/* === 2. Data =============================================================================== */

struct sg_comm; /* section 6 */

/* An interface to rows. Fill one in to train from a database, a ring buffer or a generator; leave unused members 0. The
 * functions may be called by several threads at the same time. Training and evaluation ignore rows without a target or
 * a weight. */
struct sg_source {
    void *self;       /* passed to the functions            */
    const char *name; /* file name for messages, or NULL    */
    size_t rows;
    size_t columns;
    const char *const *names; /* (columns) */
    /* Copies the rows [first, first + n) to out[n * columns]. */
    sg_status (*read)(void *self, size_t first, size_t n, double *out);
    /* Copies the rows with the given indices to out[n * columns]. If NULL, rows are read one at a time. */
    sg_status (*gather)(void *self, const size_t *rows, size_t n, double *out);
    /* Returns the name of level i of a categorical column, or NULL if there is no such level. The cells of the column
     * are level indices. If NULL, all columns are numeric. */
    const char *(*level)(void *self, size_t column, size_t i);
    /* The communicator of distributed rows, or NULL if all rows are local. `rows` counts the rows of all ranks. This
     * rank can read the rows [local_first, local_first + local_rows); the ranges of successive ranks are adjacent. */
    const struct sg_comm *comm;
    size_t local_first, local_rows;
    /* Non-zero if gather waits for a disk or a network. The trainer then prefetches the rows of the next batches. */
    int slow_gather;
    /* The column with row weights, used if the option weights is not set; it is never an input. May be NULL. */
    const char *weight_column;
    /* Bytes of the rows that count towards the limit of the option memory; 0 for rows on disk or in your own memory. */
    size_t resident_bytes;
    /* Stores a pointer to the rows [first, first + n) instead of copying them, or fails as read would. May be NULL. A
     * source that wraps another source and changes its rows must replace or clear this member. */
    sg_status (*view)(void *self, size_t first, size_t n, const double **out);
};

/* --- Tables in memory --- */

/* Creates a table. Copies the names and values[rows * columns], which must be finite or NaN. */
SG_API sg_status sg_table_new(const char *const *names, size_t columns, const double *values, size_t rows,
                              sg_table **out);
/* Generates a dataset: "mackey-glass" (x(t-18), x(t-12), x(t-6), x(t) -> x(t+6)), "friedman" (Friedman's first function
 * with unit noise) or "lcg" (the deterministic test case). */
SG_API sg_status sg_table_generate(const char *name, size_t rows, uint64_t seed, sg_table **out);
/* Return the number of rows, the number of columns, the name of a column, and values[rows * columns]. */
SG_API size_t sg_table_rows(const sg_table *t);
SG_API size_t sg_table_columns(const sg_table *t);
SG_API const char *sg_table_name(const sg_table *t, size_t column);
SG_API const double *sg_table_values(const sg_table *t);
/* Returns the name of the i-th column that was dropped when the file was read, or NULL after the last one. */
SG_API const char *sg_table_dropped_column(const sg_table *t, size_t i);
/* Writes the table to a CSV file. */
SG_API sg_status sg_table_save(const sg_table *t, const char *path);

/* A column in the caller's memory. */
typedef struct sg_column {
    const char *name;
    const char *type;          /* as in NumPy: "f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1" or "b1" */
    const void *values;        /* points to the value of row 0                                                    */
    size_t stride;             /* bytes from one row to the next                                                  */
    const char *const *levels; /* NULL-terminated level names of a categorical column, whose values are level indices;
                                  any other value is missing. NULL for a numeric column, with finite values or NaN */
} sg_column;
/* Columns of equal length in the caller's memory, read in place. */
typedef struct sg_frame sg_frame;
/* Creates a frame. Copies the names and levels; the values must outlive the frame. */
SG_API sg_status sg_frame_new(const sg_column *columns, size_t count, size_t rows, sg_frame **out);
SG_API void sg_frame_free(sg_frame *f);
/* Returns the frame's rows as a source. The frame must outlive the source. */
SG_API sg_source sg_frame_source(const sg_frame *f);

/* --- Files and streams --- */

/* Rows from one or more files. */
typedef struct sg_dataset sg_dataset;
/* Opens files of any supported format as one dataset. .npy files are detected by their first bytes and read in place;
 * ARFF, KEEL (.dat) and LIBSVM (.svm, .libsvm) files by their suffix (.gz may follow); all others are CSV. All files
 * must have the same columns; their categories are merged. wanted: as in sg_table_read. Rows that do not fit into the
 * limit of the option memory go to a temporary file. If a .npy file changes before sg_dataset_free, reading fails. */
SG_API sg_status sg_dataset_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                                 size_t wanted_count, sg_dataset **out);
/* Like sg_dataset_open, for validation rows that accompany the training rows `others`: the columns are those of
 * `others`, and the memory limit is what `others` leaves free. */
SG_API sg_status sg_dataset_open_valid(const char *const *paths, size_t count, const sg_options *o,
                                       const sg_source *others, sg_dataset **out);
/* Opens the columns that a model needs: its inputs, its targets if targets != 0, and the weight column `weights` unless
 * it is NULL or "". Columns are read as the types that the model expects. A notice reports levels that the model does
 * not know. */
SG_API sg_status sg_dataset_open_for_model(const char *const *paths, size_t count, const sg_options *o,
                                           const sg_model *m, int targets, const char *weights, sg_dataset **out);
/* Reads Arrow record batches (pyarrow, polars, DuckDB, ...) through the Arrow C stream interface. The call releases
 * each batch before it requests the next one, and finally the stream, even on failure. extra, if not NULL, holds more
 * columns (a target, weights) with the same number of rows, and may be freed after the call. Booleans, integers, floats
 * and decimals are numeric. Strings are classified like the cells of a CSV file. Dictionary-encoded columns are
 * categories. Nulls and NaN are missing values; infinity is an error. Dates, times, durations, nested and binary
 * columns are dropped with a notice; it is an error to name them in wanted. Does not support distributed rows. */
struct ArrowArrayStream;
SG_API sg_status sg_dataset_open_arrow(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                       const char *const *wanted, size_t wanted_count, sg_dataset **out);
/* Combines sg_dataset_open_arrow and sg_dataset_open_for_model. */
SG_API sg_status sg_dataset_open_arrow_for_model(struct ArrowArrayStream *stream, const sg_source *extra,
                                                 const sg_options *o, const sg_model *m, int targets,
                                                 const char *weights, sg_dataset **out);
SG_API void sg_dataset_free(sg_dataset *d);
/* Returns the rows as a source. The dataset must outlive the source. */
SG_API sg_source sg_dataset_source(const sg_dataset *d);
/* Returns the name of the i-th column that was dropped from the first file, or NULL after the last one. */
SG_API const char *sg_dataset_dropped_column(const sg_dataset *d, size_t i);

/* Writes all rows in the format of the path's suffix (.csv, .npy, .arff, .dat, .svm, .libsvm; "-" is CSV on standard
 * output), block by block and atomically. A .npy file is a structured array with the column names, or a plain 2-D array
 * if the columns are called c1, c2, ... */
SG_API sg_status sg_source_save(const sg_source *rows, const char *path);

/* --- Subsets --- */

/* Some rows of another source, which must outlive the subset. */
typedef struct sg_subset sg_subset;
/* Selects n rows by index. Copies the indices. */
SG_API sg_status sg_subset_new(const sg_source *of, const size_t *rows, size_t n, sg_subset **out);
/* Shuffles the rows by seed and selects those at positions [first, last) if inside != 0, and all others if inside == 0.
 * The selected rows keep the order of the source. */
SG_API sg_status sg_subset_split(const sg_source *of, uint64_t seed, size_t first, size_t last, int inside,
                                 sg_subset **out);
SG_API void sg_subset_free(sg_subset *s);
/* Returns the subset as a source. The subset must outlive the source. */
SG_API sg_source sg_subset_source(const sg_subset *s);

/* === 3. Models ============================================================================= */

/* Like sg_model_save and sg_model_load, but in memory. Error messages use name in place of a file name. */
SG_API sg_status sg_model_to_json(const sg_model *m, char **out);
SG_API sg_status sg_model_from_json(const char *text, size_t length, const char *name, sg_model **out);
/* Frees a string that the library returned through a `char **out` parameter. */
SG_API void sg_string_free(char *text);

/* Return the number of inputs and of outputs, and the name of input or output i, or NULL if i is out of range. */
SG_API size_t sg_model_inputs(const sg_model *m);
SG_API size_t sg_model_outputs(const sg_model *m);
SG_API const char *sg_model_input_name(const sg_model *m, size_t i);
SG_API const char *sg_model_output_name(const sg_model *m, size_t i);
/* Returns the number of levels of a categorical input, or 0 for a numeric one. */
SG_API size_t sg_model_levels(const sg_model *m, size_t input);
/* Returns the name of level i of a categorical input, or NULL if there is no such level. */
SG_API const char *sg_model_level(const sg_model *m, size_t input, size_t i);
/* Return the number of blocks (rule bases), of rules, and of trainable parameters. A model that consists only of curves
 * and pairs has no blocks. Each term of a curve and each cell of a pair counts as a rule. */
SG_API size_t sg_model_blocks(const sg_model *m);
SG_API size_t sg_model_rules(const sg_model *m);
/* Returns the number of rules in all blocks, without curves and pairs. */
SG_API size_t sg_model_block_rules(const sg_model *m);
/* Returns the coverage of a rule: its share of the total firing of its block on the training rows. Returns NaN if it is
 * unknown or there is no such rule. */
SG_API double sg_model_rule_coverage(const sg_model *m, size_t block, size_t rule);
SG_API size_t sg_model_parameters(const sg_model *m);
/* Returns all trainable parameters, in the order of docs/model-file.md. */
SG_API const double *sg_model_theta(const sg_model *m);
/* Stores the name and the value of entry i of the training record, both as text. Returns 0 after the last entry. */
SG_API int sg_model_record(const sg_model *m, size_t i, const char **name, const char **value);

/* A system that the search tried and that no other system beat in both error and reading cost. */
typedef struct sg_frontier_point {
    const char *name;      /* such as "curves" or "pairs and 8 rules"; belongs to the model */
    const char *options;   /* the training options that lead to it, as on the command line  */
    double error;          /* validation RMSE                                               */
    double standard_error; /* standard error of `error`; NaN if unknown                     */
    size_t cost;           /* reading cost, as sg_model_reading_cost counts it              */
    size_t rules;          /* as sg_model_rules counts them                                 */
    int chosen;            /* nonzero if the model is this point                            */
} sg_frontier_point;

/* Stores point i of the frontier of the search that led to the model. Returns 0 after the last point. */
SG_API int sg_model_frontier(const sg_model *m, size_t i, sg_frontier_point *out);

/* --- Prediction --- */

/* A model prepared for repeated prediction: sg_predictor_run does not allocate. precision is "f64" or "f32". The model
 * must outlive the predictor, which copies its parameters. */
typedef struct sg_predictor sg_predictor;
SG_API sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads, sg_predictor **out);
/* Predicts y[rows * outputs] from x[rows * inputs], as sg_model_predict does. */
SG_API sg_status sg_predictor_run(sg_predictor *p, const double *x, size_t rows, double *y);
SG_API void sg_predictor_free(sg_predictor *p);

/* Receives the predictions y[rows * outputs] of the rows [first, first + rows). */
typedef sg_status sg_predictions_fn(void *arg, size_t first, size_t rows, const double *y);
/* Predicts all rows of a source in order and calls the callback, in the calling thread, for each block of rows. The
 * model's inputs are matched to columns by name. */
SG_API sg_status sg_model_predict_source(const sg_model *m, const sg_source *rows, size_t threads,
                                         sg_predictions_fn *callback, void *arg);
/* Like sg_model_predict_source, but stores all predictions in y[rows * outputs]. Does not support distributed rows. */
SG_API sg_status sg_model_predict_rows(const sg_model *m, const sg_source *rows, size_t threads, double *y);

/* Returns the name of the kernel in use: the fastest one for this CPU, or the one that the environment variable
 * SUGENO_KERNEL names (reference, portable, avx2, neon). The variable is read whenever a predictor, trainer or similar
 * handle is created. Returns NULL if the named kernel does not exist or cannot run here. */
SG_API const char *sg_kernel_name(void);

/* --- Evaluation --- */

typedef struct sg_metrics {
    size_t rows;          /* rows with all targets and a weight */
    double rmse, mae, r2; /* r2 is 0 if the target is constant  */
} sg_metrics;

/* Evaluates the model and stores one sg_metrics per output. weights: the column of row weights, or NULL. */
SG_API sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                                   sg_metrics *out);

/* Evaluates a model repeatedly on the same rows, for example during training: the rows are checked and transformed
 * once. Each run uses the current parameters of the model, in double precision. The model and the source must outlive
 * the scorer. */
typedef struct sg_scorer sg_scorer;
SG_API sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                               sg_scorer **out);
/* Evaluates the model and stores one sg_metrics per output. */
SG_API sg_status sg_scorer_run(sg_scorer *s, sg_metrics *out);
SG_API void sg_scorer_free(sg_scorer *s);

/* --- Prediction intervals and out-of-distribution rows ---
 * A model file can hold quantiles of held-out errors (calibration) and a lower bound on the rule firing of almost all
 * training rows (support). sg_train fits the support, and calibrates after a search or if the option intervals asks for
 * it. A model from an sg_trainer has neither until sg_model_finish is called. */

/* Computes split conformal prediction intervals around the predictions y[rows * outputs]: the target is between
 * lower[rows * outputs] and upper[rows * outputs] with the probability `level`, 0 < level < 1. Fails if the model is
 * not calibrated, or was calibrated on too few rows for the level. */
SG_API sg_status sg_model_interval(const sg_model *m, double level, const double *y, size_t rows, double *lower,
                                   double *upper);
/* Returns the number of held-out rows that the model was calibrated on, or 0 if it is not calibrated. For weighted
 * rows, this is Kish's effective sample size. */
SG_API size_t sg_model_calibration_rows(const sg_model *m);
/* Calibrates the model on rows that were used neither for training nor for model selection. weights: the column of row
 * weights, or NULL. */
SG_API sg_status sg_model_calibrate(sg_model *m, const sg_source *rows, const char *weights);

/* Fits the support of the model on its training rows. Does nothing for a model without blocks, which has no rules that
 * could fire weakly. */
SG_API sg_status sg_model_fit_support(sg_model *m, const sg_source *rows);
/* Returns whether the support was fitted, or need not be because the model has no blocks. */
SG_API int sg_model_has_support(const sg_model *m);
/* Like sg_model_predict_source, but the predictions of each row are followed by one flag per input: y[rows * (outputs +
 * inputs)]. The flag is 1 for an input outside its training range or with an unknown level, otherwise 0. If no flag is
 * set, but the rules fire more weakly than on almost all training rows, the input that contributes most to this is
 * flagged. For a model without support, only the ranges and levels are checked. */
SG_API sg_status sg_model_predict_ood(const sg_model *m, const sg_source *rows, size_t threads,
                                      sg_predictions_fn *callback, void *arg);

/* === 4. Understanding a model ============================================================== */

/* Describe the rules in the units of the data, as text and as JSON. */
SG_API sg_status sg_model_describe(const sg_model *m, char **out);
SG_API sg_status sg_model_describe_json(const sg_model *m, char **out);
/* Describes the rules in the format "text", "markdown" or "json". In text and Markdown, `top` limits the number of
 * rules, which are then those with the largest coverage of the training rows, and likewise the number of curves and of
 * pairs, which are then the most important ones; 0 means no limit. */
SG_API sg_status sg_model_describe_as(const sg_model *m, const char *format, size_t top, char **out);

/* Returns the number of membership functions of a block. */
SG_API size_t sg_model_mfs(const sg_model *m, size_t block);
/* Computes out[n], the values of a membership function at the n finite values at[n] of its input, and stores the index
 * of that input in *input. Fails for a membership function over a principal component, a category or an effect. */
SG_API sg_status sg_model_membership(const sg_model *m, size_t block, size_t mf, const double *at, size_t n,
                                     size_t *input, double *out);
/* Return the width of a transformed row, and compute the rows a[rows * width] that the conditions see: x[rows * inputs]
 * after the model's transforms (z-scores, clamps, principal components). A missing input is NaN, except that principal
 * components use its mean. In an ensemble, the conditions of most blocks see the transformed inputs of the consequents
 * instead. */
SG_API size_t sg_model_transform_width(const sg_model *m);
SG_API sg_status sg_model_transform(const sg_model *m, const double *x, size_t rows, double *a);

/* --- Curves and pairs ---
 * An additive model predicts its constant plus a curve per input plus tables of pairs of inputs, plus its blocks if it
 * has any. Curves and tables are in the units of the target and centred: they are 0 on average over the training rows.
 */

/* The curve of an input. */
typedef struct sg_curve_view {
    size_t input;
    size_t cells;                 /* knots of a numeric input, or levels of a category                                */
    const double *knot;           /* (cells): ascending positions of the terms; NULL for a category                   */
    const double *value;          /* (cells + 1, outputs): the last row is for missing values. Linear between knots,
                                     constant beyond the outer knots; a level that is not listed adds 0               */
    const double *standard_error; /* (cells + 1, outputs): standard errors of the values; NULL if unknown             */
    const double *share;          /* (cells + 1): mean memberships of the training rows; the last element is for missing
                                     values. They add up to 1. NULL if unknown                                        */
    const double *importance;     /* (outputs): standard deviation of the curve on the training rows; NULL if unknown */
    int monotone;                 /* 1: constrained to rise, -1: constrained to fall, 0: neither                      */
} sg_curve_view;

/* The table of a pair of inputs. Its rows and columns are some of the cells of the inputs' curves; between these cells,
 * it is linear along each input. */
typedef struct sg_pair_view {
    size_t input[2];
    size_t curve[2];         /* indices of their curves                                                        */
    size_t terms[2];         /* number of rows and of columns                                                  */
    const uint32_t *cell[2]; /* (terms of the input): the cells of its curve that are rows or columns          */
    const double *value;     /* (terms of the first, terms of the second, outputs); a missing value or an unlisted level
                                adds 0                                                                         */
    const double *importance; /* (outputs), as for curves */
} sg_pair_view;

/* Return the number of curves and of pairs of a model; 0 if it is not additive. */
SG_API size_t sg_model_curves(const sg_model *m);
SG_API size_t sg_model_pairs(const sg_model *m);
/* Get curve or pair i. Return 0, and leave *out unchanged, if there is no such curve or pair. */
SG_API int sg_model_curve(const sg_model *m, size_t i, sg_curve_view *out);
SG_API int sg_model_pair(const sg_model *m, size_t i, sg_pair_view *out);
/* Returns the constant of an output, in the units of the target, which curves, pairs and blocks are added to. For an
 * additive model without blocks, this is the mean prediction over the training rows. Returns 0 if there is no such
 * output. */
SG_API double sg_model_mean(const sg_model *m, size_t output);
/* Returns how much there is to read in a model. This counts the conditions of the rules of all blocks, the distinct
 * terms (cells of curves, and membership functions that rules use), and the coefficients and values that are not 0,
 * including the mean. A cell of a curve or of a table counts as one value, whatever the number of outputs, and has no
 * conditions. */
SG_API size_t sg_model_reading_cost(const sg_model *m);

/* --- Explanations ---
 * A prediction is the sum over rules of the normalised firing level times the rule's output, which is linear in the
 * inputs. An explanation groups these products, in the target's units, by rule or by input. Added in order as doubles,
 * the terms of a grouping give the prediction to the last bit. The last term holds the rounding error, at most 1e-13
 * times the sum of the absolute values of the others. All terms are finite. */

typedef enum sg_grouping { SG_BY_INPUT, SG_BY_RULE } sg_grouping;

typedef enum sg_term_kind {
    SG_TERM_BASE,     /* by input: the unclipped prediction with all inputs at their training means (categories: at
                         the frequencies of their levels); the same for all rows                                    */
    SG_TERM_INPUT,    /* by input: the change that is due to the input on a straight path from the means to the row, on
                         which log memberships and the inputs of consequents change linearly. A category is one term;
                         an effect of an input is a term of its own                                             */
    SG_TERM_OFFSET,   /* by rule: the part that belongs to no rule; the first term if there are several blocks or
                         curves                                                                                  */
    SG_TERM_RULE,     /* by rule: firing level * output of the rule                                            */
    SG_TERM_CLIP,     /* the change due to clipping of the prediction, if the model clips                      */
    SG_TERM_ROUNDING, /* the rounding error; always the last term                                             */
    SG_TERM_CURVE,    /* what the curve of an input adds; after the rules or inputs in both groupings         */
    SG_TERM_PAIR      /* what the table of a pair of inputs adds; after the curves                            */
} sg_term_kind;

typedef struct sg_term {
    sg_term_kind kind;
    const char *name;   /* "base", the input's name, "rule 3", "block 2 rule 3", "age and water", ... */
    size_t block, rule; /* SG_TERM_RULE: indices from 0; `rule` is within its block           */
    size_t input;       /* SG_TERM_INPUT: index of the input, also for an effect of it. SG_TERM_CURVE: the input.
                           SG_TERM_PAIR: the first input                                      */
    double mean;        /* SG_TERM_INPUT: the reference value; NaN for a category             */
    size_t part;        /* SG_TERM_CURVE, SG_TERM_PAIR: index of the curve or of the pair     */
} sg_term;

/* The explanation of one row and output. */
typedef struct sg_explanation {
    double prediction;      /* equal to the result of sg_model_predict      */
    const double *by_input; /* the terms, in the order of sg_explainer_term */
    const double *by_rule;
    const double *firing;      /* (rules of all blocks): normalised firing levels       */
    const double *rule_output; /* (rules of all blocks): 0 for rules that do not fire   */
    /* The remaining arrays have one element per SG_TERM_INPUT. In value and effective_value, one element
     * per curve follows; there, the effective value is clamped to the range of the knots, or NaN if missing. A model
     * without blocks has no SG_TERM_INPUT. */
    const double *value; /* the input; NaN if missing. For a category, the index of the level, or the number of levels
                            if the level is unknown */
    const double *effective_value; /* the value that consequents use: the clamped input, or its mean if missing */
    const double *slope;           /* the firing-weighted mean of the rules' slopes; NaN for a category         */
} sg_explanation;

/* A model prepared to explain rows. The model must outlive the explainer and keep its parameters. */
typedef struct sg_explainer sg_explainer;
SG_API sg_status sg_explainer_new(const sg_model *m, sg_explainer **out);
SG_API void sg_explainer_free(sg_explainer *e);
/* Return the number of terms of a grouping, and term i or NULL after the last one. The list of terms is the same for
 * all rows. */
SG_API size_t sg_explainer_terms(const sg_explainer *e, sg_grouping by);
SG_API const sg_term *sg_explainer_term(const sg_explainer *e, sg_grouping by, size_t i);
/* Explains the prediction of x[inputs]. Returns one explanation per output, valid until the next call. */
SG_API const sg_explanation *sg_explainer_row(sg_explainer *e, const double *x);
/* Explains the rows [first, first + n) of a source, which must be local, and calls the callback for each. */
typedef sg_status sg_explanation_fn(void *arg, size_t row, const sg_explanation *outputs);
SG_API sg_status sg_explainer_source(sg_explainer *e, const sg_source *rows, size_t first, size_t n,
                                     sg_explanation_fn *callback, void *arg);
/* Describe the last explained row: the text lists the largest terms and the sum of the others, the JSON all terms. row:
 * the row number to print, or 0 for none. */
SG_API sg_status sg_explainer_text(const sg_explainer *e, size_t row, char **out);
SG_API sg_status sg_explainer_json(const sg_explainer *e, size_t row, char **out);

/* --- Importance and partial dependence ---
 * These are computed on all rows of a source, or on a fixed random sample of 10,000 rows if there are more. Importances
 * are root mean squares in the target's units. *used, unless used is NULL, receives the number of rows. */

typedef struct sg_input_importance {
    double permutation;  /* change in the predictions if the input is permuted among the rows */
    double contribution; /* the terms of the input and its effects */
} sg_input_importance;

typedef struct sg_rule_importance {
    double mean_firing;  /* mean normalised firing level                                            */
    double top_fraction; /* fraction of rows where the rule fires most strongly in its block        */
    double ablation;     /* change in the predictions without the rule; 0 if no other rule can fire */
} sg_rule_importance;

/* Computes the importances inputs[outputs * sg_model_inputs] and rules[outputs * sg_model_block_rules], output by
 * output. The contribution of an input includes its curve and half of each of its pairs. */
SG_API sg_status sg_model_importance(const sg_model *m, const sg_source *rows, size_t threads,
                                     sg_input_importance *inputs, sg_rule_importance *rules, size_t *used);
/* Returns the number of values of an input to plot and stores the values in `at`, unless `at` is NULL: the level
 * indices of a category, or at most `most` (2 or more) equally spaced values of the training range. */
SG_API size_t sg_model_input_grid(const sg_model *m, size_t input, size_t most, double *at);
/* Computes the partial dependence y[points * outputs]: the mean prediction with the input set to each of at[points]. */
SG_API sg_status sg_model_partial_dependence(const sg_model *m, const sg_source *rows, size_t input, const double *at,
                                             size_t points, size_t threads, double *y, size_t *used);

/* --- Simplification --- */

/* A candidate of sg_model_simplify. */
typedef struct sg_simplify_point {
    size_t rules, conditions, mfs;
    double rmse; /* over all outputs: an estimate for new rows, from rows that were not used to fit the candidate */
    int chosen;
} sg_simplify_point;

/* Set unused members to 0. */
typedef struct sg_simplify_options {
    size_t max_rules; /* 0: no limit                                                                                */
    double tolerance; /* allowed relative increase of the RMSE: 0.02 is 2 %                                         */
    uint64_t seed;    /* selects the third of the rows that candidates are scored on; they are fitted to the others */
    /* Called for the original model, then for some candidates in order of decreasing size. May be NULL. */
    void (*on_point)(void *arg, const sg_simplify_point *point);
    void *arg;
} sg_simplify_options;

/* Removes conditions and rules, and tunes what remains so that the model predicts as before; also merges similar
 * membership functions and refits the consequents by ridge regression. *out is the candidate with the fewest
 * conditions, membership functions and coefficients within the tolerance; with max_rules, the best one within that
 * limit. If the model's calibration errors are larger than its errors on the rows, the rows are assumed to be training
 * rows, and the RMSEs are raised to what is expected on new rows. Large sources are sampled evenly. From an additive
 * model, removes pairs, curves and terms in order of their cost, and scores on all rows: the remaining values are not
 * refitted, and blocks are unchanged. Each cell of a curve then counts as a rule with one condition and as a membership
 * function, and each cell of a table as a rule with two conditions. Does not support other models with several blocks,
 * or distributed rows. */
SG_API sg_status sg_model_simplify(const sg_model *m, const sg_source *rows, const sg_simplify_options *options,
                                   sg_model **out);

/* --- Report --- */

/* Writes a self-contained HTML page: accuracy on the rows, the rules, and an interactive viewer. rows must have the
 * model's inputs and targets, or be NULL for a page about the model alone. The page embeds evenly spaced rows: at most
 * 20,000, or fewer if there are many columns; its metrics use all rows. weights: as in sg_model_evaluate. The page is
 * written atomically; "-" is standard output. */
SG_API sg_status sg_model_report(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                                 const char *path);

/* === 5. Training step by step ==============================================================
 * The caller drives the loop: one step is one iteration.
 *
 *     sg_options_set(o, "preset", "mbgd-rda");
 *     sg_trainer_new(o, &rows, NULL, &trainer);
 *     do status = sg_trainer_step(trainer, &progress); while (status == SG_OK && progress.more);
 *     sg_trainer_model(trainer, &model); */

typedef struct sg_trainer sg_trainer;

typedef struct sg_progress {
    size_t iteration;  /* the number of this step, starting at 1                                          */
    size_t iterations; /* the number of planned steps                                                     */
    double batch_rmse; /* on this step's batch, before the update, with the dropped rules left out        */
    double valid_rmse; /* after the update; NaN without validation rows, or if not evaluated in this step */
    double best_rmse;  /* the smallest valid_rmse so far or, after the last step, that of the refitted
                          model; NaN without validation rows                                              */
    double rate;       /* learning rate of this step                                                      */
    double mean_rate;  /* mean effective learning rate over all parameters                                */
    int more;          /* 0 once training has finished, after all iterations or by early stopping         */
} sg_progress;

/* Fits the transforms on the training rows and initialises the system. valid: validation rows; if NULL, the option
 * valid-fraction may hold out some of `train`. The sources must outlive the trainer; the options need not. A trainer
 * never searches: with the preset auto it trains one system of 16 clustered rules, the starting point of the search. */
SG_API sg_status sg_trainer_new(const sg_options *o, const sg_source *train, const sg_source *valid, sg_trainer **out);
SG_API void sg_trainer_free(sg_trainer *t);
/* Runs one iteration. After SG_EDIVERGED the trainer holds the last finite parameters, and training is finished. */
SG_API sg_status sg_trainer_step(sg_trainer *t, sg_progress *progress);
/* Returns the current state without running a step. Quantities that belong to a step are 0 or NaN. */
SG_API sg_progress sg_trainer_progress(const sg_trainer *t);
/* Computes the gradient of the regularised loss on the batch of the next step: grad[sg_model_parameters]. This is for
 * custom optimisers and gradient checks: the trainer's state does not change. */
SG_API sg_status sg_trainer_gradient(sg_trainer *t, double *grad);
/* Returns the model after the last step. It belongs to the trainer, and its parameters change with each step. */
SG_API const sg_model *sg_trainer_current(const sg_trainer *t);
/* Returns the training rows, except those that are held out. The trainer must outlive the source. */
SG_API sg_source sg_trainer_rows(const sg_trainer *t);
/* Copies the best iterate on the validation rows or, without validation rows, the last iterate (with the option
 * average, the averaged iterate), together with its training record. After the last step, the consequents are refitted
 * if the options ask for it. */
SG_API sg_status sg_trainer_model(const sg_trainer *t, sg_model **out);

/* Writes a checkpoint, atomically. Training that is resumed from it is bit-identical to uninterrupted training. Call it
 * between steps; it fails after a failed step. */
SG_API sg_status sg_trainer_save(sg_trainer *t, const char *path);
/* Like sg_trainer_new, but continues from the checkpoint if the file exists. Fails if the data, the options or the
 * library version differ; the number of threads and the kernel may differ. */
SG_API sg_status sg_trainer_resume(const char *path, const sg_options *o, const sg_source *train,
                                   const sg_source *valid, sg_trainer **out);

/* Updates the values of curves and pairs with new rows, such as the next part of a stream; knots, pairs and levels are
 * unchanged. The weight of the earlier rows is their number in the training record, and the shares of the curves stand
 * for their distribution. The model must have no blocks. The result has no prediction intervals. */
SG_API sg_status sg_model_update(const sg_model *m, const sg_options *o, const sg_source *rows, sg_model **out);

/* Continues the training of a model of one block on new rows, such as the next part of a stream. Transforms, structure
 * and levels stay as they are; the learning rate schedule starts again. before: the trainer that the model comes from,
 * whose optimiser state and averaged iterate are then used, or NULL. The model and `before` may be freed after the
 * call. Least squares (the options consequents and refit), held-out rows and checkpoints are not available. */
SG_API sg_status sg_trainer_continue(const sg_model *m, const sg_trainer *before, const sg_options *o,
                                     const sg_source *train, sg_trainer **out);

/* --- Cross-validation --- */

/* Receives a held-out row: its index and fold, both from 0, its targets[outputs] and the predictions[outputs] of the
 * model trained without it. */
typedef sg_status sg_out_of_fold_fn(void *arg, size_t row, size_t fold, const double *targets,
                                    const double *predictions);

/* Set unused members to 0. The option seed determines the random folds; rows with equal values in the column of the
 * option group stay together. With ordered != 0, the rows are cut into folds + 1 parts, and each part but the first is
 * predicted by a model trained on all parts before it. */
typedef struct sg_cv_options {
    size_t folds; /* at least 2 */
    int ordered;
    sg_cancel_fn *stop;
    /* Called at the end, in the calling thread and in row order, for the rows of finished folds. With distributed rows,
     * called on rank 0 only. */
    sg_out_of_fold_fn *on_out_of_fold;
    void *arg; /* passed to both functions */
} sg_cv_options;

/* Cross-validates training with any preset and stores metrics[folds * outputs] of the held-out rows. *finished receives
 * the number of finished folds, which is smaller than `folds` only after a cancellation. */
SG_API sg_status sg_cross_validate(const sg_options *o, const sg_source *rows, const sg_cv_options *options,
                                   sg_metrics *metrics, size_t *finished);
/* Calibrates the model by cross-validation with as many folds as the option intervals says. The model is unchanged if
 * that is 0, or after a cancellation. valid: as in sg_train. */
SG_API sg_status sg_model_calibrate_folds(sg_model *m, const sg_options *o, const sg_source *rows,
                                          const sg_source *valid, sg_cancel_fn *cancel, void *arg);
/* Finishes a model that comes from an sg_trainer, as sg_train does: fits its support on the training rows, then calls
 * sg_model_calibrate_folds unless training was cancelled. */
SG_API sg_status sg_model_finish(sg_model *m, const sg_options *o, const sg_source *rows, const sg_source *valid,
                                 int cancelled, sg_cancel_fn *cancel, void *arg);

/* === 6. Distributed training ===============================================================
 * Several processes hold parts of one dataset and train one model, which is bit-identical to the model that a single
 * process would train. libsugeno_mpi (sugeno_mpi.h) wraps an MPI communicator as an sg_comm. All ranks make the same
 * library calls in the same order with the same options. A rank that fails must terminate the others, or they will wait
 * for it. */

typedef struct sg_comm {
    void *self; /* passed to the functions */
    size_t rank, ranks;
    /* Send n bytes to another rank, and receive them from one. Both may block until the other rank takes part. */
    sg_status (*send)(void *self, size_t to, const void *bytes, size_t n);
    sg_status (*recv)(void *self, size_t from, void *bytes, size_t n);
    /* Broadcasts from one rank to all others. */
    sg_status (*bcast)(void *self, size_t from, void *bytes, size_t n);
} sg_comm;

/* Gathers a record of `bytes` bytes from each rank and stores them on all ranks: all[ranks * bytes], in rank order.
 * Here and below, a NULL comm means a single process. */
SG_API sg_status sg_comm_allgather(const sg_comm *c, const void *mine, size_t bytes, void *all);
/* Returns SG_OK if st is SG_OK on all ranks. Otherwise returns on all ranks the status and message of the first rank
 * that failed; the message names the rank unless all ranks failed with the same message. Call it after an operation
 * that may fail on one rank. */
SG_API sg_status sg_comm_agree_status(const sg_comm *c, sg_status st);
/* Makes all files opened with these options distributed: all ranks open the same files at the same time, and each reads
 * its share of the rows. .npy files must be visible to all ranks; other formats are read by rank 0 and scattered. With
 * local != 0, each rank instead opens files of its own, whose rows follow those of the previous rank. An error on one
 * rank is an error on all. comm must outlive everything opened with it; with NULL, opening is local again. */
SG_API void sg_options_set_comm(sg_options *o, const sg_comm *comm, int local);

/* === 7. Helpers for front ends ============================================================= */

/* --- The tables of options and presets, for help texts and bindings --- */

typedef enum sg_option_type {
    SG_OPTION_FLAG,         /* yes or no                                                                  */
    SG_OPTION_INTEGER,      /* an integer within [low, high]                                              */
    SG_OPTION_REAL,         /* a number within [low, high], or its default if that is a word such as none */
    SG_OPTION_INTEGER_LIST, /* comma-separated integers within [low, high]                                */
    SG_OPTION_CHOICE,       /* one of the names of sg_option_choice                                       */
    SG_OPTION_TEXT,         /* any text                                                                   */
    SG_OPTION_BYTES         /* a size within [low, high] bytes, such as 256MB, 1.5G or 4096               */
} sg_option_type;

typedef enum sg_option_group {
    SG_OPTION_GROUP_DATA,  /* how files are read, and which columns are used */
    SG_OPTION_GROUP_MODEL, /* what is trained                                */
    SG_OPTION_GROUP_TRAIN, /* how it is trained                              */
    SG_OPTION_GROUP_RUN    /* options that do not affect the result          */
} sg_option_group;

typedef struct sg_option {
    const char *name;
    sg_option_type type;
    sg_option_group group;
    const char *default_value;          /* as text                                                     */
    double low, high;                   /* bounds of a number                                          */
    const char *choices;                /* names separated by '|', or NULL: see choice_at              */
    const char *(*choice_at)(size_t i); /* returns choice i, or NULL after the last one; may be NULL   */
    const char *value_name;             /* "N", "COLUMN", ... for help                                 */
    const char *help;
} sg_option;

/* Returns the table of options and stores its length in *count. */
SG_API const sg_option *sg_option_table(size_t *count);
/* Returns choice i of an SG_OPTION_CHOICE, or NULL after the last one. The result may point into buf, which has room
 * for size bytes. */
SG_API const char *sg_option_choice(const sg_option *option, size_t i, char *buf, size_t size);
/* Checks a value of an option and stores its canonical form, such as 10 for 1e1, in *out. */
SG_API sg_status sg_option_check(const sg_option *option, const char *value, char **out);

typedef struct sg_preset {
    const char *name;
    const char *settings; /* "name=value name=value ..." */
    const char *help;
} sg_preset;

/* Returns the table of presets and stores its length in *count. */
SG_API const sg_preset *sg_preset_table(size_t *count);

/* Returns the current value of an option as text, or NULL for an unknown name. Valid until the options change. */
SG_API const char *sg_options_get(const sg_options *o, const char *name);
/* Returns whether sg_train searches with these options, as it does with the presets auto and auto-ensemble. */
SG_API int sg_options_is_search(const sg_options *o);
/* Returns whether an sg_trainer can train with these options, step by step. If not, only sg_train can: the presets auto
 * and auto-ensemble search, and additive and additive-pairs solve equations. */
SG_API int sg_options_trains_in_steps(const sg_options *o);
/* Handles an option of the front end in a configuration file. Returns 1 if it handled the option, 0 if the option is
 * unknown to it, and -1 on failure, after calling sg_set_errmsg. */
typedef int sg_option_handler_fn(void *arg, const char *name, const char *value);
/* Reads "name = value" lines from a file and sets the options; '#' starts a comment. Later calls of sg_options_set
 * override them. other, if not NULL, is called first for each option. */
SG_API sg_status sg_options_read(sg_options *o, const char *path, sg_option_handler_fn *other, void *arg);

/* Store the number of targets that the options select in a source, and the name of target i. */
SG_API sg_status sg_target_count(const sg_options *o, const sg_source *rows, size_t *out);
SG_API sg_status sg_target_name(const sg_options *o, const sg_source *rows, size_t i, const char **out);

/* --- Notices, cancellation and errors --- */

/* Receives notices, such as a dropped column or a clamped value: one sentence each. */
typedef void sg_notice_fn(void *arg, const char *sentence);
/* Sets the function that receives notices of calls with these options, or NULL for none. */
SG_API void sg_options_on_notice(sg_options *o, sg_notice_fn *fn, void *arg);
/* Sets a function that can cancel reading data, which then fails with SG_EIO. To cancel training, pass such a function
 * to sg_train. */
SG_API void sg_options_on_cancel(sg_options *o, sg_cancel_fn *fn, void *arg);

/* Lets another thread cancel an operation and watch its progress: pass sg_cancel_token_poll and the address of a zeroed
 * token, and set `cancelled`. All members are read and written atomically. */
typedef struct sg_cancel_token {
    int cancelled;
    size_t done, planned;
} sg_cancel_token;
SG_API int sg_cancel_token_poll(void *token, size_t done, size_t planned);

/* Sets the message of sg_errmsg, for callbacks that fail. */
SG_API void sg_set_errmsg(const char *sentence);

/* --- Text and files --- */

/* Returns the name in a NULL-terminated list that is most similar to a mistyped name, or NULL if none is similar. */
SG_API const char *sg_suggest(const char *typed, const char *const *names);

/* Escapes the first UTF-8 character of a text for a terminal: control and bidirectional characters and invalid bytes
 * become escapes such as \n, \x1b and \u202e. Returns the number of bytes that the character has in the text, or 0 at
 * the end of the text. Messages, notices and descriptions of the library are already escaped. */
enum { SG_ESCAPE_SIZE = 8 };
SG_API size_t sg_escape_char(const char *text, char out[SG_ESCAPE_SIZE]);

/* Writes the shortest decimal that parses to the same double, independent of the locale. Returns buf. */
SG_API const char *sg_number_format(double value, char buf[32]);

/* Returns whether a text column with this number of values (words) and distinct values (levels) identifies rows rather
 * than categories. File readers drop such columns; code that fills an sg_frame should do the same. */
SG_API int sg_column_is_identifier(size_t words, size_t levels);
/* Returns SG_OK if sg_source_save supports the suffix of the path, and an error otherwise. */
SG_API sg_status sg_source_can_save(const char *path);

/* A file that appears at its path either complete or not at all: it is written to a temporary file in the same folder,
 * which is renamed on commit. "-" is standard output, which is written directly. */
typedef struct sg_atomic_file sg_atomic_file;
/* Open a file for writing, and append n bytes to it. */
SG_API sg_status sg_atomic_file_open(const char *path, sg_atomic_file **out);
SG_API sg_status sg_atomic_file_write(sg_atomic_file *f, const char *bytes, size_t n);
/* Syncs and renames the file. Frees f, even on failure. */
SG_API sg_status sg_atomic_file_commit(sg_atomic_file *f);
/* Discards what was written and frees f. */
SG_API void sg_atomic_file_free(sg_atomic_file *f);

#ifdef __cplusplus
}
#endif
#endif
