# Of a comparison: scores one after the other, and the means. To draw it again: gnuplot series.gp
# or in other formats: gnuplot -e "formats='png pdf'" series.gp
#
# command:  fanalyze scores --expected 0.9 --json scores.json scores-2015.csv
# version:  0.1
# baseline: off
# runs:     off, 1
# runs:     on, 1
# file:     scores-2015.csv
# checksum: xxh128:ba2ff0e99edc29b692cc34731fa8f076
# run:      off, off
# run:      on, on
# level:    95 %, margin 3

if (!exists("formats")) formats = "svg pdf png"
width = 3.4     # inches
height = 2.28

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
	set xrange [0.3852:32.3548]
	set xtics 10 offset 0,0.3
	set xlabel say('window') offset 0,0.6
	set yrange [0:100]
	set ytics 20 offset 0.4,0
	set ylabel say('share (%)') offset side,0
	darker(c) = (c & 0xFEFEFE) >> 1
	set rmargin 2
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 2 Left \
		reverse font ',7' samplen 1.6
	set tmargin at screen 1-0.38/height
	plot \
		'series-means.tsv' every ::0::0 using 1:7:($3-$1):(0) with vectors \
			nohead lc rgb darker(0x0072B2) lw 1 dt (6,4) notitle, \
		'series-means.tsv' every ::1::1 using 1:7:($3-$1):(0) with vectors \
			nohead lc rgb darker(0xD55E00) lw 1 dt (6,4) notitle, \
		'series-means.tsv' every ::0::0 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0x0072B2) lw 1.5 notitle, \
		'' every ::0::0 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0x0072B2) lw 1 notitle, \
		'series-means.tsv' every ::1::1 using 1:4:($3-$1):(0) with vectors \
			nohead lc rgb darker(0xD55E00) lw 1.5 notitle, \
		'' every ::1::1 using 3:5:(0):($6-$5) with vectors heads \
			size graph 0.01,90 lc rgb darker(0xD55E00) lw 1 notitle, \
		'series.tsv' index 0 using 1:2 with linespoints lc rgb 0x0072B2 lw 0.75 \
			pt 7 ps dot*1.2 pointinterval 1 title say('off').', '.say('VM1'), \
		'series.tsv' index 1 using 1:2 with linespoints lc rgb 0xD55E00 lw 0.75 \
			pt 5 ps dot*1.2 pointinterval 1 title say('on').', '.say('VM2'), \
		NaN with lines lc rgb 0x404040 lw 1.5 title say('mean, interval'), \
		NaN with lines lc rgb 0x404040 lw 1 dt (6,4) title say('expected'), \
		NaN notitle
	unset output
}
