// SPDX-License-Identifier: GPL-3.0-or-later
/* How a page looks: on a phone, on a screen, in the dark, on paper. */
#include "plot/html_parts.h"

/* in parts: a compiler need not take more than 4095 characters in one */
static const char base[] =
	":root { color-scheme: light dark;\n"
	"\t--ink: #1b1f24; --soft: #57606a; --page: #fff; --edge: #0003; --card: #f6f8fa; --line: "
	"#d0d7de;\n"
	"\t--link: #0056a6; --heat: #7fbce6; --got: #0072b2; --due: #1b1f24;\n"
	"\t--good: #116329; --good-bg: #dcf5e3; --bad: #a40e26; --bad-bg: #ffe1e0;\n"
	"\t--poor: #7a4600; --poor-bg: #fdeccb }\n"
	"@media screen and (prefers-color-scheme: dark) { :root {\n"
	"\t--ink: #e6edf3; --soft: #9aa5b1; --page: #0f1318; --edge: #fff3; --card: #1a2028; "
	"--line: #343c46;\n"
	"\t--link: #6cb6ff; --heat: #1f5f8b; --got: #4aa8e0; --due: #fff;\n"
	"\t--good: #7ee2a0; --good-bg: #12351f; --bad: #ffaba8; --bad-bg: #4a1519;\n"
	"\t--poor: #f5c77a; --poor-bg: #43300c } }\n"
	"* { box-sizing: border-box }\n"
	"html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem }\n"
	"body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; color: var(--ink);\n"
	"\tbackground: var(--page); overflow-wrap: break-word;\n"
	"\tfont: 1rem/1.5 system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\",\n"
	"\t\"DejaVu Sans\", sans-serif }\n"
	"h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere }\n"
	"h2 { font-size: 1.3rem; margin: 0 0 .4rem; line-height: 1.3 }\n"
	"h3 { font-size: 1rem; margin: 1.5rem 0 .3rem }\n"
	"p { margin: .5rem 0; max-width: 46rem }\n"
	"code { font: .85em/1.4 ui-monospace, \"SFMono-Regular\", Menlo, Consolas,\n"
	"\t\"DejaVu Sans Mono\", monospace; overflow-wrap: anywhere }\n"
	"a { color: var(--link) }\n"
	".origin, .lead, .foot, figcaption, small { color: var(--soft) }\n"
	".origin, .foot, figcaption { font-size: .85rem }\n"
	".label { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem;\n"
	"\tdisplay: inline-block }\n"
	".answer { font-size: 1.3rem; line-height: 1.4; margin: 1rem 0 .5rem; max-width: 50rem }\n"
	".notes { margin: .5rem 0; padding-left: 1.1rem; max-width: 46rem; font-size: .92rem }\n"
	"aside { border-left: .3rem solid var(--line); background: var(--card);\n"
	"\tpadding: .6rem .9rem; margin: 1rem 0; border-radius: 0 .4rem .4rem 0 }\n"
	"aside.warn { border-color: #e69f00 }\n"
	"aside h2 { font-size: 1rem }\n"
	"nav { margin: 1.2rem 0 0; border: solid var(--line); border-width: 1px 0; padding: .5rem "
	"0 }\n"
	"nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: 0;\n"
	"\tpadding: 0; font-size: .92rem }\n"
	"section { margin-top: 2.4rem }\n";

static const char tables[] =
	/* shadows at the ends where there is more to scroll to */
	".wide { overflow-x: auto; margin: .7rem 0; background:\n"
	"\tlinear-gradient(to right, var(--page) 40%, transparent) 0 / 3rem 100% no-repeat local,\n"
	"\tlinear-gradient(to left, var(--page) 40%, transparent) 100% / 3rem 100% no-repeat "
	"local,\n"
	"\tlinear-gradient(to right, var(--edge), transparent) 0 / .8rem 100% no-repeat scroll,\n"
	"\tlinear-gradient(to left, var(--edge), transparent) 100% / .8rem 100% no-repeat scroll "
	"}\n"
	"table { border-collapse: collapse; font-size: .88rem; line-height: 1.4;\n"
	"\tfont-variant-numeric: tabular-nums }\n"
	"th, td { padding: .32rem .7rem; text-align: left; border-bottom: 1px solid var(--line);\n"
	"\twhite-space: nowrap; vertical-align: baseline }\n"
	"th:first-child, td:first-child { padding-left: .2rem }\n"
	"thead th { color: var(--soft); font-weight: 600; border-bottom-width: 2px;\n"
	"\tvertical-align: bottom }\n"
	"tbody th { font-weight: 600 }\n"
	"tbody th { position: sticky; left: 0; background: var(--page) }\n"
	".fields th { position: static }\n"
	"tbody th > span { display: inline-block; width: max-content; max-width: 12rem;\n"
	"\twhite-space: normal; overflow-wrap: anywhere }\n"
	".long { white-space: normal; min-width: 16rem; max-width: 34rem }\n"
	"tbody tr:hover { background: var(--card) }\n"
	".n { text-align: right }\n"
	"abbr { text-decoration: none; cursor: help }\n"
	".in { color: var(--soft) }\n"
	".part { background: color-mix(in srgb, var(--heat) var(--p), transparent) }\n"
	".fields th:first-child { white-space: normal; min-width: 11rem; max-width: 24rem }\n"
	".fields td, .fields thead th { white-space: normal; min-width: 7rem; max-width: 34rem;\n"
	"\toverflow-wrap: anywhere }\n"
	".fields small { display: block; font-weight: 400 }\n"
	".bar { display: block; width: 8rem; height: .9rem }\n"
	".bar .all { fill: var(--card) } .bar .got { fill: var(--got) }\n"
	".bar .due { stroke: var(--due); stroke-width: 2px; vector-effect: non-scaling-stroke }\n"
	".word { display: inline-block; border-radius: 1rem; padding: 0 .55rem; font-weight: 600;\n"
	"\tfont-size: .82rem; background: var(--card); border: 1px solid var(--line) }\n"
	".good { color: var(--good); background: var(--good-bg); border-color: transparent }\n"
	".bad { color: var(--bad); background: var(--bad-bg); border-color: transparent }\n"
	".poor { color: var(--poor); background: var(--poor-bg); border-color: transparent }\n";

static const char figures[] =
	".figures { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0 }\n"
	"figure { margin: 0; flex: 1 1 26rem; max-width: 35rem; min-width: 0 }\n"
	".paper { background: #fff; color: #000; border: 1px solid var(--line);\n"
	"\tborder-radius: .5rem; padding: .5rem }\n"
	/* names may be wider than gnuplot could know; its font "Sans" is one on some systems only
	 */
	".paper svg { display: block; width: 100%; height: auto; overflow: visible }\n"
	".paper g { font-family: Arial, \"Liberation Sans\", Roboto, \"Noto Sans\",\n"
	"\t\"DejaVu Sans\", sans-serif }\n"
	"figcaption { padding: .3rem .2rem 0 }\n"
	"details { margin: .6rem 0; border: 1px solid var(--line); border-radius: .4rem;\n"
	"\tpadding: .4rem .8rem }\n"
	"summary { cursor: pointer }\n"
	"details.terms { border: 0; padding: 0; font-size: .88rem }\n"
	".terms dl { columns: 20rem; column-gap: 2rem; margin: .3rem 0 }\n"
	".terms div { break-inside: avoid; margin-bottom: .4rem }\n"
	".terms dt { font-weight: 600 } .terms dd { margin: 0; color: var(--soft) }\n"
	"@media (max-width: 40rem) { tbody th > span { max-width: 8rem } .answer { font-size: "
	"1.15rem }\n"
	"\tfigure { flex-basis: 100% } .paper { padding: .2rem } details { padding: .4rem .5rem } "
	"}\n";

static const char paper[] =
	"@page { margin: 15mm }\n"
	"@media print { :root { color-scheme: light }\n"
	"\thtml { font-size: 9pt } body { padding: 0; max-width: none }\n"
	"\tnav { display: none } a { color: inherit; text-decoration: none }\n"
	"\t* { print-color-adjust: exact; -webkit-print-color-adjust: exact }\n"
	"\tdetails::details-content { content-visibility: visible; display: block;\n"
	"\t\tblock-size: auto }\n"
	"\tdetails { border: 0; padding: 0 }\n"
	"\t.wide { overflow: visible }\n"
	"\ttable { font-size: .85rem } th, td { padding: .15rem .4rem }\n"
	"\tthead th { white-space: normal }\n"
	"\tthead { display: table-header-group }\n"
	"\ttr, figure, aside, .terms div { break-inside: avoid }\n"
	"\th2, h3, summary { break-after: avoid }\n"
	"\tfigure { flex: 1 1 45%; max-width: 49% } }\n";

void fplot_html_style(FILE *f)
{
	fputs(base, f);
	fputs(tables, f);
	fputs(figures, f);
	fputs(paper, f);
}
