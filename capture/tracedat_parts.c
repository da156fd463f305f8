// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/tracedat_parts.h"

#include <endian.h>

void cap_dat_put_start(struct cap_bytes *b, const struct cap_dat *dat, const char *version)
{
	const unsigned char order = __BYTE_ORDER == __BIG_ENDIAN;
	const unsigned char long_size = sizeof(long);

	cap_bytes_put(b, "\x17\x08\x44tracing", 10);
	cap_bytes_string(b, version);
	cap_bytes_put(b, &order, 1);
	cap_bytes_put(b, &long_size, 1);
	cap_bytes_u32(b, dat->page_size);
}

void cap_dat_put_sized(struct cap_bytes *b, struct cap_blob blob)
{
	cap_bytes_u64(b, blob.len);
	cap_bytes_put(b, blob.data, blob.len);
}

void cap_dat_put_headers(struct cap_bytes *b, const struct cap_dat *dat)
{
	cap_bytes_string(b, "header_page");
	cap_dat_put_sized(b, dat->header_page);
	cap_bytes_string(b, "header_event");
	cap_dat_put_sized(b, dat->header_event);
}

void cap_dat_put_ftrace(struct cap_bytes *b, const struct cap_dat *dat)
{
	cap_bytes_u32(b, (uint32_t)dat->nftrace);
	for (size_t i = 0; i < dat->nftrace; i++)
		cap_dat_put_sized(b, dat->ftrace[i]);
}

void cap_dat_put_events(struct cap_bytes *b, const struct cap_dat *dat)
{
	cap_bytes_u32(b, (uint32_t)dat->nsystem);
	for (size_t i = 0; i < dat->nsystem; i++) {
		const struct cap_dat_system *sys = &dat->system[i];

		cap_bytes_string(b, sys->name);
		cap_bytes_u32(b, (uint32_t)sys->nformat);
		for (size_t j = 0; j < sys->nformat; j++)
			cap_dat_put_sized(b, sys->format[j]);
	}
}

void cap_dat_put_option(struct cap_bytes *b, uint16_t id, struct cap_blob value)
{
	cap_bytes_u16(b, id);
	cap_bytes_u32(b, (uint32_t)value.len);
	cap_bytes_put(b, value.data, value.len);
}

uint64_t cap_dat_align(uint64_t at, uint64_t page)
{
	return (at + page - 1) / page * page;
}
