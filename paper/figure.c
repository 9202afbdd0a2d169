/* figure.c: a figure from its curves to its files, and the CSV among these. */
#include "figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void figure_add_quoted(text *t, char quote, const char *s)
{
    text_add(t, "%c", quote);
    for (; *s; s++) {
        if (*s == quote) text_add(t, "%c", quote);
        text_add(t, "%c", *s);
    }
    text_add(t, "%c", quote);
}

static void add_field(text *t, const char *s)
{
    if (s && strpbrk(s, ",\"\n")) figure_add_quoted(t, '"', s);
    else text_add(t, "%s", s ? s : "");
}

static const char *number(double v, char buf[32]) { return isnan(v) ? "" : sg_number_format(v, buf); }

static void add_csv(text *t, const drawing *d)
{
    text_add(t, "panel,curve,x,y\n");
    for (const panel *p = d->f->panel; p < d->f->panel + d->f->panels; p++)
        for (const curve *c = p->curve; c < p->curve + p->curves; c++)
            for (size_t i = 0; i < c->n; i++) {
                char x[32], y[32];
                add_field(t, p->title);
                text_add(t, ",");
                add_field(t, c->label);
                text_add(t, ",%s,%s\n", number(c->x[i], x), number(c->y[i], y));
            }
}

static sg_status save(const drawing *d, const char *folder, const char *ending, void (*add)(text *t, const drawing *d))
{
    text t = {0};
    char name[80];
    snprintf(name, sizeof name, "%s.%s", d->f->name, ending);
    add(&t, d);
    sg_status st = text_save(&t, folder, name);
    text_free(&t);
    return st;
}

/* So that it needs no quotes and fits everywhere. */
static int name_allowed(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t n = name ? strlen(name) : 0;
    return n > 0 && n <= 64 && strspn(name, allowed) == n;
}

sg_status figure_draw(const figure *f, const char *folder, int *drawn)
{
    *drawn = 0;
    if (!f->columns || !f->panels || !name_allowed(f->name))
        return fail(SG_EINVAL, "a figure needs columns, panels and a plain name");
    drawing d = {.f = f, .plot = calloc(f->panels, sizeof *d.plot)};
    sg_status st = d.plot ? figure_lay_out(&d) : fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) st = save(&d, folder, "csv", add_csv);
    if (st == SG_OK) st = save(&d, folder, "gp", figure_add_script);
    if (st == SG_OK) st = figure_run(folder, f->name, drawn);
    free(d.plot);
    return st;
}
