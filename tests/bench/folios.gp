# SPDX-License-Identifier: GPL-2.0-only
set title "Time a page of 4 KiB by the size of its folio, 256 MiB\n{/*0.9".where.'}'
set xlabel 'size of the folios'
set ylabel 'time a page, ns'
set key bottom left Left reverse samplen 2
set xrange [3:2800]
set yrange [0.01:1e3]
set xtics ('4 KiB' 4, '64 KiB' 64, '256 KiB' 256, '1 MiB' 1024, '2 MiB' 2048)
set ytics ('0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000)
plot data using 1:2 with linespoints ls 1 title 'move\_pages(2)', \
	'' using 1:3 with linespoints ls 2 title 'STATUS', \
	'' using 1:5 with linespoints ls 4 title 'COUNTS', \
	'' using 1:4 with linespoints ls 3 title 'EXTENTS'
