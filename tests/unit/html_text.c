// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/html_text.c, plot/html_svg.c: text and numbers of a page of HTML, and figures in it. */
#include <errno.h>
#include <math.h>

#include "analyze/report/tree.h"
#include "plot/html_svg.h"
#include "plot/html_text.h"
#include "tests/unit/html_paper.h"

/* 0xFF and escape are no text, U+FFFF is no character of XML; e with an accent is one. */
static void a_name_is_text_whatever_it_holds(void **state)
{
	struct paper p;

	(void)state;
	paper(&p);
	fplot_html_text(p.f, "</td><b a='1'>&\"\xff\x1b\n\xef\xbf\xbf\xc3\xa9");
	assert_paper(&p, "&lt;/td&gt;&lt;b a=&#39;1&#39;&gt;&amp;&quot;\\xFF\\x1B\\x0A"
			 "\\xEF\\xBF\\xBF\xc3\xa9");
	paper(&p);
	fplot_html_text(p.f, NULL);
	assert_paper(&p, DASH);
}

static void times_have_four_digits_or_no_point(void **state)
{
	static const struct {
		int64_t ns;
		const char *want;
	} list[] = {
		{ 0, "0 s" },
		{ 999, "999 ns" },
		{ 812345, "812.3 " MICRO "s" },
		{ 1500001, "1.500 ms" },
		{ -20000000, MINUS "20 ms" },
		{ 999960000, "1.000 s" }, /* 999.96 ms has five */
		{ 1234567890123, "1235 s" },
		{ FAN_NONE, DASH },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct paper p;

		paper(&p);
		fplot_html_ns(p.f, list[i].ns);
		assert_paper(&p, list[i].want);
	}
}

static void numbers_are_rounded_and_grouped(void **state)
{
	struct paper p;

	(void)state;
	paper(&p);
	fplot_html_real(p.f, 441683149.4);
	fputc(';', p.f);
	fplot_html_real(p.f, -9999);
	fputc(';', p.f);
	fplot_html_real(p.f, 0.5);
	fputc(';', p.f);
	fplot_html_real(p.f, 0.00012345);
	fputc(';', p.f);
	fplot_html_real(p.f, NAN);
	fputc(';', p.f);
	fplot_html_fixed(p.f, 12345.678, 2, true);
	fputc(';', p.f);
	fplot_html_fixed(p.f, -0.004, 2, true); /* rounds to 0, which has no sign */
	fputc(';', p.f);
	fplot_html_i64(p.f, INT64_MIN + 1);
	assert_paper(&p, "441" NARROW "683" NARROW "149;" MINUS "9999;0.500;0.000123;" DASH
			 ";+12" NARROW "345.68;0.00;" MINUS "9223372036854775807");
}

/* The adjusted one, -0.3 to 1.3 around 0.5: a half of 0.8, so two digits are 0.80. */
static void the_interval_is_that_of_the_verdict(void **state)
{
	struct fan_est est = { .value = 0.5, .lo = 0, .hi = 1, .lo_adj = -0.3, .hi_adj = 1.3 };
	struct paper p;

	(void)state;
	paper(&p);
	fplot_html_interval(p.f, &est);
	est.lo_adj = NAN;
	fplot_html_interval(p.f, &est);
	est.hi = NAN;
	fplot_html_interval(p.f, &est);
	assert_paper(&p, "[" MINUS "0.30, 1.30][0.00, 1.00]" DASH);
}

static void ids_of_svg_get_a_prefix_and_so_do_references(void **state)
{
	static const char svg[] =
		"<?xml version=\"1.0\"?>\n<!DOCTYPE x>\n"
		"<svg width=\"9\" height=\"9\"\n viewBox=\"0 0 9 9\">\n"
		"<title>Gnuplot</title><desc>by</desc><!-- <a> 'b -->"
		"<g id='b'/><g id='b2'/><g id='a' fill = \"url(#b)\" style='x: url(#b), url(#c)'>"
		"<use xlink:href='#a'/><path d='M0,0'  />"
		"<text>a>b ]]> id='a'</text></g>\n</svg>\n";
	struct paper p;

	(void)state;
	paper(&p);
	assert_int_equal(fplot_svg_inline(p.f, svg, "f1", "x < y"), 0);
	assert_paper(&p, "<svg role=\"img\" aria-label=\"x &lt; y\" viewBox=\"0 0 9 9\">\n"
			 "<g id='f1-b'/><g/><g id='f1-a' fill=\"url(#f1-b)\" style='x: url(#f1-b), "
			 "url(#f1-c)'>"
			 "<use xlink:href='#f1-a'/><path d='M0,0'/>"
			 "<text>a&gt;b ]]&gt; id='a'</text></g>\n</svg>");
}

static void svg_leads_nowhere_else_and_runs_nothing(void **state)
{
	static const char svg[] = "<svg><a href=\"http://example.org/\">t</a>"
				  "<script>go(\"</svg>\")</script>"
				  "<image xlink:href='data:image/png;base64,AA=='/>"
				  "<image xlink:href='x.png' width = '4'/></svg>";
	struct paper p;

	(void)state;
	paper(&p);
	assert_int_equal(fplot_svg_inline(p.f, svg, "f", "l"), 0);
	assert_paper(&p, "<svg role=\"img\" aria-label=\"l\"><a>t</a>"
			 "<image xlink:href='data:image/png;base64,AA=='/>"
			 "<image width='4'/></svg>");
}

static void what_is_no_svg_is_not_written(void **state)
{
	struct paper p;

	(void)state;
	paper(&p);
	assert_int_equal(fplot_svg_inline(p.f, "", "f", "l"), -EINVAL);
	assert_int_equal(fplot_svg_inline(p.f, "<svg><g>", "f", "l"), -EINVAL);
	assert_paper(&p, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_text_whatever_it_holds),
		cmocka_unit_test(times_have_four_digits_or_no_point),
		cmocka_unit_test(numbers_are_rounded_and_grouped),
		cmocka_unit_test(the_interval_is_that_of_the_verdict),
		cmocka_unit_test(ids_of_svg_get_a_prefix_and_so_do_references),
		cmocka_unit_test(svg_leads_nowhere_else_and_runs_nothing),
		cmocka_unit_test(what_is_no_svg_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
