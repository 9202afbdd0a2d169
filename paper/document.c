/* document.c: see document.h. */
#include "document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- tables --- */

void grid_add(grid *g, const char *format, ...)
{
    va_list args;
    char *made = NULL, **more = g->failed ? NULL : realloc(g->cell, (g->cells + 1) * sizeof *more);
    if (more) g->cell = more;
    va_start(args, format);
    if (!more || vasprintf(&made, format, args) < 0) g->failed = 1;
    else g->cell[g->cells++] = made;
    va_end(args);
}

void grid_free(grid *g)
{
    for (size_t i = 0; i < g->cells; i++) free(g->cell[i]);
    free(g->cell);
    *g = (grid){0};
}

static void add_csv_field(text *t, const char *s)
{
    int quoted = s[strcspn(s, ",\"\n")] != '\0';
    if (quoted) text_add(t, "\"");
    for (; *s; s++) {
        if (*s == '"') text_add(t, "\"");
        text_add(t, "%c", *s);
    }
    if (quoted) text_add(t, "\"");
}

static void grid_csv(const grid *g, text *t)
{
    for (size_t i = 0; i < g->cells; i++) {
        add_csv_field(t, g->cell[i]);
        text_add(t, (i + 1) % g->columns ? "," : "\n");
    }
}

static void grid_markdown(const grid *g, text *t)
{
    for (size_t i = 0; i < g->cells; i++) {
        text_add(t, i % g->columns ? " %s |" : "| %s |", g->cell[i]);
        if ((i + 1) % g->columns == 0) text_add(t, "\n");
        if (i + 1 == g->columns) {
            text_add(t, "|");
            for (size_t c = 0; c < g->columns; c++) text_add(t, " --- |");
            text_add(t, "\n");
        }
    }
}

/* --- the page --- */

/* Escaped, with `code` and [text](address) as elements. */
static void add_html(text *t, const char *s)
{
    int code = 0;
    for (; *s; s++) {
        const char *middle = *s == '[' ? strstr(s, "](") : NULL;
        const char *end = middle ? strchr(middle, ')') : NULL;
        if (end && !memchr(s + 1, '[', (size_t)(middle - s - 1))) {
            text_add(t, "<a href=\"%.*s\">%.*s</a>", (int)(end - middle - 2), middle + 2, (int)(middle - s - 1), s + 1);
            s = end;
        } else if (*s == '`') text_add(t, (code = !code) ? "<code>" : "</code>");
        else if (*s == '<') text_add(t, "&lt;");
        else if (*s == '>') text_add(t, "&gt;");
        else if (*s == '&') text_add(t, "&amp;");
        else text_add(t, "%c", *s);
    }
}

static void grid_html(const grid *g, text *t)
{
    text_add(t, "<div class=\"wide\"><table>\n");
    for (size_t i = 0; i < g->cells; i++) {
        const char *tag = i < g->columns ? "th" : "td";
        if (i % g->columns == 0) text_add(t, "<tr>");
        text_add(t, "<%s>", tag);
        add_html(t, g->cell[i]);
        text_add(t, "</%s>", tag);
        if ((i + 1) % g->columns == 0) text_add(t, "</tr>\n");
    }
    text_add(t, "</table></div>\n");
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>%s</title>\n<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto;\n"
    "       padding: 0 1rem; }\n"
    "p, ul, pre { max-width: 48rem; }\n"
    "img { width: 100%%; height: auto; border-radius: 4px; background: #fff; }\n"
    "figure { margin: 1.5rem 0; } figcaption { font-size: .9rem; opacity: .8; max-width: 48rem; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .25rem .6rem; text-align: left; vertical-align: top;\n"
    "         border-bottom: 1px solid color-mix(in srgb, currentColor 20%%, transparent); }\n"
    "pre { padding: .6rem 1rem; overflow-x: auto;\n"
    "      background: color-mix(in srgb, currentColor 8%%, transparent); }\n"
    "</style>\n";

void document_open(document *d, const char *folder, const char *title)
{
    *d = (document){.folder = folder};
    text_add(&d->page, head, title);
}

void document_heading(document *d, int level, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add(&d->markdown, "%s%.*s %s\n\n", d->markdown.length ? "\n" : "", level, "####", line);
    text_add(&d->page, "<h%d>", level);
    add_html(&d->page, line);
    text_add(&d->page, "</h%d>\n", level);
}

void document_text(document *d, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&line, format, args) < 0) d->markdown.failed = 1;
    va_end(args);
    if (d->markdown.failed) return;
    text_add(&d->markdown, "%s\n\n", line);
    text_add(&d->page, "<p>");
    add_html(&d->page, line);
    text_add(&d->page, "</p>\n");
    free(line);
}

void document_code(document *d, const char *lines)
{
    text_add(&d->markdown, "```sh\n%s```\n\n", lines);
    text_add(&d->page, "<pre>");
    add_html(&d->page, lines);
    text_add(&d->page, "</pre>\n");
}

static int has_file(const document *d, const char *name, const char *ending)
{
    text path = {0};
    text_add(&path, "%s/figures/%s%s", d->folder, name, ending);
    int there = !path.failed && access(path.bytes, R_OK) == 0;
    text_free(&path);
    return there;
}

static void page_figure(document *d, const char *name, const char *caption)
{
    text_add(&d->page, "<figure>");
    if (has_file(d, name, ".svg")) text_add(&d->page, "<img src=\"figures/%s.svg\" alt=\"\">", name);
    text_add(&d->page, "<figcaption>");
    add_html(&d->page, caption);
    text_add(&d->page,
             " (<a href=\"figures/%s.png\">PNG</a>, <a href=\"figures/%s.csv\">data</a>, "
             "<a href=\"figures/%s.gp\">script</a>)</figcaption></figure>\n",
             name, name, name);
}

void document_figure(document *d, const char *name, const char *caption)
{
    text theirs = {0}, words = {0};
    text_add(&theirs, "%s-authors", name);
    text_add(&words, "%s; the authors' preprocessing", caption);
    if (has_file(d, name, ".csv")) {
        text_add(&d->markdown, "![%s](figures/%s.svg)\n\n", caption, name);
        page_figure(d, name, caption);
    } else document_text(d, "(Not run: %s.)", caption);
    if (!theirs.failed && !words.failed && has_file(d, theirs.bytes, ".csv")) page_figure(d, theirs.bytes, words.bytes);
    text_free(&theirs);
    text_free(&words);
}

sg_status document_table(document *d, const char *name, grid *g)
{
    text csv = {0}, markdown = {0}, path = {0};
    sg_status st = g->failed ? fail(SG_ENOMEM, "out of memory for a table") : SG_OK;
    if (st == SG_OK && g->cells <= g->columns) {
        document_text(d, "(Not run.)");
        grid_free(g);
        return SG_OK;
    }
    grid_csv(g, &csv);
    grid_markdown(g, &markdown);
    text_add(&path, "tables/%s.csv", name);
    if (st == SG_OK) st = text_save(&csv, d->folder, path.bytes);
    text_free(&path);
    text_add(&path, "tables/%s.md", name);
    if (st == SG_OK) st = text_save(&markdown, d->folder, path.bytes);
    if (st == SG_OK) {
        text_add(&d->markdown, "%s\n", markdown.bytes);
        grid_html(g, &d->page);
    }
    text_free(&csv);
    text_free(&markdown);
    text_free(&path);
    grid_free(g);
    return st;
}

sg_status document_close(document *d, sg_status st)
{
    if (st == SG_OK) st = text_save(&d->markdown, d->folder, "RESULTS.md");
    if (st == SG_OK) st = text_save(&d->page, d->folder, "index.html");
    text_free(&d->markdown);
    text_free(&d->page);
    return st;
}
