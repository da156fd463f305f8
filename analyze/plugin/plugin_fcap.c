// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * For libtraceevent, and so for trace-cmd and KernelShark: shows the lines that fcap wrote into a
 * trace in words. All other ftrace:print records are left to the library.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "analyze/plugin/words.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int TEP_PLUGIN_LOADER(struct tep_handle *tep);
EXPORT void TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

static char name[] = "fcap", file[] = "plugin_fcap", name_of_raw[] = "raw",
	    text_of_raw[] = "Leave the lines of fcap as they stand in the trace",
	    name_of_kinds[] = "kinds",
	    text_of_kinds[] = "Show only these kinds in words, such as steal,work (all)";

/* The library keeps pointers to these and writes into them; a plugin has no handle of its own. */
static struct tep_plugin_option options[] = {
	{ .name = name_of_raw, .plugin_alias = name, .file = file, .description = text_of_raw },
	{ .name = name_of_kinds,
	  .plugin_alias = name,
	  .file = file,
	  .description = text_of_kinds,
	  .value = "all" },
	{ .name = NULL },
};
enum { RAW, KINDS };

/* Handles that it was loaded for: an option on the command line is to be applied once. */
static unsigned int loads;

static const char *comm_of(void *tep, int tid)
{
	const char *comm = tep_data_comm_from_pid(tep, tid);

	return comm && *comm && strcmp(comm, "<...>") != 0 ? comm : NULL;
}

/* Copies the text of the record, which may lack its NUL; false: too long to be a line of fcap's. */
static bool copy_text(char ret[static FCAP_MARKER_MAX], const struct tep_record *record,
		      struct tep_event *event)
{
	const struct tep_format_field *buf = tep_find_field(event, "buf");
	size_t room, len;

	if (!buf || buf->offset < 0 || buf->offset > record->size)
		return false;
	room = (size_t)(record->size - buf->offset);
	len = strnlen((const char *)record->data + buf->offset, room);
	if (len >= FCAP_MARKER_MAX)
		return false;
	memcpy(ret, (const char *)record->data + buf->offset, len);
	ret[len] = '\0';
	return true;
}

/* 0: shown; 1: the library is to show the record as if there were no plugin. */
static int show(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		void *context)
{
	char text[FCAP_MARKER_MAX] = "";
	struct fcap_words words = { .comm = comm_of, .ctx = event->tep };
	struct fcap_marker line;

	(void)context;
	if (options[RAW].set || !copy_text(text, record, event) ||
	    fcap_marker_parse(text, &line) != 0 || line.n == FCAP_MARKER_KEYS ||
	    !fcap_words_has_kind(options[KINDS].value, line.kind) ||
	    fcap_words_write(&words, &line) < 0)
		return 1;
	trace_seq_puts(s, words.text);
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	const struct tep_event *event = tep_find_event_by_name(tep, "ftrace", "print");

	/* a handler that is there belongs to somebody else */
	if (!event || !event->handler)
		tep_register_event_handler(tep, -1, "ftrace", "print", show, NULL);
	if (loads++ == 0)
		tep_plugin_add_options(name, options);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	tep_unregister_event_handler(tep, -1, "ftrace", "print", show, NULL);
	if (loads > 0 && --loads == 0)
		tep_plugin_remove_options(options);
}
