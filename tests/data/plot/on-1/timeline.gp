# Who had each CPU over time, forced idle, violations of isolation. To draw it again: gnuplot timeline.gp
# or in other formats: gnuplot -e "formats='png pdf'" timeline.gp
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
height = 1.51

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
	set output 'timeline' . (format eq 'tex' ? '-tex.' : '.') . format
	set border 3 lw 0.75
	set tics nomirror out scale 0.5
	set style fill solid noborder
	# of a lane; and of a strip, which is 0.3 high: 15 % at least of what occurs
	to(n) = (sum [i=6:n] column(i))/100
	any(m,n) = (sum [i=m:n] column(i)) > 0 ? t(4) : NaN
	part(c) = column(c) > 0 && column(c) < 15 ? 15 : column(c)
	strip(pct) = 0.3*(pct < 100 ? pct : 100)/100
	set border 1 lw 0.75
	set rmargin 3
	# each box reaches a little into the next one, or there would be seams
	t(c) = 1*column(c)
	end(c) = t(c)+0.00236
	set xrange [0:2.28544985]
	set xtics offset 0,0.3
	set xlabel say('time (s)') offset 0,0.6
	# hatching: lines that begin at the top of a lane, and which part of each is seen
	set samples 70
	dx = 0.220664
	at(x) = x-dx*(2.28544985-x)/2.28544985
	from(x) = at(x) < 0 ? (0-at(x))/dx+0.02 : 0.02
	upto(x) = at(x)+dx > 2.28544985 ? (2.28544985-at(x))/dx-0.02 : 0.98
	set ytics ('0' 0.50, '1' 1.92) scale 0 font ',7'
	set ylabel say('CPU') offset side,0
	set yrange [2.52:-0.1]
	set key at screen 0.5,screen 1-0.03/height center top horizontal maxcols 3 Left \
		reverse font ',7' samplen 0.8
	set tmargin at screen 1-0.38/height
	plot \
		for [y in '1.00 2.42'] '+' using \
			(from($1) < upto($1) ? at($1)+from($1)*dx : NaN):(y-1+from($1)): \
			(dx*(upto($1)-from($1))):(upto($1)-from($1)) \
			with vectors nohead lc rgb 0x707070 lw 0.5 notitle, \
		'timeline.tsv' using (any(11,11)):1:(t(4)):(end(5)):($1-1): \
			($1-1+column(11)/100) with boxxyerror fs solid 1 noborder fc rgb 0xECECEC notitle, \
		'' using (any(8,8)):1:(t(4)):(end(5)):1:($1-to(8)) \
			with boxxyerror fs solid 1 noborder fc rgb 0xB8B8B8 notitle, \
		'' using (any(7,7)):1:(t(4)):(end(5)):1:($1-to(7)) \
			with boxxyerror fs solid 1 noborder fc rgb 0x56B4E9 notitle, \
		'' using (any(6,6)):1:(t(4)):(end(5)):1:($1-to(6)) \
			with boxxyerror fs solid 1 noborder fc rgb 0x0072B2 notitle, \
		'' using (t(4)):2:(t(5)-t(4)):(0) with vectors nohead \
			lc rgb 0xC8C8C8 lw 0.5 notitle, \
		'' using (any(13,13)):2:(t(4)):(end(5)):2: \
			($2-strip(part(12)+part(13))) with boxxyerror fs solid 1 noborder fc rgb 0xF4A582 notitle, \
		NaN with boxes fs solid 1 noborder fc rgb 0x0072B2 title say('vm2'), \
		NaN with boxes fs solid 1 noborder fc rgb 0x56B4E9 title say('vm1'), \
		NaN with boxes fs solid 1 noborder fc rgb 0xB8B8B8 title say('host'), \
		NaN with boxes fs pattern 4 border lc rgb 0x606060 fc rgb 0x606060 title say('forced idle'), \
		NaN with boxes fs solid 1 noborder fc rgb 0xECECEC title say('idle'), \
		NaN with boxes fs solid 1 noborder fc rgb 0xF4A582 title say('unresolved')
	unset output
}
