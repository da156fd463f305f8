// SPDX-License-Identifier: GPL-3.0-or-later
/* cpufreq of sysfs. */
#include "capture/speed.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/mono.h"
#include "capture/procfs.h"
#include "fcap/num.h"

#define CPU_DIR	  "devices/system/cpu"
#define AT_ONCE	  8
#define ENOUGH_NS 1000000U
#define STEP_PCT  5U

struct cap_speed_cpu {
	int id, fd;
	uint64_t told_khz; /* 0: never */
};

void cap_speed_clear(struct cap_speed *s)
{
	for (size_t i = 0; i < s->n; i++)
		close(s->cpu[i].fd);
	free(s->cpu);
	*s = (struct cap_speed){ 0 };
}

static uint64_t told_of(const struct cap_speed *s, int id)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->cpu[i].id == id)
			return s->cpu[i].told_khz;
	return 0;
}

int cap_speed_find(struct cap_speed *s, int sysfd)
{
	struct cap_speed found = { 0 };
	struct cap_ids ids = { 0 };
	const int r = cap_proc_ids(sysfd, CPU_DIR, "cpu", &ids);

	found.cpu = calloc(ids.n + 1, sizeof(*found.cpu));
	if (r == -ENOMEM || !found.cpu) {
		cap_ids_free(&ids);
		free(found.cpu);
		return -ENOMEM;
	}
	for (size_t i = 0; i < ids.n; i++) {
		char path[96];
		int fd;

		snprintf(path, sizeof(path), CPU_DIR "/cpu%d/cpufreq/scaling_cur_freq", ids.id[i]);
		fd = openat(sysfd, path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			found.cpu[found.n++] = (struct cap_speed_cpu){ ids.id[i], fd,
								       told_of(s, ids.id[i]) };
	}
	cap_ids_free(&ids);
	cap_speed_clear(s);
	*s = found;
	return 0;
}

static bool is_off(uint64_t khz, uint64_t told)
{
	const uint64_t by = khz > told ? khz - told : told - khz;

	return told == 0 || by > told * STEP_PCT / 100;
}

static int look_at(struct cap_speed_cpu *c, struct cap_sink to)
{
	struct cap_emit e;
	char text[32];
	uint64_t khz;

	if (cap_io_pread(c->fd, text, sizeof(text)) <= 0)
		return 0;
	text[strcspn(text, "\n")] = '\0';
	if (fcap_parse_u64(text, 1, UINT32_MAX, &khz) < 0 || !is_off(khz, c->told_khz))
		return 0;
	c->told_khz = khz;
	cap_emit_begin(&e, to, "freq");
	cap_emit_i64(&e, "cpu", c->id);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "khz", khz);
	return cap_emit_end(&e);
}

int cap_speed_sample(struct cap_speed *s, struct cap_sink to)
{
	const uint64_t begin_ns = s->n ? cap_mono_ns() : 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < AT_ONCE && i < s->n; i++) {
		r = look_at(&s->cpu[s->next], to);
		s->next = (s->next + 1) % s->n;
		if (cap_mono_ns() - begin_ns > ENOUGH_NS)
			break;
	}
	return r;
}

static bool has_word(const char *list, const char *word)
{
	const size_t len = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += len)
		if ((p == list || p[-1] == ',') && (p[len] == ',' || !p[len]))
			return true;
	return false;
}

void cap_speed_governors(int sysfd, char *ret, size_t size)
{
	struct cap_ids ids = { 0 };

	ret[0] = '\0';
	if (cap_proc_ids(sysfd, CPU_DIR "/cpufreq", "policy", &ids) < 0)
		return;
	for (size_t i = 0; i < ids.n; i++) {
		char path[96], text[32];
		const size_t len = strlen(ret);

		snprintf(path, sizeof(path), CPU_DIR "/cpufreq/policy%d/scaling_governor",
			 ids.id[i]);
		if (cap_io_read_at(sysfd, path, text, sizeof(text)) <= 0)
			continue;
		text[strcspn(text, "\n")] = '\0';
		if (*text && !has_word(ret, text) && len + strlen(text) + 2 <= size)
			snprintf(ret + len, size - len, "%s%s", len ? "," : "", text);
	}
	cap_ids_free(&ids);
}
