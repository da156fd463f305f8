# Of a comparison: every gap and change with its interval and its margin. To draw it again: gnuplot gaps.gp
# or in other formats: gnuplot -e "formats='png pdf'" gaps.gp
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
height = 3.83

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
	set ytics (tic('vm1').' over '.tic('vm2').', '.tic('off') 0, \
		tic('vm1').' over '.tic('vm2').', '.tic('on') 1, \
		tic('rounds').', '.tic('vm1') 2, \
		tic('rounds').', '.tic('vm2') 3, \
		tic('rounds').', '.tic('total') 4, \
		tic('gap').', '.tic('vm1 over vm2') 5, \
		tic('gap').', '.tic('vm1 over vm2') 6, \
		tic('CPU time').', '.tic('vm1') 7, \
		tic('CPU time').', '.tic('vm2') 8, \
		tic('CPU time').', '.tic('total') 9, \
		tic('efficiency').', '.tic('vm1') 10, \
		tic('efficiency').', '.tic('vm2') 11, \
		tic('efficiency').', '.tic('total') 12, \
		tic('share').', '.tic('vm1') 13, \
		tic('share').', '.tic('vm2') 14, \
		tic('deviation').', '.tic('vm1') 15, \
		tic('deviation').', '.tic('vm2') 16, \
		tic('forced idle').', '.tic('vm1') 17, \
		tic('forced idle').', '.tic('vm2') 18, \
		tic('forced idle').', '.tic('total') 19) scale 0 font ',7'
	set border 1 lw 0.75
	set rmargin 3
	set xtics offset 0,0.3
	set arrow 1 from 0,graph 0 to 0,graph 1 nohead front lc rgb 0x808080 lw 0.75
	set xlabel say('difference (%, points)') offset 0,0.6
	set xtics 200
	set yrange [19.5:-0.5]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 3 Left \
		reverse font ',7' samplen 1
	set tmargin at screen 1-0.38/height
	plot 'gaps.tsv' using (NaN):1 with points notitle, \
		'' using (0):1:(-$7):($7):($1-0.5):($1+0.5) with boxxyerror \
			fc rgb 0xDCDCDC title say('margin'), \
		'' using 5:1:($6-$5):(0) with vectors nohead lc rgb 0x000000 \
			lw 0.75 title say('adjusted'), \
		'' using 3:1:($4-$3):(0) with vectors nohead lc rgb 0x000000 \
			lw 2 title say('95 % interval'), \
		'' using (strcol(9) eq 'points' ? NaN : $2):1 with points pt 7 \
			ps dot*1.6 lc rgb 0x0072B2 title say('in percent'), \
		'' using (strcol(9) eq 'points' ? $2 : NaN):1 with points pt 5 \
			ps dot*1.4 lc rgb 0xD55E00 title say('in points')
	unset output
}
