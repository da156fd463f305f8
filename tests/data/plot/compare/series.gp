# Of a comparison: scores one after the other, and the means. To draw it again: gnuplot series.gp
# or in other formats: gnuplot -e "formats='png pdf'" series.gp
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
height = 2.42

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
	set output 'series' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set xrange [0.6:4.58]
	set xtics 1 offset 0,0.3
	set xlabel say('run') offset 0,0.6
	set yrange [0:400000000]
	set ytics 100000000 offset 0.4,0
	set format y '%.0s%c'
	set lmargin 9
	set ylabel say('rounds').' per second' offset -0.7,0
	darker(c) = (c & 0xFEFEFE) >> 1
	set rmargin 2
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 2 Left \
		reverse font ',7' samplen 1.6
	set tmargin at screen 1-0.52/height
	plot \
		'series-means.tsv' every ::0::0 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0x0072B2) lw 1.5 notitle, \
		'' every ::0::0 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0x0072B2) lw 1 notitle, \
		'series-means.tsv' every ::1::1 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0xD55E00) lw 1.5 notitle, \
		'' every ::1::1 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0xD55E00) lw 1 notitle, \
		'series-means.tsv' every ::2::2 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0x009E73) lw 1.5 notitle, \
		'' every ::2::2 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0x009E73) lw 1 notitle, \
		'series-means.tsv' every ::3::3 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0xCC79A7) lw 1.5 notitle, \
		'' every ::3::3 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0xCC79A7) lw 1 notitle, \
		'series.tsv' index 0 using 1:2 with linespoints lc rgb 0x0072B2 lw 0.75 \
			pt 7 ps dot*1.2 pointinterval 1 title say('off').', '.say('vm1'), \
		'series.tsv' index 1 using 1:2 with linespoints lc rgb 0xD55E00 lw 0.75 \
			pt 5 ps dot*1.2 pointinterval 1 title say('off').', '.say('vm2'), \
		'series.tsv' index 2 using 1:2 with linespoints lc rgb 0x009E73 lw 0.75 \
			pt 9 ps dot*1.2 pointinterval 1 title say('on').', '.say('vm1'), \
		'series.tsv' index 3 using 1:2 with linespoints lc rgb 0xCC79A7 lw 0.75 \
			pt 11 ps dot*1.2 pointinterval 1 title say('on').', '.say('vm2'), \
		NaN with lines lc rgb 0x404040 lw 1.5 title say('mean, interval'), \
		NaN notitle
	unset output
}
