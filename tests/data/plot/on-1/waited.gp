# Who waited for whom, in percent of each group's wait. To draw it again: gnuplot waited.gp
# or in other formats: gnuplot -e "formats='png pdf'" waited.gp
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
height = 1.66

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
	set output 'waited' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	unset border
	unset xtics
	unset key
	set ytics (tic('vm2') 0, \
		tic('vm1') 1) scale 0
	set x2tics (tic('vm2') 0, \
		tic('vm1') 1, \
		tic('host') 2, \
		tic('forced idle') 3, \
		tic('CPU idle') 4) scale 0 rotate by 40 left offset -0.5,0
	set lmargin 8.3 * (format eq 'tex' || format eq 'svg' ? 1.2 : 1)
	set tmargin 6.6
	set rmargin 9
	set bmargin 0.6
	set label 1 say('who waited') at screen 0.1/width, graph 0.5 center rotate by 90
	set label 2 say('for whom, or what') at graph 0.5, screen 1 center offset 0,-0.8
	set xrange [-0.5:4.5]
	set x2range [-0.5:4.5]
	set yrange [1.5:-0.5]
	set palette defined (0 '#FFFFFF', 50 '#56A0D0', 100 '#00304E') maxcolors 100
	set cbrange [0:100]
	set cblabel say('of its wait (%)') offset (format eq 'svg' ? 0.8 : -0.5),0
	set cbtics 50 scale 0 offset -0.5,0
	set colorbox noborder
	plot 'waited.tsv' using ($1 < 0 ? NaN : $1):2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc palette notitle, \
		'' using ($1 < 0 || $3 == 0 ? NaN : $1):2: \
			(gprintf($3 >= 9.95 ? '%.0f' : '%.1f', $3)): \
			($3 > 65 ? 0xFFFFFF : 0x000000) with labels font ',7' tc rgb variable notitle
	unset output
}
