# Of a comparison: each run's score, or CPU time, and the means. To draw it again: gnuplot runs.gp
# or in other formats: gnuplot -e "formats='png pdf'" runs.gp
#
# command:  fanalyze compare --json compare.json --config off off-1.dat off-2.dat --config on on-1.dat on-2.dat
# version:  0.1
# baseline: off
# runs:     off, 2
# runs:     on, 2
# run:      off, off-1.dat, xxh128:e1a1faa01fc008b93d8239e74a548a99, windows of 10 ms
# run:      off, off-2.dat, xxh128:165885134d596b8c53f8ff9abb0aa678, windows of 10 ms
# run:      on, on-1.dat, xxh128:04711c408fda4a447f660344ed2dfd30, windows of 10 ms
# run:      on, on-2.dat, xxh128:5df50cb8f1a8225a94a176f5ba476878, windows of 10 ms
# kernel:   6.12.117-fcapbed
# CPU:      QEMU Virtual CPU version 2.5+
# SMT:      on
# scheduler: eevdf
# level:    95 %, margin 3

if (!exists("formats")) formats = "svg pdf png"
width = 3.4     # inches
height = 2.30

reset
set datafile separator "\t"
# LaTeX sets the text of the format tex, and some characters mean something to it
plain(c) = strstrt('%#&_${}', c) ? '\' . c : c eq '\' ? '\textbackslash{}' : \
	c eq '~' ? '\textasciitilde{}' : c eq '^' ? '\textasciicircum{}' : c
say(s) = format ne 'tex' || strlen(s) == 0 ? s : plain(s[1:1]) . say(s[2:*])
# the same for a mark of an axis, which gnuplot takes for a format
tic(s) = strlen(s) == 0 ? s : (s[1:1] eq '%' ? say('%') . '%' : say(s[1:1])) . tic(s[2:*])

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
	set output 'runs' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set xtics (tic('vm1') 0, tic('vm2') 1) scale 0 offset 0,0.3
	set xrange [-0.5:1.5]
	set rmargin 2
	set ytics offset 0.4,0
	set yrange [0:*]
	set format y '%.0s%c'
	set lmargin 9
	set ylabel say('rounds').' per second' offset -0.7,0
	set key outside top center horizontal maxcols 3 Left reverse \
		samplen 0.8 font ',7'
	plot \
		'runs.tsv' using 4:5:6:7 with yerrorbars pt -1 lc rgb 0x000000 lw 0.75 notitle, \
		'' using ($4-0.125):5:(0.25):(0) with vectors nohead lc rgb 0x000000 lw 1.5 \
			title say('mean and interval'), \
		'' using ($1 == 0 ? $2 : NaN):3 with points pt 7 ps dot*1.4 \
			lc rgb 0x0072B2 title say('off'), \
		'' using ($1 == 1 ? $2 : NaN):3 with points pt 5 ps dot*1.4 \
			lc rgb 0xD55E00 title say('on')
	unset output
}
