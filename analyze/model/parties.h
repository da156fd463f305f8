/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who competes, known while the trace is read: by default each process that has a vCPU thread,
 * with its vhost threads, from the moment this shows; or what an earlier pass found out.
 */
#ifndef FAN_MODEL_PARTIES_H
#define FAN_MODEL_PARTIES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/threads.h"

/* The VM's thread group from the name of its vhost thread, "vhost-TGID"; -1: another name. */
static inline int32_t fan_vhost_tgid(const char *comm)
{
	char *end;
	long tgid;

	if (strncmp(comm, "vhost-", 6) != 0 || comm[6] < '1' || comm[6] > '9')
		return -1;
	tgid = strtol(comm + 6, &end, 10);
	return *end == '\0' && tgid < FAN_TID_MAX ? (int32_t)tgid : -1;
}

/* By account, in the order in which the same file gives them: a party, or -1. */
struct fan_party_map {
	const int32_t *of_account;
	size_t n;	/* accounts; later ones have no party */
	size_t parties; /* of_account is below */
};

struct fan_parties;

/* map is copied; NULL: the rule above. NULL: no memory. */
struct fan_parties *fan_parties_new(const struct fan_threads *threads,
				    const struct fan_party_map *map);
void fan_parties_free(struct fan_parties *p);

/* The thread is a vCPU, or has the name of one or of a vhost. 1: that is news; 0, -ENOMEM. */
int fan_parties_note(struct fan_parties *p, int32_t thread);

/* Follows what has become known of processes since. 0 or -ENOMEM. */
int fan_parties_review(struct fan_parties *p);

/* The party of an account, or -1. */
int32_t fan_parties_of(const struct fan_parties *p, int32_t account);

/* Parties so far; they are numbered from 0. */
size_t fan_parties_count(const struct fan_parties *p);

/* The threads that were noted as vCPUs, whatever their party. */
size_t fan_parties_vcpus(const struct fan_parties *p, const int32_t **ret);

#endif
