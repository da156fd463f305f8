# Of a comparison: every gap and change with its interval and its margin. To draw it again: gnuplot gaps.gp
# or in other formats: gnuplot -e "formats='png pdf'" gaps.gp
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
height = 0.84

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
	set output 'gaps' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set ytics (tic('share').', '.tic('VM2 over VM1') 0) scale 0 font ',7'
	set border 1 lw 0.75
	set rmargin 3
	set xtics offset 0,0.3
	set arrow 1 from 0,graph 0 to 0,graph 1 nohead front lc rgb 0x808080 lw 0.75
	set xlabel say('difference (points)') offset 0,0.6
	set xtics 20
	set yrange [0.5:-0.5]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 3 Left \
		reverse font ',7' samplen 1
	set tmargin at screen 1-0.24/height
	plot 'gaps.tsv' using (NaN):1 with points notitle, \
		'' using (0):1:(-$7):($7):($1-0.5):($1+0.5) with boxxyerror \
			fc rgb 0xDCDCDC title say('margin'), \
		'' using 3:1:($4-$3):(0) with vectors nohead lc rgb 0x000000 \
			lw 2 title say('95 % interval'), \
		'' using (strcol(9) eq 'points' ? $2 : NaN):1 with points pt 5 \
			ps dot*1.4 lc rgb 0xD55E00 title say('in points')
	unset output
}
