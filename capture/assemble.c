// SPDX-License-Identifier: GPL-3.0-or-later
/* Formats, names and options of a recording -> trace.dat. */
#include "capture/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/cmdlines.h"
#include "fcap/version.h"

/* All texts that were read for the file, to be freed together. */
struct pile {
	char **text;
	size_t n;
	struct cap_blob *format; /* first those of ftrace, then those of the events */
	struct cap_dat_system system[CAP_PLAN_MAX];
	struct cap_dat_option *option;
	size_t nftrace, nformat, nsystem, noption;
};

/* Takes text, which it frees in the end, also when it fails. */
static int pile_add(struct pile *p, char *text)
{
	char **bigger;

	if (!text)
		return -EIO;
	bigger = realloc(p->text, (p->n + 1) * sizeof(*bigger));
	if (!bigger) {
		free(text);
		return -ENOMEM;
	}
	p->text = bigger;
	p->text[p->n++] = text;
	return 0;
}

static void pile_clear(struct pile *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->text[i]);
	free(p->text);
	free(p->format);
	free(p->option);
}

static int read_file(struct pile *p, const struct cap_session *s, const char *file,
		     struct cap_blob *ret)
{
	size_t len;
	char *text = cap_session_read(s, file, &len);

	*ret = (struct cap_blob){ text, len };
	return pile_add(p, text);
}

static int read_format(struct pile *p, const struct cap_session *s, const char *system,
		       const char *event)
{
	size_t len;
	char *text = cap_session_format(s, system, event, &len);

	p->format[p->nformat++] = (struct cap_blob){ text, len };
	return pile_add(p, text);
}

static int read_formats(struct pile *p, const struct cap_assembly *a)
{
	char **ftrace = tracefs_system_events(NULL, "ftrace");
	const struct cap_plan *plan = a->plan;
	size_t n = 0;
	int r = ftrace ? 0 : -EIO;

	while (ftrace && ftrace[n])
		n++;
	p->format = calloc(n + plan->nevent, sizeof(*p->format));
	if (!p->format)
		r = -ENOMEM;
	for (size_t i = 0; i < n && r == 0; i++)
		r = read_format(p, a->session, "ftrace", ftrace[i]);
	tracefs_list_free(ftrace);
	p->nftrace = p->nformat;
	for (size_t i = 0; i < plan->nevent && r == 0; i++) {
		const char *name = plan->event[i].system;

		if (i == 0 || strcmp(name, plan->event[i - 1].system) != 0)
			p->system[p->nsystem++] =
				(struct cap_dat_system){ name, &p->format[p->nformat], 0 };
		p->system[p->nsystem - 1].nformat++;
		r = read_format(p, a->session, name, plan->event[i].name);
	}
	return r;
}

/* Takes text. */
static int add_option(struct pile *p, enum cap_dat_option_id id, char *text)
{
	if (text)
		p->option[p->noption++] = (struct cap_dat_option){ id, { text, strlen(text) + 1 } };
	return pile_add(p, text);
}

__attribute__((format(printf, 1, 2))) static char *print(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	return n < 0 ? NULL : text;
}

static int collect_options(struct pile *p, const struct cap_assembly *a)
{
	struct utsname u;
	int r;

	p->option = calloc(3 + (size_t)a->ncpu, sizeof(*p->option));
	if (!p->option)
		return -ENOMEM;
	if (uname(&u) < 0)
		return -errno;
	r = add_option(p, CAP_DAT_TRACECLOCK, cap_session_read(a->session, "trace_clock", NULL));
	if (r == 0)
		r = add_option(p, CAP_DAT_UNAME,
			       print("%s %s %s %s", u.sysname, u.nodename, u.release, u.machine));
	if (r == 0)
		r = add_option(p, CAP_DAT_VERSION, print("fcap %s", FCAP_VERSION));
	for (uint32_t i = 0; i < a->ncpu && r == 0; i++)
		if (a->stats[i])
			r = add_option(p, CAP_DAT_CPUSTAT, print("CPU: %u\n%s", i, a->stats[i]));
	return r;
}

static int collect_names(struct pile *p, const struct cap_assembly *a, struct cap_blob *ret)
{
	char *saved = tracefs_instance_file_read(NULL, "saved_cmdlines", NULL);
	char *text;
	size_t len;
	int r = cap_cmdlines_build(saved, a->tasks, getpid(), &text, &len);

	free(saved);
	if (r < 0)
		return r;
	*ret = (struct cap_blob){ text, len };
	return pile_add(p, text);
}

static int write_dat(int fd, struct pile *p, const struct cap_assembly *a, struct cap_dat *dat,
		     struct fcap_err *err)
{
	struct cap_dat_cpu *second = calloc(a->ncpu, sizeof(*second));
	int r;

	if (!second)
		return fcap_fail(err, ENOMEM, "out of memory");
	second[0] = *a->marks;
	dat->page_size = a->page_size;
	dat->ftrace = p->format;
	dat->nftrace = p->nftrace;
	dat->system = p->system;
	dat->nsystem = p->nsystem;
	dat->option = p->option;
	dat->noption = p->noption;
	dat->clock = "mono";
	dat->ncpu = a->ncpu;
	dat->cpu = a->cpu;
	dat->second_name = "fcap";
	dat->packing = a->packing;
	dat->second = second;
	r = cap_dat_write(fd, dat, err);
	free(second);
	return r;
}

int cap_assemble(int fd, const struct cap_assembly *a, struct fcap_err *err)
{
	struct pile p = { 0 };
	struct cap_dat dat = { 0 };
	int r;

	r = read_file(&p, a->session, "events/header_page", &dat.header_page);
	if (r == 0)
		r = read_file(&p, a->session, "events/header_event", &dat.header_event);
	if (r == 0)
		r = read_formats(&p, a);
	if (r == 0)
		r = collect_options(&p, a);
	if (r == 0)
		r = collect_names(&p, a, &dat.cmdlines);
	if (r < 0)
		r = fcap_fail(err, -r, "cannot read the event formats from tracefs: %s",
			      strerror(-r));
	else
		r = write_dat(fd, &p, a, &dat, err);
	pile_clear(&p);
	return r;
}
