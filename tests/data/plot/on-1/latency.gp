# How long the waits for a CPU of each group and vCPU were. To draw it again: gnuplot latency.gp
# or in other formats: gnuplot -e "formats='png pdf'" latency.gp
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
height = 2.48

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
	set output 'latency' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	us = format eq 'tex' ? '$\mu$s' : 'us'
	set logscale x 10
	set xrange [0.04587:23.52]
	set xtics ('100 '.us 0.1, '1 '.'ms' 1, '10 '.'ms' 10) offset 0,0.3 font ',7'
	set xlabel say('wait for a CPU') offset 0,0.6
	top = 5.587
	level(p) = p >= 100 ? top : p <= 90 ? 0.043429*p : 3.908650-1-log10(1-p/100.0)
	set yrange [0:top]
	set ytics (0, '25' level(25), '50' level(50), '75' level(75), \
		'95' level(95), '99' level(99)) offset 0.4,0 font ',7'
	set ylabel say('waits no longer than that (%)') offset side,0
	set grid ytics lc rgb 0xD8D8D8 lw 0.5 lt 1
	set rmargin 3
	at(ms) = ms > 0.04587 ? ms : 0.04587
	array colour[2]
	array mark[2]
	colour[1] = 0x0072B2; mark[1] = 7
	colour[2] = 0xD55E00; mark[2] = 5
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 2 Left \
		reverse font ',7' samplen 1.6
	set tmargin at screen 1-0.38/height
	plot \
		'latency.tsv' index 0 using (at($1)):(level($3)) with steps \
			lc rgb 0x80000000+0x0072B2 lw 0.5 notitle, \
		'' index 1 using (at($1)):(level($3)) with steps \
			lc rgb 0x80000000+0x0072B2 lw 0.5 notitle, \
		'' index 2 using (at($1)):(level($3)) with steps \
			lc rgb 0x80000000+0xD55E00 lw 0.5 notitle, \
		'' index 3 using (at($1)):(level($3)) with steps \
			lc rgb 0x80000000+0xD55E00 lw 0.5 notitle, \
		'' index 4 using (at($1)):(level($3)) with steps \
			lc rgb 0x0072B2 lw 1.5 notitle, \
		'' index 5 using (at($1)):(level($3)) with steps \
			lc rgb 0xD55E00 lw 1.5 notitle, \
		'latency-percentiles.tsv' using ($1 < 0 ? NaN : at($2)):(level(50)): \
			($1 < 0 ? 0 : mark[$1+1]):($1 < 0 ? 0 : colour[$1+1]) \
			with points pt variable ps dot*1.4 lc rgb variable notitle, \
		'latency-percentiles.tsv' using ($1 < 0 ? NaN : at($3)):(level(95)): \
			($1 < 0 ? 0 : mark[$1+1]):($1 < 0 ? 0 : colour[$1+1]) \
			with points pt variable ps dot*1.4 lc rgb variable notitle, \
		'latency-percentiles.tsv' using ($1 < 0 ? NaN : at($4)):(level(99)): \
			($1 < 0 ? 0 : mark[$1+1]):($1 < 0 ? 0 : colour[$1+1]) \
			with points pt variable ps dot*1.4 lc rgb variable notitle, \
		NaN with linespoints lc rgb 0x0072B2 lw 1.5 pt 7 ps dot*1.4 title say('vm2'), \
		NaN with linespoints lc rgb 0xD55E00 lw 1.5 pt 5 ps dot*1.4 title say('vm1'), \
		NaN with lines lc rgb 0x80000000+0x404040 lw 0.5 title say('single vCPUs'), \
		NaN with points pt 7 ps dot*1.4 lc rgb 0x404040 title say('50, 95, 99 %')
	unset output
}
