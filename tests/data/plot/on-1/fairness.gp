# Jain's index and the rms error of the shares, by the length of windows. To draw it again: gnuplot fairness.gp
# or in other formats: gnuplot -e "formats='png pdf'" fairness.gp
#
# command:  fanalyze plot on-1.dat -o on-1
# version:  0.1
# trace:    on-1.dat
# checksum: xxh128:04711c408fda4a447f660344ed2dfd30
# kernel:   6.12.117-fcapbed
# CPU:      QEMU Virtual CPU version 2.5+
# CPUs:     2
# SMT:      on
# scheduler: eevdf
# labels:   core_sched=on setup=11 run=1
# period:   0.000000 s to 2.285450 s of the trace
# window:   10 ms, 197 of them
# expected: demand
# weights:  nice of each thread
# quality:  ok

if (!exists("formats")) formats = "svg pdf png"
width = 3.4     # inches
height = 2.60

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
	set output 'fairness' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set logscale x 10
	set xrange [0.666667:3000]
	set lmargin 8
	set rmargin 2
	set ytics offset 0.4,0
	set multiplot
	set tmargin at screen 1-0.08/height
	set bmargin at screen 0.56
	set format x ''
	set xlabel ''
	set ylabel say('Jain index') offset side,0
	set yrange [0:1.05]
	set ytics 0.5
	set y2range [0:1]
	set samples 2
	set key bottom right opaque samplen 1.6 font ',7' spacing 0.9
	plot '+' using (50):($0) axes x1y2 with lines lc rgb 0x808080 lw 0.75 dt (6,4) \
			title say('95 % of windows are fair'), \
		'fairness.tsv' using 1:3 with linespoints lc rgb 0x0072B2 lw 1.5 pt 7 ps dot notitle
	unset key
	set tmargin at screen 0.5
	set bmargin at screen 0.4/height
	set format x '%g'
	set xtics offset 0,0.3
	set xlabel say('length of the windows (ms)') offset 0,0.6
	set ylabel say('rms error (points)') offset side,0
	set yrange [0:*]
	set ytics 10
	plot '+' using (50):($0) axes x1y2 with lines lc rgb 0x808080 lw 0.75 dt (6,4) \
			notitle, \
		'fairness.tsv' using 1:5 with linespoints lc rgb 0xD55E00 lw 1.5 pt 5 ps dot notitle
	unset multiplot
	unset output
}
