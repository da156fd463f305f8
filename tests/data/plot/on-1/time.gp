# Time of each group: on a CPU by mode, waiting by cause, halted, asleep. To draw it again: gnuplot time.gp
# or in other formats: gnuplot -e "formats='png pdf'" time.gp
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
height = 1.68

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
	set output 'time' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set ytics (tic('vm2') 0, \
		tic('vm1') 1) scale 0
	set lmargin (format eq 'svg' ? 6.4 : -1)
	v(c) = strcol(c) eq 'NaN' ? 0 : column(c)
	set border 1 lw 0.75
	set rmargin 2
	set xtics offset 0,0.3
	set xlabel say('time of all threads (s)') offset 0,0.6
	set xrange [0:*]
	set yrange [1.5:-0.5]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 2 Left \
		reverse font ',7' samplen 0.8
	set tmargin at screen 1-0.80/height
	plot \
		'time.tsv' using (0):($0):(0):(v(2)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x00456E lw 0.5 title say('guest'), \
		'time.tsv' using (v(2)):($0):(v(2)):(v(2)+v(3)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x0072B2 lw 0.5 title say('host kernel for it'), \
		'time.tsv' using (v(2)+v(3)):($0):(v(2)+v(3)):(v(2)+v(3)+v(5)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x56B4E9 lw 0.5 title say('VMM'), \
		'time.tsv' using (v(2)+v(3)+v(5)):($0):(v(2)+v(3)+v(5)):(v(2)+v(3)+v(5)+v(7)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xA6D8F5 lw 0.5 title say('on a CPU otherwise'), \
		'time.tsv' using (v(2)+v(3)+v(5)+v(7)):($0):(v(2)+v(3)+v(5)+v(7)):(v(2)+v(3)+v(5)+v(7)+v(8)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x8C3A00 lw 0.5 title say('waits: other group'), \
		'time.tsv' using (v(2)+v(3)+v(5)+v(7)+v(8)):($0):(v(2)+v(3)+v(5)+v(7)+v(8)):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xD55E00 lw 0.5 title say('waits: itself'), \
		'time.tsv' using (v(2)+v(3)+v(5)+v(7)+v(8)+v(9)):($0):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xE69F00 lw 0.5 title say('waits: host'), \
		'time.tsv' using (v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)):($0):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)+v(12)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x7A3B5E lw 0.5 title say('waits: forced idle'), \
		'time.tsv' using (v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)+v(12)):($0):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)+v(12)):(v(2)+v(3)+v(5)+v(7)+v(8)+v(9)+v(10)+v(12)+v(13)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xF0E442 lw 0.5 title say('waits: CPU idle')
	unset output
}
