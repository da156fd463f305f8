// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/html_figures.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/figures.h"
#include "plot/render.h"

/* Wide enough for a line of a page on paper, and readable when shrunk to a phone. */
#define WIDTH_IN 4.0

static int no_memory(struct fcap_err *err)
{
	return fcap_fail(err, ENOMEM, "out of memory");
}

/* Makes a folder of our own, to be given to remove_folder(). 0, or a negative errno. */
static int make_folder(char **ret, struct fcap_err *err)
{
	const char *base = getenv("TMPDIR");
	char *dir = NULL;

	if (!base || !*base)
		base = "/tmp";
	if (asprintf(&dir, "%s/fanalyze-XXXXXX", base) < 0)
		return no_memory(err);
	if (!mkdtemp(dir)) {
		const int e = errno;

		free(dir);
		return fcap_fail(err, e, "no figures: cannot make a folder in %s: %s", base,
				 strerror(e));
	}
	*ret = dir;
	return 0;
}

/* Everything in it is a file of ours. */
static void remove_folder(char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
	rmdir(dir);
	free(dir);
}

/* All of dir/NAME.svg, to be freed; NULL with a sentence. */
static char *read_svg(const char *dir, const char *name, struct fcap_err *err)
{
	char *path = NULL, *ret = NULL;
	size_t size = 0;
	FILE *f = NULL;

	if (asprintf(&path, "%s/%s.svg", dir, name) >= 0)
		f = fopen(path, "r");
	/* XML holds no NUL: all of it in one go */
	if (!f || getdelim(&ret, &size, '\0', f) < 0) {
		fcap_fail(err, EIO, "the figure cannot be read back");
		free(ret);
		ret = NULL;
	}
	if (f)
		fclose(f);
	free(path);
	return ret;
}

/* As of fplot_drawings_make(), of one figure; -EINVAL: it has nothing to draw. */
static int draw(struct fplot_drawing *ret, const struct fplot_page *p, const char *dir,
		struct fcap_err *err)
{
	int e = fplot_figure_check(ret->figure, p, err);

	if (e == 0)
		e = ret->figure->draw(p, dir, err);
	if (e == 0)
		e = fplot_render(dir, ret->figure->name, FPLOT_SVG, err);
	if (e == 0) {
		ret->svg = read_svg(dir, ret->figure->name, err);
		e = ret->svg ? 0 : -EIO;
	}
	if (e < 0 && e != -ENOENT) {
		ret->why = strdup(err->text);
		e = ret->why ? e : no_memory(err);
	}
	return e;
}

/* What failed last goes to err. */
static int draw_all(struct fplot_drawings *ret, const struct fplot_page *p, const char *dir,
		    struct fcap_err *err)
{
	const struct fplot_figure *figure;
	int last = 0;

	for (size_t i = 0; (figure = fplot_figure_at(i)); i++) {
		struct fcap_err why = { 0 };
		int e;

		if (figure->is_of_compare != (p->compare != NULL))
			continue;
		ret->items[ret->n].figure = figure;
		e = draw(&ret->items[ret->n++], p, dir, &why);
		if (e == -ENOENT)
			return fcap_fail(err, ENOENT,
					 "no figures: gnuplot was not found; install it "
					 "(gnuplot-nox)");
		if (e == -ENOMEM)
			return no_memory(err);
		if (e < 0 && e != -EINVAL)
			last = fcap_fail(err, -e, "no figure %s: %s", figure->name, why.text);
	}
	return last;
}

int fplot_drawings_make(struct fplot_drawings *ret, const struct fplot_page *p,
			struct fcap_err *err)
{
	struct fplot_page page = *p;
	char *dir = NULL;
	size_t n = 1; /* there is one at least */
	int e;

	*ret = (struct fplot_drawings){ 0 };
	page.formats = FPLOT_SVG;
	page.width_in = WIDTH_IN;
	while (fplot_figure_at(n))
		n++;
	ret->items = calloc(n, sizeof(*ret->items));
	if (!ret->items)
		return no_memory(err);
	e = make_folder(&dir, err);
	if (e == 0 && dir) {
		e = draw_all(ret, &page, dir, err);
		remove_folder(dir);
	}
	if (e < 0)
		ret->why = strdup(err->text);
	return e < 0 && !ret->why ? no_memory(err) : e;
}

void fplot_drawings_free(struct fplot_drawings *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->items[i].svg);
		free(d->items[i].why);
	}
	free(d->items);
	free(d->why);
	*d = (struct fplot_drawings){ 0 };
}
