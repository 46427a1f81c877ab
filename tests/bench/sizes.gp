# SPDX-License-Identifier: GPL-2.0-only
set title "Time of one call by the size of the range, 4K pages\n{/*0.9".where.'; above 1 GiB the same pages again}'
set xlabel 'size of the range'
set ylabel 'time of one call'
set key top left Left reverse samplen 2
set xrange [3:22e6]
set yrange [1:1e7]
set xtics ('4 KiB' 4, '64 KiB' 64, '1 MiB' 1024, '16 MiB' 16384, \
	'256 MiB' 262144, '4 GiB' 4194304, '16 GiB' 16777216)
set ytics ('1 us' 1, '10 us' 10, '100 us' 100, '1 ms' 1e3, '10 ms' 1e4, \
	'100 ms' 1e5, '1 s' 1e6, '10 s' 1e7)
plot data using 1:2 with linespoints ls 1 title 'move\_pages(2)', \
	'' using 1:3 with linespoints ls 2 title 'STATUS', \
	'' using 1:5 with linespoints ls 4 title 'COUNTS', \
	'' using 1:4 with linespoints ls 3 title 'EXTENTS'
