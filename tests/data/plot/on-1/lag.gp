# Lag over time: CPU time due and not had, since the first window. To draw it again: gnuplot lag.gp
# or in other formats: gnuplot -e "formats='png pdf'" lag.gp
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
height = 2.10

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
	set output 'lag' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set xlabel say('time (s)') offset 0,0.6
	set ylabel say('CPU time owed (ms)') offset side,0
	set xtics offset 0,0.3
	set ytics offset 0.4,0
	set rmargin 2
	set xrange [0.230000:2.200000]
	set yrange [0:1200]
	set key outside top center horizontal maxcols 3 Left reverse \
		samplen 1.6 font ',7'
	set xzeroaxis lc rgb 0x808080 lw 0.75 lt 1
	plot \
		'lag.tsv' using 1:($2/1) with linespoints lc rgb 0x0072B2 lw 1.5 \
			pt 7 ps dot pointinterval 24 title say('vm2'), \
		'lag.tsv' using 1:($3/1) with linespoints lc rgb 0xD55E00 lw 1.5 \
			pt 5 ps dot pointinterval 24 title say('vm1')
	unset output
}
