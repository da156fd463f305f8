# What each core did: groups alone, groups that shared it, forced idle. To draw it again: gnuplot cores.gp
# or in other formats: gnuplot -e "formats='png pdf'" cores.gp
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
height = 1.54

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
	set output 'cores' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	set ytics ('0,1' 0) scale 0
	set ylabel say('CPUs') offset 0.6*side,0
	v(c) = strcol(c) eq 'NaN' ? 0 : column(c)
	set border 1 lw 0.75
	set rmargin 2
	set xtics offset 0,0.3
	set xlabel say('wall time of the core (%)') offset 0,0.6
	set xrange [0:100]
	set yrange [0.5:-0.5]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 2 Left \
		reverse font ',7' samplen 0.8
	set tmargin at screen 1-0.66/height
	plot \
		'cores.tsv' using (0):($0):(0):(v(9)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x0072B2 lw 0.5 title say('vm2'), \
		'cores.tsv' using (v(9)):($0):(v(9)):(v(9)+v(10)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x56B4E9 lw 0.5 title say('vm1'), \
		'cores.tsv' using (v(9)+v(10)):($0):(v(9)+v(10)):(v(9)+v(10)+v(7)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xD00000 lw 0.5 title say('groups shared it'), \
		'cores.tsv' using (v(9)+v(10)+v(7)):($0):(v(9)+v(10)+v(7)):(v(9)+v(10)+v(7)+v(6)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xCC79A7 lw 0.5 title say('group beside host'), \
		'cores.tsv' using (v(9)+v(10)+v(7)+v(6)):($0):(v(9)+v(10)+v(7)+v(6)):(v(9)+v(10)+v(7)+v(6)+v(5)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0x8A8A8A lw 0.5 title say('host programs'), \
		'cores.tsv' using (v(9)+v(10)+v(7)+v(6)+v(5)):($0):(v(9)+v(10)+v(7)+v(6)+v(5)):(v(9)+v(10)+v(7)+v(6)+v(5)+v(4)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xB8B8B8 lw 0.5 title say('kernel'), \
		'cores.tsv' using (v(9)+v(10)+v(7)+v(6)+v(5)+v(4)):($0):(v(9)+v(10)+v(7)+v(6)+v(5)+v(4)):(v(9)+v(10)+v(7)+v(6)+v(5)+v(4)+v(3)):($0-0.36):($0+0.36) \
			with boxxyerror fs solid 1 border rgb 0xFFFFFF fc rgb 0xE4E4E4 lw 0.5 title say('idle'), \
		'cores.tsv' using (0):($0):(0):2:($0+0.36):($0+0.48) \
			with boxxyerror fs solid 1 noborder fc rgb 0x000000 title say('forced idle (CPU time)')
	unset output
}
