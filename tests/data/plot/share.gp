# Share of the CPU over time. To draw it again: gnuplot share.gp
# or in other formats: gnuplot -e "formats='png pdf'" share.gp
#
# command:  fanalyze plot 'a b\x0A\x60c\x60\x5C
# version:  0.1
# trace:    a b
# expected: static
# weights:  cgroup
# quality:  ok
# windows:  3 of 100 ms, from 1 s to 1.3 s of the trace
# groups:   share of the whole run, by which the bands are drawn
#   it's "a"\x5C\x09: 65.62 %, expected 60.00 %, 95 % interval 62.50 to 68.75 %; pw-ewc, n=2; one_run
#   #bé: 34.38 %, expected 40.00 %; no interval, n=2; ci_none:n<20, one_run

if (!exists("formats")) formats = "svg pdf png"
width = 3.4     # inches
height = 2.43

groups = 2
array name[groups]
array colour[groups]
array mark[groups]
name[1] = 'it''s "a"\\x09'; colour[1] = 0x0072B2; mark[1] = 7
name[2] = '#bé'; colour[2] = 0xD55E00; mark[2] = 5

begin = 1.000000  # seconds
end = 1.300000
window = 0.100000
middle(t) = t + window / 2
clear(c) = c + 0x90000000  # the colour, mostly transparent
paler(c) = c + 0xC8000000
darker(c) = (c & 0xFEFEFE) >> 1
share(i) = 2 + 2 * (i - 1)  # columns of share.tsv
expected(i) = share(i) + 1
heavy(i) = share(i)

reset
# LaTeX sets the text of the format tex, and some characters mean something to it
plain(c) = strstrt('%#&_${}', c) ? '\' . c : c eq '\' ? '\textbackslash{}' : \
	c eq '~' ? '\textasciitilde{}' : c eq '^' ? '\textasciicircum{}' : c
say(s) = format ne 'tex' || strlen(s) == 0 ? s : plain(s[1:1]) . say(s[2:*])
# the same for a mark of an axis, which gnuplot takes for a format
tic(s) = strlen(s) == 0 ? s : (s[1:1] eq '%' ? say('%') . '%' : say(s[1:1])) . tic(s[2:*])
set encoding utf8
set datafile separator "\t"
set border 3 lw 0.75
set tics nomirror out scale 0.5
set xlabel 'time (s)' offset 0,0.6
set xtics offset 0,0.3
set ytics offset 0.4,0
set rmargin 2
set xrange [begin:end]
set yrange [20:80]
set key outside top center horizontal maxcols 2 Left reverse \
	samplen 1.6 font ',7'
set style fill solid noborder

do for [format in formats] {
	if (format eq 'svg') { set terminal svg noenhanced size 96*width,96*height \
		font 'sans-serif,8' fontscale 1.33 background 'white'; dot = 0.6; side = 0.4; \
		set key width 2 }
	if (format eq 'pdf') { set terminal pdfcairo noenhanced size (width)in,(height)in \
		font 'Sans,8' fontscale 0.75 linewidth 1.2 pointscale 0.7; dot = 0.4; side = 1.2; \
		set key width -0.5 }
	if (format eq 'png') { set terminal pngcairo noenhanced size 288*width,288*height \
		font 'Sans,8' fontscale 3 linewidth 3 pointscale 3 \
		dashlength 2; dot = 0.4; side = 1.2; set key width -0.5 }
	if (format eq 'tex') { set terminal cairolatex pdf colortext size (width)in,(height)in \
		font ',8' linewidth 1.2 pointscale 0.7 \
		header '\fontsize{8}{9.6}\selectfont'; dot = 0.4; side = -0.2; \
		set key width 3 spacing 1.2 }
	set output 'share' . (format eq 'tex' ? '-tex.' : '.') . format
	set ylabel say('share of CPU time (%)') offset side,0
	plot \
		for [i=1:groups] 'share-groups.tsv' every ::i-1::i-1 \
			using (begin):3:(begin):(end):4:5 \
			with boxxyerror fc rgb paler(colour[i]) notitle, \
		for [i=1:groups] 'share.tsv' using (middle($1)):(column(heavy(i))) \
			with linespoints lc rgb colour[i] lw 1.5 pt mark[i] ps dot \
			pointinterval 1 title say(name[i]), \
		for [i=1:groups] 'share.tsv' using (middle($1)):(column(expected(i))) \
			with lines lc rgb darker(colour[i]) lw 1 dt (6,4) notitle, \
		NaN with lines lc rgb 0x404040 lw 1 dt (6,4) title say('expected'), \
		NaN with boxes fc rgb paler(0x404040) title say('95 % interval'), \
		NaN with lines lc rgb 0x404040 lw 1.5 title '100 ms window'
	unset output
}
