// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes that run already, and their end. */
#include "capture/attach.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/io.h"
#include "capture/procfs.h"

/* How often to see whether they have ended. */
#define LOOK_MS 100

/* The process that a thread belongs to; /proc knows every thread by its number. -1: unknown. */
static pid_t process_of(int procfd, pid_t tid)
{
	static const char key[] = "\nTgid:\t";
	char path[64], text[8192];
	const char *p;

	snprintf(path, sizeof(path), "%d/status", tid);
	if (cap_io_read_at(procfd, path, text, sizeof(text)) <= 0)
		return -1;
	p = strstr(text, key);
	return p ? (pid_t)strtol(p + sizeof(key) - 1, NULL, 10) : -1;
}

static int add_pid(struct cap_attach *a, int procfd, pid_t pid, struct fcap_err *err)
{
	const pid_t of = process_of(procfd, pid);
	struct cap_attached p = { .pid = pid };
	struct cap_proc_stat st;

	if (of > 0 && of != pid)
		return fcap_fail(err, ESRCH,
				 "--pid %d: is a thread of process %d; give the process", pid, of);
	if (cap_proc_stat(procfd, pid, pid, &st) == 0) {
		p.start = st.start;
		if (cap_attached_lives(procfd, &p)) {
			a->process[a->n++] = p;
			return 0;
		}
	}
	return fcap_fail(err, ESRCH, "--pid %d: no such process", pid);
}

int cap_attach_open(struct cap_attach *a, int procfd, const struct cap_attach_opts *opts,
		    struct fcap_err *err)
{
	int r = 0;

	*a = (struct cap_attach){ 0 };
	/* for all there will be: whoever borrows the first ones keeps them */
	a->process = calloc(opts->npid + opts->nvm + 1, sizeof(*a->process));
	if (!a->process)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < opts->npid && r == 0; i++)
		r = add_pid(a, procfd, opts->pid[i], err);
	a->npid = a->n;
	if (r < 0)
		cap_attach_close(a);
	return r;
}

static int fail_unknown(const struct cap_vmlist *vms, const char *name, struct fcap_err *err)
{
	char names[300];

	if (vms->n == 0)
		return fcap_fail(err, ESRCH, "--vm %.100s: no VM runs now", name);
	cap_vmlist_names(vms, names, sizeof(names));
	return fcap_fail(err, ESRCH, "--vm %.100s: no VM of this name runs; there %s %s", name,
			 vms->n == 1 ? "is" : "are", names);
}

int cap_attach_find_vms(struct cap_attach *a, const struct cap_vmlist *vms,
			const struct cap_attach_opts *opts, struct fcap_err *err)
{
	for (size_t i = 0; i < opts->nvm; i++) {
		const struct cap_vm *vm = cap_vmlist_named(vms, opts->vm[i]);

		if (!vm)
			return fail_unknown(vms, opts->vm[i], err);
		a->process[a->n++] = (struct cap_attached){ vm->tgid, vm->start };
	}
	return 0;
}

/* A leader that has ended is a zombie as long as other threads run, or nobody waits for it. */
static bool has_other_threads(int procfd, pid_t pid)
{
	struct cap_ids tids = { 0 };
	const bool has = cap_proc_threads(procfd, pid, &tids) == 0 && tids.n > 1;

	cap_ids_free(&tids);
	return has;
}

bool cap_attached_lives(int procfd, const struct cap_attached *p)
{
	struct cap_proc_stat st;

	if (cap_proc_stat(procfd, p->pid, p->pid, &st) < 0 || st.start != p->start)
		return false;
	return (st.state != 'Z' && st.state != 'X') || has_other_threads(procfd, p->pid);
}

bool cap_attach_is_over(const struct cap_attach *a, int procfd, const struct cap_attach_opts *opts,
			uint64_t begun_ns, uint64_t now_ns)
{
	if (opts->duration_ns && now_ns >= begun_ns && now_ns - begun_ns >= opts->duration_ns)
		return true;
	for (size_t i = 0; i < a->n; i++)
		if (cap_attached_lives(procfd, &a->process[i]))
			return false;
	return a->n > 0;
}

int cap_attach_wait_ms(const struct cap_attach *a, const struct cap_attach_opts *opts,
		       uint64_t begun_ns, uint64_t now_ns, int max_ms)
{
	const uint64_t gone_ns = now_ns > begun_ns ? now_ns - begun_ns : 0;
	const uint64_t left_ns = opts->duration_ns > gone_ns ? opts->duration_ns - gone_ns : 0;
	uint64_t wait_ms = a->n && max_ms > LOOK_MS ? LOOK_MS : (uint64_t)max_ms;

	/* rounded up: waking before the end would only mean to wait once more */
	if (opts->duration_ns && (left_ns + 999999) / 1000000 < wait_ms)
		wait_ms = (left_ns + 999999) / 1000000;
	return (int)wait_ms;
}

int cap_attach_emit(struct cap_emit *e, const struct cap_attach_opts *opts)
{
	const char *blank = "";
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < opts->nvm; i++, blank = " ")
		fprintf(out, "%s--vm %s", blank, opts->vm[i]);
	for (size_t i = 0; i < opts->npid; i++, blank = " ")
		fprintf(out, "%s--pid %d", blank, opts->pid[i]);
	if (opts->duration)
		fprintf(out, "%s--duration %s", blank, opts->duration);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	cap_emit_str(e, "cmd", text);
	free(text);
	return 0;
}

void cap_attach_close(struct cap_attach *a)
{
	free(a->process);
	*a = (struct cap_attach){ 0 };
}
