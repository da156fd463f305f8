# How long each vCPU waited for a CPU: 50, 95, 99 % and the longest. To draw it again: gnuplot waits.gp
# or in other formats: gnuplot -e "formats='png pdf'" waits.gp
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
height = 1.26

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
	set output 'waits' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set ytics (tic('vm2').' 0 (tid 85)' 0, \
		tic('vm2').' 0 (tid 88)' 1, \
		tic('vm1').' 0 (tid 84)' 2, \
		tic('vm1').' 0 (tid 90)' 3) scale 0 font ',7'
	set grid xtics lc rgb 0xD8D8D8 lw 0.5 lt 1
	set border 1 lw 0.75
	set rmargin 3
	set logscale x 10
	set xrange [1.01:22.58]
	set xtics ('2' 2, '5' 5, '10' 10, '20' 20) offset 0,0.3
	set xlabel say('wait for a CPU (ms)') offset 0,0.6
	set yrange [3.5:-0.5]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 4 Left \
		reverse font ',7' samplen 0.8
	set tmargin at screen 1-0.24/height
	at(c) = $1 < 0 || !(column(c) > 0) ? NaN : column(c)
	least(a,b) = b > 0 ? b : a
	plot \
		'waits.tsv' using (least(at(5),at(2))):1:(at(5)-least(at(5),at(2))):(0) \
			with vectors nohead lc rgb 0xA0A0A0 lw 1 notitle, \
		'' using (at(2)):1 with points pt 7 ps dot*1.3 lc rgb 0x0072B2 title say('median'), \
		'' using (at(3)):1 with points pt 9 ps dot*1.4 lc rgb 0x009E73 title say('95 %'), \
		'' using (at(4)):1 with points pt 5 ps dot*1.2 lc rgb 0xE69F00 title say('99 %'), \
		'' using (at(5)):1 with points pt 2 ps dot*1.4 lc rgb 0x000000 title say('longest')
	unset output
}
