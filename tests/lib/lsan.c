// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the leak checker passes over in the test programs: libtracecmd 3.1.6 forgets the clock's
 * name (from sscanf) when a file says it twice, as every file of trace-cmd does.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtracecmd\nleak:isoc99_vsscanf\n";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
