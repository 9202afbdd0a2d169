/* sugeno.h: the whole public API of libsugeno.
 *
 * Takagi-Sugeno-Kang (TSK) fuzzy systems for regression: train, evaluate, read, save.
 *
 *     sg_options *o;  sg_table *t;  sg_model *m;
 *     sg_options_new(&o);
 *     sg_table_read("data.csv", o, NULL, 0, &t);
 *     sg_source rows = sg_table_source(t);
 *     sg_train(o, &rows, NULL, NULL, NULL, &m);
 *     sg_model_save(m, "model.json");
 *
 * chooses how to train by itself, in seconds or minutes. One training, step by step:
 *
 *     sg_options_set(o, "preset", "mbgd-rda");
 *     sg_trainer_new(o, &rows, NULL, &tr);
 *     do st = sg_trainer_step(tr, &p); while (st == SG_OK && p.more);
 *     sg_trainer_model(tr, &m);
 *
 * Everything that can fail returns sg_status; the sentence for a person is sg_errmsg(). Handles are
 * opaque: what sg_x_new, sg_x_read or sg_x_load makes, sg_x_free frees; sg_x_free(NULL) is fine.
 * On failure the output parameter is left as it was. The library never prints and never exits.
 * Different threads may use different handles at the same time, and one model for prediction.
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

/* The version of the library that runs, which may be newer than the header. */
SG_API const char *sg_version(void);

/* --- Status ------------------------------------------------------------------------------- */

typedef enum sg_status {
    SG_OK = 0,
    SG_ENOMEM,   /* out of memory, or a size that would overflow          */
    SG_EINVAL,   /* an option or argument that is unknown or out of bounds */
    SG_EIO,      /* a file that can't be opened, read or written           */
    SG_EDATA,    /* a file or table whose contents are wrong               */
    SG_EDIVERGED /* training left the finite numbers; the last finite parameters are kept */
} sg_status;

/* The sentence for the last failure in this thread, without a final newline. */
SG_API const char *sg_errmsg(void);
/* For callbacks that fail with a sentence of their own. */
SG_API void sg_set_errmsg(const char *sentence);

/* --- Options -------------------------------------------------------------------------------
 * One table holds every option: name, type, default, bounds, help. Values are set by name, as text;
 * a value that is set beats the preset's, which beats the default. The preset of new options is auto. */

typedef struct sg_options sg_options;

typedef enum sg_option_type {
    SG_OPTION_FLAG,    /* yes or no                                   */
    SG_OPTION_INTEGER, /* a whole number within [low, high]           */
    SG_OPTION_REAL,    /* a number within [low, high], or its default, where that is a word: none */
    SG_OPTION_COUNTS,  /* whole numbers within [low, high], by commas */
    SG_OPTION_CHOICE,  /* one of the names of sg_option_choice        */
    SG_OPTION_TEXT,    /* anything                                    */
    SG_OPTION_SIZE     /* bytes within [low, high]: 256MB, 1.5G, 4096 */
} sg_option_type;

typedef enum sg_option_group {
    SG_GROUP_DATA,  /* how files are read and which columns are used */
    SG_GROUP_MODEL, /* what is trained                               */
    SG_GROUP_TRAIN, /* how it is trained                             */
    SG_GROUP_RUN    /* what can't change the numbers                 */
} sg_option_group;

typedef struct sg_option {
    const char *name;
    sg_option_type type;
    sg_option_group group;
    const char *fallback;          /* the default, as text                            */
    double low, high;              /* bounds of numbers                               */
    const char *choices;           /* names separated by '|', or NULL: see list       */
    const char *(*list)(size_t i); /* the i-th name of a table of kinds, or NULL */
    const char *value_name;        /* "N", "COLUMN", ... for help              */
    const char *help;
} sg_option;

/* The table, for help texts and bindings. */
SG_API const sg_option *sg_option_table(size_t *count);
/* The i-th name that a CHOICE takes, or NULL after the last one; copied into buf where needed. */
SG_API const char *sg_option_choice(const sg_option *option, size_t i, char *buf, size_t size);

/* Whether the row allows the value; *out is then its usual form (1e1 -> 10), to be freed with
 * sg_text_free. */
SG_API sg_status sg_option_check(const sg_option *option, const char *value, char **out);

typedef struct sg_preset {
    const char *name;
    const char *settings; /* "name=value name=value ..." */
    const char *help;
} sg_preset;

SG_API const sg_preset *sg_preset_table(size_t *count);

SG_API sg_status sg_options_new(sg_options **out);
SG_API void sg_options_free(sg_options *o);
SG_API sg_status sg_options_set(sg_options *o, const char *name, const char *value);
/* Reads "name = value" lines ('#' starts a comment) and sets them, so read the file before you set
 * what shall win. other, if not NULL, is asked first and may take a name: 1 taken, 0 not mine, -1
 * wrong, with its own sentence stored by sg_set_errmsg. */
typedef int sg_other_fn(void *arg, const char *name, const char *value);
SG_API sg_status sg_options_read(sg_options *o, const char *path, sg_other_fn *other, void *arg);
/* The value in force, as text, or NULL for an unknown name. Valid until the next change of o. */
SG_API const char *sg_options_get(const sg_options *o, const char *name);
/* The one of names (NULL-ended) that a mistyped one is likely to mean, or NULL. */
SG_API const char *sg_suggest(const char *typed, const char *const *names);
/* Names and levels come from files, and may hold anything. The first character of a text (NUL-ended, UTF-8) as a
 * terminal may have it: itself; or, where the terminal would act on it, or where it is none, written out: \n, \x1b,
 * \u202e. Returns of how many bytes it is, 0 at the end. What the library says (sg_errmsg, notices) and tells in words
 * is shown so already. */
enum { SG_SHOWN_SIZE = 8 };
SG_API size_t sg_shown(const char *text, char out[SG_SHOWN_SIZE]);

/* Notices (a column left out, a value clamped): one sentence each. Set none to ignore them. */
typedef void sg_notice_fn(void *arg, const char *sentence);
SG_API void sg_options_on_notice(sg_options *o, sg_notice_fn *fn, void *arg);

/* Asked now and then by what may take long, from any thread; non-zero ends it early. done of planned: iterations, or,
 * where there is a search, work in a unit of its own; in cross-validation those of all folds; rows while they are read,
 * of 0, since nobody knows. */
typedef int sg_stop_fn(void *arg, size_t done, size_t planned);
/* One that does what its arg, an sg_request, says: whoever waits for the end in another thread sets stop, and sees how
 * far it is. Zeroed at the start; read and written as single words. */
typedef struct sg_request {
    int stop;
    size_t done, planned;
} sg_request;
SG_API int sg_stop_on_request(void *request, size_t done, size_t planned);
/* Ends the reading of files and streams, with SG_EIO and nothing left behind. Set none to read to the end. Trainings
 * are given theirs. */
SG_API void sg_options_on_stop(sg_options *o, sg_stop_fn *fn, void *arg);

/* --- Files ----------------------------------------------------------------------------------
 * What is written through an output appears at its path whole, at commit, or not at all: it goes to
 * a temporary file beside the target. "-" is standard output, which is written as it comes. */

typedef struct sg_output sg_output;
SG_API sg_status sg_output_open(const char *path, sg_output **out);
SG_API sg_status sg_output_write(sg_output *o, const char *bytes, size_t n);
/* Syncs and renames. Frees o, also on failure. */
SG_API sg_status sg_output_commit(sg_output *o);
/* Abandons what was written and frees o. */
SG_API void sg_output_free(sg_output *o);
/* The shortest decimal that reads back as the same double, whatever the locale. Returns buf. */
SG_API const char *sg_format_number(double value, char buf[32]);

/* --- Rows -----------------------------------------------------------------------------------*/

/* A table of numbers in memory, row by row, with named columns; the words of a column of categories are numbers
 * there, too: see `level` of sg_source. */
typedef struct sg_table sg_table;

/* Reads a CSV file ("-": standard input; gzip is recognised). Of the columns only those in wanted
 * are kept, in file order; wanted NULL keeps all that hold numbers or categories: words, unless they are dates or
 * identifiers (docs/decisions.md), or the options categorical and numeric say otherwise. Unwanted columns may hold
 * anything. A cell that is empty, or a word of the option missing, is a missing value: NaN. */
SG_API sg_status sg_table_read(const char *path, const sg_options *o, const char *const *wanted, size_t wanted_count,
                               sg_table **out);
/* Copies values[rows * columns], each finite or, where it is missing, NaN. */
SG_API sg_status sg_table_new(const char *const *names, size_t columns, const double *values, size_t rows,
                              sg_table **out);
/* Data that is computed, not read: "mackey-glass" (x(t-18), x(t-12), x(t-6), x(t) -> x(t+6)),
 * "friedman" (Friedman's first function with unit noise), "lcg" (the deterministic case). */
SG_API sg_status sg_table_generate(const char *name, size_t rows, uint64_t seed, sg_table **out);
SG_API void sg_table_free(sg_table *t);
SG_API size_t sg_table_rows(const sg_table *t);
SG_API size_t sg_table_columns(const sg_table *t);
SG_API const char *sg_table_name(const sg_table *t, size_t column);
/* The i-th column that the file had besides (not wanted, ignored, dates, ...); NULL after the last. */
SG_API const char *sg_table_left_out(const sg_table *t, size_t i);
SG_API const double *sg_table_values(const sg_table *t);
SG_API sg_status sg_table_save(const sg_table *t, const char *path);

/* Processes that hold the rows of one dataset together, and train one model: what they need of each other.
 * libsugeno_mpi makes one of an MPI communicator. Every member makes the same calls of the library in the same
 * order, with the same options; calls come from the thread that called the library. A member that fails must
 * end the others, or they wait for it. */
typedef struct sg_team {
    void *self;
    size_t rank, ranks; /* this member, and how many there are */
    sg_status (*send)(void *self, size_t to, const void *bytes, size_t n);
    sg_status (*receive)(void *self, size_t from, void *bytes, size_t n);
    /* From one member to all the others. */
    sg_status (*share)(void *self, size_t from, void *bytes, size_t n);
} sg_team;

/* Everyone's record of the same size to everyone: all[ranks * bytes], in the order of ranks. A team that is NULL
 * is one member, here and below. */
SG_API sg_status sg_team_all(const sg_team *t, const void *mine, size_t bytes, void *all);
/* SG_OK where st is so on all members; else, on all of them, the status of the first one that failed and its
 * sentence, with its rank before it where the others did not fail with the same. For what one member may do
 * without success, before all go on. */
SG_API sg_status sg_team_agree(const sg_team *t, sg_status st);
/* Files that are opened with these options are then read by the team, which must outlive what is opened: all
 * members open the same files at the same time, and each reads its own part of the rows. Where all of them are
 * read in place (.npy), all members must see them; others are read by member 0 and dealt out. local != 0: the files
 * of each member are its own, and hold the rows that follow those of the member before. What members do not see
 * alike, and what one of them can't read, is a failure on all. NULL: one process again. */
SG_API void sg_options_team(sg_options *o, const sg_team *team, int local);

/* Where rows come from. A struct of functions: fill one to train from wherever your rows are, and leave the
 * rest 0. A missing value is NaN: rows without a target or a weight are neither trained on nor scored, any others
 * are. read and gather write n rows of `columns` numbers each; both may be called from several threads.
 * gather may be NULL: then single rows are read. */
typedef struct sg_source {
    void *self;
    const char *name; /* of the file, for messages; may be NULL */
    size_t rows;
    size_t columns;
    const char *const *names;
    sg_status (*read)(void *self, size_t first, size_t n, double *out);
    sg_status (*gather)(void *self, const size_t *rows, size_t n, double *out);
    /* The i-th level of a column of categories, whose numbers are then 0, 1, ... for its levels; NULL after the
     * last one, and for a column of numbers. May be NULL: all columns are numbers. */
    const char *(*level)(void *self, size_t column, size_t i);
    /* Rows of a team, or NULL: all are here. Then `rows` counts those of all members, of which [first, first +
     * here) can be read from this one, and each member has those that follow the rows of the one before. */
    const sg_team *team;
    size_t first, here;
    /* Not 0: gather waits for a disk or a network. Then a thread of the trainer's asks for the rows of the next
     * batches while one is worked on. */
    int slow;
    /* The name of the column that holds row weights, where the option weights names none: it is no input then, and
     * none either where that one names another. May be NULL. */
    const char *weights;
    /* Bytes of memory that its rows take of the option memory; 0 for rows that are somewhere else, or your own. What
     * is left of it is for reading ahead. */
    size_t held;
    /* Rows where they lie, in place of a copy: (n, columns), checked as read would. May be NULL; a source that wraps
     * another one and reads other rows must set it. */
    sg_status (*look)(void *self, size_t first, size_t n, const double **out);
} sg_source;

/* The table's rows; the table must outlive the source. */
SG_API sg_source sg_table_source(const sg_table *t);

/* Columns that lie in your memory, and stay there: as many rows of each. A column of categories has levels, and its
 * numbers are 0, 1, ... for these; any other number is a missing value. */
typedef struct sg_column {
    const char *name;
    const char *type;          /* as NumPy has it: "f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"   */
    const void *values;        /* of row 0                                                                            */
    size_t step;               /* bytes from one row to the next                                                      */
    const char *const *levels; /* NULL-ended; or NULL: numbers, each finite or, where it is missing, NaN       */
} sg_column;
typedef struct sg_frame sg_frame;
/* Names and levels are copied; values must outlive the frame. */
SG_API sg_status sg_frame_new(const sg_column *columns, size_t count, size_t rows, sg_frame **out);
/* Its rows; the frame must outlive the source. */
SG_API sg_source sg_frame_source(const sg_frame *f);
SG_API void sg_frame_free(sg_frame *f);
/* Whether so many words, of so many levels, are names of the rows rather than categories. Who makes a frame leaves them
 * out; files and streams are read so. */
SG_API int sg_words_identify(size_t words, size_t levels);

/* Data from files, whatever they are: NumPy's .npy, told by its first bytes, is read in place, row by row
 * when rows are asked for; ARFF, KEEL's .dat and LIBSVM's .svm or .libsvm, told by their names (.gz may follow), and
 * CSV, which is all the rest, are read into a table. Several files are one dataset, in their order, and must
 * have the same columns; categories that differ are put together. wanted as for sg_table_read. A .npy file must stay
 * as it is until sg_data_free: once it was changed, reading fails, unless it is small enough to have been read as a
 * whole (option memory). */
typedef struct sg_data sg_data;
SG_API sg_status sg_data_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                              size_t wanted_count, sg_data **out);
/* The same of rows that go along with others, to validate with: the columns are theirs, and the memory is what these
 * leave over. The option cache does not count, since it is for the others. */
SG_API sg_status sg_data_open_beside(const char *const *paths, size_t count, const sg_options *o,
                                     const sg_source *others, sg_data **out);
/* Data from Arrow record batches (pyarrow, polars, DuckDB, ...), through the Arrow C stream interface; its
 * specification has the struct. The stream is released by the call, also where it fails, and each batch before the next
 * one is asked for: rows that take more than the option memory go to a temporary file, like those of a text file.
 * beside, if not NULL, has columns that follow those of the stream (a target, weights: its `weights` counts), and
 * exactly as many rows; it may go afterwards. wanted as for sg_table_read. Bool, integers, floats and decimals are
 * numbers. Texts are judged as cells of a CSV file are. What is dictionary-encoded is a category, whatever it looks
 * like; its levels are those that occur. Nulls and NaN are missing values, infinity is an error. Dates, times and
 * durations, and what is nested or binary, are left out with a notice; wanted, they are an error. Not for a team. */
struct ArrowArrayStream;
SG_API sg_status sg_data_open_arrow(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                    const char *const *wanted, size_t wanted_count, sg_data **out);
/* Its rows; the data must outlive the source. */
SG_API sg_source sg_data_source(const sg_data *d);
/* The i-th column that the file had besides; NULL after the last. */
SG_API const char *sg_data_left_out(const sg_data *d, size_t i);
SG_API void sg_data_free(sg_data *d);
/* Writes all rows, a block at a time, in the format that the path ends with (.csv, .npy, .arff, .dat, .svm, .libsvm;
 * "-" is CSV to standard output). A .npy file is structured with the columns' names, or a plain 2-D array where they
 * are called c1, c2, ... by position. */
SG_API sg_status sg_data_save(const sg_source *rows, const char *path);
/* Whether it knows the end of the path, for those who want to know before they read. */
SG_API sg_status sg_data_can_save(const char *path);

/* Some rows of another source, which must outlive it. */
typedef struct sg_subset sg_subset;
SG_API sg_status sg_subset_new(const sg_source *of, const size_t *rows, size_t n, sg_subset **out);
/* Shuffle the rows by seed: takes those whose place in the shuffled order lies in [first, last)
 * (inside != 0), or all others (inside == 0); the rows keep the order of the source. */
SG_API sg_status sg_subset_split(const sg_source *of, uint64_t seed, size_t first, size_t last, int inside,
                                 sg_subset **out);
SG_API sg_source sg_subset_source(const sg_subset *s);
SG_API void sg_subset_free(sg_subset *s);

/* --- Models ---------------------------------------------------------------------------------*/

typedef struct sg_model sg_model;

SG_API sg_status sg_model_load(const char *path, sg_model **out);
/* Atomic: the file is complete or as it was before. "-": standard output. */
SG_API sg_status sg_model_save(const sg_model *m, const char *path);
/* The same text in memory; *out is to be freed with sg_text_free. name stands in error messages. */
SG_API sg_status sg_model_to_text(const sg_model *m, char **out);
SG_API sg_status sg_model_from_text(const char *text, size_t length, const char *name, sg_model **out);
SG_API void sg_model_free(sg_model *m);
SG_API void sg_text_free(char *text);

SG_API size_t sg_model_inputs(const sg_model *m);
SG_API size_t sg_model_outputs(const sg_model *m);
SG_API const char *sg_model_input_name(const sg_model *m, size_t i);
/* Levels of an input that is a category, 0 for one of numbers; and their texts, NULL after the last. */
SG_API size_t sg_model_levels(const sg_model *m, size_t input);
SG_API const char *sg_model_level(const sg_model *m, size_t input, size_t i);
SG_API const char *sg_model_output_name(const sg_model *m, size_t i);
SG_API size_t sg_model_blocks(const sg_model *m);
SG_API size_t sg_model_rules(const sg_model *m); /* of all blocks */
SG_API size_t sg_model_parameters(const sg_model *m);
/* All trainable numbers, in the order of docs/model-file.md; valid as long as the model. */
SG_API const double *sg_model_theta(const sg_model *m);
/* The i-th fact of the training record, both as text: i from 0 until it returns 0. */
SG_API int sg_model_record(const sg_model *m, size_t i, const char **name, const char **value);

/* y[rows * outputs] from x[rows * inputs], in the units of the data. An input that is NaN is missing: conditions
 * on it are left out, consequents take its training mean. Of a category x has the number of its level, as
 * sg_model_level counts them; any other number is a level that was not seen in training (or rarely, where there were
 * more than 32). */
SG_API sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y);
/* A model made ready to predict again and again: run allocates nothing and lays nothing out anew.
 * precision is "f64" or "f32"; threads 0: one for each core, each with room of its own. The model must
 * outlive the predictor, which keeps the parameters of its making and which one thread at a time may
 * use. */
typedef struct sg_predictor sg_predictor;
SG_API sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads, sg_predictor **out);
SG_API sg_status sg_predictor_run(sg_predictor *p, const double *x, size_t rows, double *y);
SG_API void sg_predictor_free(sg_predictor *p);
/* What computes here: the fastest kernel that the CPU can run, or the one that the environment
 * variable SUGENO_KERNEL names (reference, portable, avx2, neon), read whenever something is made or
 * called that computes. NULL where that one does not exist or can't run. */
SG_API const char *sg_kernel_name(void);
/* What the rules' conditions see of a row (in a committee those of most blocks see what consequents see): the inputs
 * after the model's transforms (z-scores, clamps, principal components); NaN where an input is missing, unless they see
 * components: these are made with its mean. a[rows * width] from x[rows * inputs]. */
SG_API size_t sg_model_view_width(const sg_model *m);
SG_API sg_status sg_model_view(const sg_model *m, const double *x, size_t rows, double *a);
/* Finds the model's inputs among the source's columns by name; calls take for each block of rows.
 * threads 0: one for each core. */
typedef sg_status sg_take_fn(void *arg, size_t first, size_t rows, const double *y);
SG_API sg_status sg_model_predict_source(const sg_model *m, const sg_source *rows, size_t threads, sg_take_fn *take,
                                         void *arg);

/* The same into y[rows * outputs]. */
SG_API sg_status sg_model_predict_rows(const sg_model *m, const sg_source *rows, size_t threads, double *y);

/* --- How sure a model is ---
 * Two things that are learnt of rows and stored in the model file: errors, and how rules fire. sg_train takes care of
 * the second and, after a search or where the option intervals asks for it, of the first; a model that a trainer made
 * knows neither. */

/* Where a target lies with a probability of `level`, above 0 and below 1, for each of y[rows * outputs] that the model
 * predicted: lower and upper are as large. They are as far off y as the share `level` of the errors of rows that the
 * model was not trained on (conformal intervals), and within the limits of --clip. Fails where the model knows no such
 * errors, or too few for the level. */
SG_API sg_status sg_model_interval(const sg_model *m, double level, const double *y, size_t rows, double *lower,
                                   double *upper);
/* How many rows' errors the model knows; 0: none. Of rows that weigh unlike, so many alike ones as say as much. */
SG_API size_t sg_model_interval_rows(const sg_model *m);
/* Learns the errors of rows that were used for nothing else: neither to train nor to choose. weights: name of the
 * column of row weights, or NULL. */
SG_API sg_status sg_model_calibrate(sg_model *m, const sg_source *rows, const char *weights);

/* Learns how the rules fire on the rows that the model was trained on. */
SG_API sg_status sg_model_cover(sg_model *m, const sg_source *rows);
/* As sg_model_predict_source, and after a row's predictions a number for each input, y[rows * (outputs + inputs)]: 1
 * where it lies outside, else 0. Outside is an input beyond its range in the training rows, or a level that they do not
 * have; or, if there is none, but the rules fire less than on next to any of the training rows, that input without
 * which they would fire most. A model that does not know how they fire looks at the ranges alone. */
SG_API sg_status sg_model_predict_outside(const sg_model *m, const sg_source *rows, size_t threads, sg_take_fn *take,
                                          void *arg);
/* Whether it knows how they fire. */
SG_API int sg_model_covers(const sg_model *m);

typedef struct sg_metrics {
    size_t rows;          /* that have all targets, and a weight */
    double rmse, mae, r2; /* r2 is 0 where the target is constant */
} sg_metrics;

/* One sg_metrics for each output. weights: name of the column of row weights, or NULL. */
SG_API sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                                   sg_metrics *out);

/* Rows on which a model is evaluated again and again, while it is trained, for instance: they are
 * checked and transformed once. Each run takes the model's parameters as they are then, and computes in
 * double. The model and
 * the source's rows must outlive the scorer. */
typedef struct sg_scorer sg_scorer;
SG_API sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                               sg_scorer **out);
SG_API sg_status sg_scorer_run(sg_scorer *s, sg_metrics *out);
SG_API void sg_scorer_free(sg_scorer *s);

/* The rules in words, in the data's own units. */
SG_API sg_status sg_model_describe(const sg_model *m, char **out);
/* The same as JSON. */
SG_API sg_status sg_model_describe_json(const sg_model *m, char **out);
/* As "text", "markdown" or "json"; in words `top` rules, those that govern most of the training rows, 0: all. */
SG_API sg_status sg_model_describe_as(const sg_model *m, const char *format, size_t top, char **out);

/* Membership functions of a block, and one of them: out[n] for the values at[n], which are finite, of the input that it
 * is over, whose number goes to *input. Not for one over a component, a level or an effect. */
SG_API size_t sg_model_mfs(const sg_model *m, size_t block);
SG_API sg_status sg_model_membership(const sg_model *m, size_t block, size_t mf, const double *at, size_t n,
                                     size_t *input, double *out);

/* A model with fewer rules, conditions and membership functions, and how it does. */
typedef struct sg_simpler {
    size_t rules, conditions, mfs;
    double rmse; /* on rows that its consequents were not found on, over all outputs together */
    int chosen;
} sg_simpler;
/* How to simplify; leave what you do not need 0. */
typedef struct sg_simplify {
    size_t max_rules; /* 0: any number                                                */
    double tolerance; /* how much larger the RMSE may get: 0.02 is 2 %                */
    uint64_t seed;    /* which rows judge: a third, what simpler models do is found on the others */
    /* Called for the model as it is, then for the simpler ones, the largest first: one for each number of rules, unless
     * fewer do as well. May be NULL. */
    void (*take)(void *arg, const sg_simpler *point);
    void *arg;
} sg_simplify;
/* Merges membership functions that can't be told apart, leaves out conditions and rules that do not matter, finds
 * consequents anew by ridge regression. *out is the one with the fewest rules whose RMSE is within the tolerance, or of
 * those that have few enough rules the best. Of models of one block; of many rows some that are spread evenly are
 * taken. Not for rows of a team. */
SG_API sg_status sg_model_simplify(const sg_model *m, const sg_source *rows, const sg_simplify *how, sg_model **out);

/* One page (HTML) that opens in any browser without a network: how well the model does on the rows, which have its
 * inputs and targets, what its rules say, and a viewer that evaluates it. rows may be NULL: then it is about the model
 * alone. Of more than 20,000 rows, or 400,000 numbers, the page holds so many, evenly spread; its figures are of all.
 * weights and threads as of sg_model_evaluate. Complete, or as it was before; "-": standard output. */
SG_API sg_status sg_model_report(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                                 const char *path);

/* Opens what a model needs of the files: its inputs, with targets != 0 also its targets, and the column of that
 * name as weights, unless it is NULL or "". Categories are read as such, whatever they look like, all else as numbers.
 * Levels that were not seen in training are counted in one notice. */
SG_API sg_status sg_data_open_for(const char *const *paths, size_t count, const sg_options *o, const sg_model *m,
                                  int targets, const char *weights, sg_data **out);
/* The same of an Arrow stream and columns beside it, see sg_data_open_arrow. */
SG_API sg_status sg_data_open_arrow_for(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                        const sg_model *m, int targets, const char *weights, sg_data **out);

/* --- Explanations ---------------------------------------------------------------------------
 * A prediction is the sum over rules of their firing level times what they say, which is a constant and a slope for
 * each input. An explanation has these terms in the target's units, put together by rule and by input. The terms
 * of either, added as doubles in their order, are the prediction to the last bit; the last one is what rounding
 * leaves, at most 1e-13 times the sum of the sizes of the others. All numbers are finite. */

typedef enum sg_grouping { SG_BY_INPUT, SG_BY_RULE } sg_grouping;

typedef enum sg_term_kind {
    SG_TERM_BASE,    /* by input: the prediction where all inputs are at their training means, the same for all rows;
                        of a category the shares of its levels are the means, and limits of predictions do not count */
    SG_TERM_RULES,   /* by input: what it adds that other rules fire here than at these means                       */
    SG_TERM_INPUT,   /* by input: slope * (input - mean), with the slope that the rules that fire have together; 0
                        where it is missing. A category is one term, an effect of an input is one of its own        */
    SG_TERM_OFFSET,  /* by rule, first, where there are several blocks: what is no rule's                           */
    SG_TERM_RULE,    /* by rule: firing level * what it says                                                        */
    SG_TERM_CLIP,    /* where the model limits predictions: what that takes away or adds                            */
    SG_TERM_ROUNDING /* the last one                                                                                */
} sg_term_kind;

typedef struct sg_term {
    sg_term_kind kind;
    const char *name;   /* "base", "rules", the input's, "rule 3", "block 2 rule 3", ... */
    size_t block, rule; /* of a rule, from 0; the second within its block                */
    size_t input;       /* of an input; an effect of one has that of the input           */
    double mean;        /* of an input: what it is compared with; NaN of a category      */
} sg_term;

/* A row and an output. */
typedef struct sg_explanation {
    double prediction;      /* as sg_model_predict has it                                                   */
    const double *by_input; /* terms, in the order of sg_explainer_term                                     */
    const double *by_rule;
    const double *firing, *says;  /* (rules of all blocks): normalised levels; outputs of those that fire, 0 else */
    const double *value, *counts; /* (terms that are inputs): the value, NaN where it is missing; what it counts as
                                     in consequents: a limit, the mean. Of a category both are the level's number,
                                     as many as there are levels for one that is not listed                       */
    const double *slope;          /* (terms that are inputs): NaN of a category                                   */
} sg_explanation;

/* A model made ready to explain row after row; the model must outlive it, and keep its parameters. One thread at a
 * time. */
typedef struct sg_explainer sg_explainer;
SG_API sg_status sg_explainer_new(const sg_model *m, sg_explainer **out);
SG_API void sg_explainer_free(sg_explainer *e);
/* What there is in a grouping, the same for all rows and outputs; NULL after the last. */
SG_API size_t sg_explainer_terms(const sg_explainer *e, sg_grouping by);
SG_API const sg_term *sg_explainer_term(const sg_explainer *e, sg_grouping by, size_t i);
/* Of x[inputs], as sg_model_predict takes it: one for each output, valid until the next call. */
SG_API const sg_explanation *sg_explainer_row(sg_explainer *e, const double *x);
/* The same of the rows [first, first + n) of a source, counted from 0, by the names of its columns. All of its rows
 * must be here: not with others of a team. */
typedef sg_status sg_explained_fn(void *arg, size_t row, const sg_explanation *outputs);
SG_API sg_status sg_explainer_source(sg_explainer *e, const sg_source *rows, size_t first, size_t n,
                                     sg_explained_fn *take, void *arg);
/* The row that was explained last, in words: the largest terms, and all others as one; what is printed adds up to
 * the last bit, too. As JSON: all terms. row, unless it is 0, is its number to be told. */
SG_API sg_status sg_explainer_text(const sg_explainer *e, size_t row, char **out);
SG_API sg_status sg_explainer_json(const sg_explainer *e, size_t row, char **out);

/* How much inputs and rules matter, in the target's units, over rows of a source: all, or 10,000 that are drawn at
 * random, the same each time. Root mean squares, so that a few large ones count. */
typedef struct sg_input_importance {
    double shuffled; /* how far predictions move where this input is taken from another row at random           */
    double terms;    /* its terms (SG_TERM_INPUT, its effects included): the part of that which slopes explain,
                        and not which rules fire                                                                 */
} sg_input_importance;

typedef struct sg_rule_importance {
    double share;    /* mean firing level                                                                  */
    double leads;    /* share of rows in which it fires most, in its block                                 */
    double left_out; /* how far predictions move without it, where others fire in its place; 0 where none does */
} sg_rule_importance;

/* inputs[outputs * sg_model_inputs], rules[outputs * sg_model_rules]: all of the first output, then of the next. *used,
 * unless it is NULL: how many rows. threads 0: one for each core. */
SG_API sg_status sg_model_importance(const sg_model *m, const sg_source *rows, size_t threads,
                                     sg_input_importance *inputs, sg_rule_importance *rules, size_t *used);
/* Values of an input to look at: of a category the numbers of its levels, else at most `most` (2 or more) at equal
 * steps over its range in the training rows. Returns how many; at may be NULL, to ask for that. */
SG_API size_t sg_model_grid(const sg_model *m, size_t input, size_t most, double *at);
/* Partial dependence: y[points * outputs], the mean prediction over rows as above in which the input is at[point]. */
SG_API sg_status sg_model_partial(const sg_model *m, const sg_source *rows, size_t input, const double *at,
                                  size_t points, size_t threads, double *y, size_t *used);

/* --- Training -------------------------------------------------------------------------------
 * The caller drives: one step is one iteration. */

typedef struct sg_trainer sg_trainer;

typedef struct sg_progress {
    size_t iteration;  /* of the step just made, from 1                                   */
    size_t iterations; /* planned                                                         */
    double batch_rmse; /* on this step's batch, before the update, rules dropped          */
    double valid_rmse; /* after the update; NaN where there are no validation rows, or it
                          was not due in this step                                        */
    double best_rmse;  /* the smallest valid_rmse so far, or that of what was refitted
                          after the last step; NaN without validation rows                */
    double rate;       /* alpha of the step                                               */
    double mean_rate;  /* mean of the effective rate over all parameters; of Jang's step,
                          whose length is alpha: alpha                                    */
    int more;          /* 0: finished, by iterations or by patience                       */
} sg_progress;

/* Fits the transforms on the training rows and initialises the system. valid may be NULL; then
 * the option valid-fraction may set rows aside. The sources must outlive the trainer; the options
 * may go. It never searches: whatever the preset, it trains one system, with the options as they are. With those of
 * auto, which new options have, that is 16 rules that own their MFs, where the search would begin: name the preset that
 * you want. */
SG_API sg_status sg_trainer_new(const sg_options *o, const sg_source *train, const sg_source *valid, sg_trainer **out);
/* After SG_EDIVERGED the trainer holds the last finite parameters, and training is over. */
SG_API sg_status sg_trainer_step(sg_trainer *t, sg_progress *progress);
/* Where the training is, without a step: rates and RMSE of a step are 0 or NaN. */
SG_API sg_progress sg_trainer_progress(const sg_trainer *t);
/* The gradient of the loss over the batch that the next step will draw, regularisation included:
 * grad[sg_model_parameters]. For optimisers of your own, and for checks; nothing changes. */
SG_API sg_status sg_trainer_gradient(sg_trainer *t, double *grad);
/* The system as it is after the last step. The model is the same as long as the trainer; its
 * parameters change with each step. */
SG_API const sg_model *sg_trainer_current(const sg_trainer *t);
/* The rows it trains on: those of train, less those set aside; valid as long as the trainer. */
SG_API sg_source sg_trainer_rows(const sg_trainer *t);
/* A copy of the best iterate by validation, or of the last one (with the option average: of their mean), with its
 * training record; after the last step with consequents that are refitted, where that was asked for. */
SG_API sg_status sg_trainer_model(const sg_trainer *t, sg_model **out);
SG_API void sg_trainer_free(sg_trainer *t);

/* A training that was saved, and killed, goes on to the same bits as one that was not. Save between steps, as
 * often as you like; the file is complete or as it was before. It fails after a step that failed. */
SG_API sg_status sg_trainer_save(sg_trainer *t, const char *path);
/* As sg_trainer_new; goes on from the file where there is one. A file of other data or options, or of another
 * version of the library, is refused; threads and kernel may differ. */
SG_API sg_status sg_trainer_resume(const char *path, const sg_options *o, const sg_source *train,
                                   const sg_source *valid, sg_trainer **out);

/* Trains a model of one block further, on rows that it has not seen, such as the next part of a stream: its transforms,
 * structure and levels stay as they are. Options are those of a training; its iterations come on top, rules start where
 * they are, and the rate's schedule begins anew. before, unless it is NULL, is the trainer that the model is of: then
 * the optimiser and the mean of the iterates go on, too, and --l2 pulls where it pulled; without it, to 0. Both may go
 * afterwards. Consequents by least squares (consequents, refit) would forget all rows but these, and are refused; no
 * rows are set aside, and there are no checkpoints. */
SG_API sg_status sg_trainer_go_on(const sg_model *m, const sg_trainer *before, const sg_options *o,
                                  const sg_source *train, sg_trainer **out);

/* A whole training, by any preset. auto, which new options have, and auto-ensemble choose by validation inside of the
 * rows how to train (sg_options_search is not 0), and want no valid; all others train once, as a trainer does. Where
 * stop, if not NULL, ends it early, the model is the best that is known by then. */
SG_API sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop,
                          void *arg, sg_model **out);
SG_API int sg_options_search(const sg_options *o);
/* A row that was left out: its number in the source and that of its fold, both from 0, its targets[outputs] and what
 * the model that was trained without it predicts. */
typedef sg_status sg_left_out_fn(void *arg, size_t row, size_t fold, const double *targets, const double *predictions);

/* How to cross-validate; leave what you do not need 0. Rows are left out at random, by the seed; rows that are alike in
 * the column of the option group, where it names one, in the same fold. Or in their order, if `ordered` is not 0: then
 * they are cut into folds + 1 parts, and each part but the first is left out by a training on all those before it. */
typedef struct sg_cv {
    size_t folds; /* at least 2 */
    int ordered;
    sg_stop_fn *stop;
    /* Called at the end, by one thread, for the rows that were left out by a finished fold, in their order; with a
     * team by its first member alone. */
    sg_left_out_fn *take;
    void *arg; /* of both */
} sg_cv;

/* metrics[folds * outputs] on the rows left out, of *finished whole folds from the start: all, unless it was
 * stopped. */
SG_API sg_status sg_cross_validate(const sg_options *o, const sg_source *rows, const sg_cv *how, sg_metrics *metrics,
                                   size_t *finished);
/* Does the option intervals for a model of these options and rows: trains again and again without a part of the rows
 * (and beside valid, which may be NULL), and learns the errors of what was left out. Nothing where it is 0, or where
 * stop ended it early. */
SG_API sg_status sg_model_calibrate_folds(sg_model *m, const sg_options *o, const sg_source *rows,
                                          const sg_source *valid, sg_stop_fn *stop, void *arg);
/* How many targets the options name in this source, and the i-th of them; the name is that of the source. */
SG_API sg_status sg_target_count(const sg_options *o, const sg_source *rows, size_t *out);
SG_API sg_status sg_target_name(const sg_options *o, const sg_source *rows, size_t i, const char **out);

#ifdef __cplusplus
}
#endif
#endif
