# SPDX-License-Identifier: GPL-2.0-only
# What the drawings share. Colours that the colour-blind tell apart.
set terminal svg size 800,560 font 'sans-serif,15' background '#ffffff'
set logscale xy
set grid xtics ytics lc '#d8d8d8' lt 1
set border 3
set tics nomirror out
set style line 1 lc '#7f7f7f' lw 2.5 pt 5 ps 0.7
set style line 2 lc '#0072b2' lw 2.5 pt 7 ps 0.7
set style line 3 lc '#d55e00' lw 2.5 pt 9 ps 0.7
set style line 4 lc '#009e73' lw 2.5 pt 13 ps 0.7
