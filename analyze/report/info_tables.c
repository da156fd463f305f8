// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables of the info tree; see tables.c. */
#include "analyze/report/field.h"
#include "analyze/report/info.h"

static const struct fan_field cpu_fields[] = {
	FIELD(fan_i_cpu, cpu, NULL, "Number of the CPU."),
	FIELD(fan_i_cpu, bytes, "bytes", "Size of its data in the file."),
	FIELD(fan_i_cpu, records, NULL, "Records in them."),
	FIELD(fan_i_cpu, first_ns, "ns", "Stamp of the first one, in the file's clock."),
	FIELD(fan_i_cpu, last_ns, "ns", "Stamp of the last one."),
	FIELD(fan_i_cpu, loss_marks, NULL, "Places where the kernel says that events are missing."),
	FIELD(fan_i_cpu, lost, NULL, "Events missing there; null if they were not all counted."),
};
const struct fan_table fan_i_cpu_table = TABLE(fan_i_cpu, cpu_fields, "cpus");

static const struct fan_field buffer_fields[] = {
	FIELD(fan_i_buffer, name, NULL, "Name of the buffer; empty: the main one."),
	FIELD(fan_i_buffer, clock, NULL, "Its clock; null if the file does not tell."),
	FIELD(fan_i_buffer, bytes, "bytes", "Size of its data in the file."),
	FIELD(fan_i_buffer, records, NULL, "Records of all its CPUs."),
	NESTED(fan_i_buffer, cpus, FAN_F_ARRAY, &fan_i_cpu_table, "The CPUs with data."),
};
const struct fan_table fan_i_buffer_table = TABLE(fan_i_buffer, buffer_fields, "buffers");

static const struct fan_field range_fields[] = {
	FIELD(fan_i_range, first_ns, "ns", "Stamp of the first record, in the file's clock."),
	FIELD(fan_i_range, last_ns, "ns", "Stamp of the last record."),
	FIELD(fan_i_range, length_ns, "ns", "Time between the two."),
};
static const struct fan_table range_table = TABLE(fan_i_range, range_fields, "range");

static const struct fan_field event_fields[] = {
	FIELD(fan_i_event, name, NULL, "system:name, or the number of an unknown type."),
	FIELD(fan_i_event, records, NULL, "Records of it in all buffers."),
	FIELD(fan_i_event, in_main, NULL, "Of those, in the main buffer."),
};
const struct fan_table fan_i_event_table = TABLE(fan_i_event, event_fields, "events");

static const struct fan_field marker_fields[] = {
	FIELD(fan_i_marker, kind, NULL, "The word after \"fcap: \"."),
	FIELD(fan_i_marker, lines, NULL, "Lines of this kind."),
};
const struct fan_table fan_i_marker_table = TABLE(fan_i_marker, marker_fields, "markers");

static const struct fan_field limit_fields[] = {
	FIELD(fan_i_limit, question, NULL, "What the file cannot answer."),
	FIELD(fan_i_limit, reason, NULL, "What it lacks for that."),
	FIELD(fan_i_limit, remedy, NULL, "How to record a file that can."),
};
const struct fan_table fan_i_limit_table = TABLE(fan_i_limit, limit_fields, "limits");

static const struct fan_field info_fields[] = {
	FIELD(fan_info, schema, NULL, "Name and version of this format."),
	NESTED(fan_info, tool, FAN_F_STRUCT, &fan_tool_table, "What wrote this."),
	FIELD(fan_info, file, NULL, "Path of the trace."),
	FIELD(fan_info, bytes, "bytes", "Its size."),
	FIELD(fan_info, version, NULL, "Version of the file format, 6 or 7."),
	FIELD(fan_info, compression, NULL, "Of the data: none, zstd or zlib."),
	FIELD(fan_info, byte_order, NULL, "little or big."),
	FIELD(fan_info, word_bytes, "bytes", "Size of a long of the traced kernel."),
	FIELD(fan_info, page_bytes, "bytes", "Size of a page of data."),
	FIELD(fan_info, kernel, NULL, "Release of the traced kernel."),
	FIELD(fan_info, clock, NULL, "Clock of the main buffer."),
	FIELD(fan_info, cpus, NULL, "CPUs, as the header says."),
	FIELD(fan_info, cpus_with_data, NULL, "CPUs with data in the main buffer."),
	FIELD(fan_info, options, NULL, "Options of the file by name, each once."),
	FIELD(fan_info, recorder, NULL, "What recorded it, by its VERSION option."),
	FIELD(fan_info, command, NULL, "Command that was recorded, if fcap did."),
	NESTED(fan_info, labels, FAN_F_MAP, NULL, "Labels given to the recording."),
	NESTED(fan_info, range, FAN_F_STRUCT, &range_table,
	       "When the records of the main buffer were made; without any, those of all."),
	FIELD(fan_info, cut_ns, "ns",
	      "Stamp at which the data of a CPU end before their time; what is behind is not "
	      "counted. null if they do not."),
	FIELD(fan_info, cut_cpu, NULL, "The CPU whose data end there."),
	FIELD(fan_info, missing_cpus, NULL, "CPUs of whose data nothing is left."),
	FIELD(fan_info, cut, NULL, "What is missing of the file, in words."),
	NESTED(fan_info, buffers, FAN_F_ARRAY, &fan_i_buffer_table, "Buffers, the main one first."),
	NESTED(fan_info, events, FAN_F_ARRAY, &fan_i_event_table, "Events seen, most first."),
	FIELD(fan_info, silent, NULL, "Events whose format is in the file, but no record."),
	FIELD(fan_info, losses, NULL, "What the recorder says of lost events."),
	FIELD(fan_info, triggers, NULL,
	      "Limits whose crossing made the recorder save the file, with what was before."),
	NESTED(fan_info, markers, FAN_F_ARRAY, &fan_i_marker_table,
	       "Marker lines of fcap by kind, in the order of the first of each."),
	FIELD(fan_info, malformed_markers, NULL, "Marker lines that cannot be taken apart."),
	NESTED(fan_info, limits, FAN_F_ARRAY, &fan_i_limit_table, "What it cannot answer."),
};
const struct fan_table fan_info_table = TABLE(fan_info, info_fields, "info");
