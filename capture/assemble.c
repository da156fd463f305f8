// SPDX-License-Identifier: GPL-3.0-or-later
/* Head, tail, names and pages of a recording -> trace.dat. */
#include "capture/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/cmdlines.h"

struct options {
	struct cap_dat_option *all;
	size_t n;
	char **stats; /* texts that were made for them, by CPU */
};

static void add_option(struct options *o, enum cap_dat_option_id id, struct cap_blob value)
{
	o->all[o->n++] = (struct cap_dat_option){ id, value };
}

static int make_options(struct options *o, const struct cap_assembly *a)
{
	const uint32_t ncpu = a->head->ncpu;

	o->all = calloc(3 + (size_t)ncpu, sizeof(*o->all));
	o->stats = calloc(ncpu, sizeof(*o->stats));
	if (!o->all || !o->stats)
		return -ENOMEM;
	add_option(o, CAP_DAT_TRACECLOCK, a->head->clock);
	add_option(o, CAP_DAT_UNAME, a->head->uname);
	add_option(o, CAP_DAT_VERSION, a->head->version);
	for (uint32_t i = 0; i < ncpu; i++) {
		const int n = a->tail->stats[i]
				      ? asprintf(&o->stats[i], "CPU: %u\n%s", i, a->tail->stats[i])
				      : 0;

		if (n < 0) {
			o->stats[i] = NULL;
			return -ENOMEM;
		}
		if (n)
			add_option(o, CAP_DAT_CPUSTAT,
				   (struct cap_blob){ o->stats[i], (size_t)n + 1 });
	}
	return 0;
}

static void clear_options(struct options *o, uint32_t ncpu)
{
	for (uint32_t i = 0; o->stats && i < ncpu; i++)
		free(o->stats[i]);
	free(o->stats);
	free(o->all);
}

static struct cap_dat dat_of(const struct cap_assembly *a, const struct options *o)
{
	const struct cap_head *h = a->head;

	return (struct cap_dat){
		.page_size = a->page_size,
		.header_page = h->header_page,
		.header_event = h->header_event,
		.ftrace = h->format,
		.nftrace = h->nftrace,
		.system = h->system,
		.nsystem = h->nsystem,
		.option = o->all,
		.noption = o->n,
		.clock = "mono",
		.ncpu = h->ncpu,
		.cpu = a->cpu,
		.second_name = "fcap",
		.packing = a->packing,
	};
}

static int write_to(int fd, const struct cap_assembly *a, struct fcap_err *err)
{
	struct cap_dat_cpu *second = calloc(a->head->ncpu, sizeof(*second));
	struct options o = { 0 };
	char *names = NULL;
	struct cap_dat dat;
	size_t len = 0;
	int r = second ? make_options(&o, a) : -ENOMEM;

	if (r == 0)
		r = cap_cmdlines_build(a->tail->saved, a->tasks, a->head->pid, &names, &len);
	if (r < 0) {
		r = fcap_fail(err, -r, "out of memory");
	} else {
		second[0] = *a->marks;
		dat = dat_of(a, &o);
		dat.second = second;
		dat.cmdlines = (struct cap_blob){ names, len };
		r = cap_dat_write(fd, &dat, err);
	}
	free(names);
	clear_options(&o, a->head->ncpu);
	free(second);
	return r;
}

int cap_assemble(struct cap_parts *parts, const struct cap_assembly *a, uint64_t *ret_bytes,
		 struct fcap_err *err)
{
	const int fd = cap_parts_stage(parts, err);
	off_t size;
	int r;

	if (fd < 0)
		return fd;
	r = write_to(fd, a, err);
	size = lseek(fd, 0, SEEK_END);
	if (close(fd) < 0 && r == 0)
		r = fcap_fail(err, errno, "cannot write the trace file: %s", strerror(errno));
	*ret_bytes = size > 0 ? (uint64_t)size : 0;
	return r < 0 ? r : cap_parts_publish(parts, err);
}
