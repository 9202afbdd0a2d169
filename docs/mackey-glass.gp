# mackey-glass.gp: the README's picture. Run docs/mackey-glass.sh, which makes the data.
set terminal svg size 900,340 font "Helvetica,13" background "#ffffff"
set output "mackey-glass.svg"
set datafile separator ","
set multiplot
set border 3 lc rgb "#888888"
set tics nomirror textcolor rgb "#444444"

set size 0.68,1
set origin 0,0
set title "Mackey-Glass, 160 of 500 rows that were not trained on" textcolor rgb "#222222"
set xlabel "t" textcolor rgb "#444444"
set ylabel "x(t+6)" textcolor rgb "#444444"
set key at graph 1,1.02 right horizontal samplen 2 width -1 textcolor rgb "#222222"
set xrange [618:778]
set yrange [0.3:1.6]
plot "all.csv" using ($0+618):5 every ::0::160 with lines lw 4 lc rgb "#c8c8c8" title "series", \
     "" using ($0+618):7 every ::0::160 with lines lw 1.5 lc rgb "#d08020" title "ridge regression", \
     "" using ($0+618):6 every ::0::160 with lines lw 1.8 lc rgb "#1060b0" title "fuzzy system, 16 rules"

set size 0.32,1
set origin 0.68,0
set title "what \"x(t) is low\" means" textcolor rgb "#222222"
set xlabel "x(t)"
set ylabel "membership"
set yrange [0:1.25]
set xrange [0.4:1.35]
set xtics 0.2
g(x,c,s) = exp(-0.5*((x-c)/s)**2)
load "mfs.gp"
set label 1 "low" at 0.5,1.07 textcolor rgb "#1060b0"
set label 2 "high" at 1.22,1.07 textcolor rgb "#1060b0"
unset key
plot g(x,c1,s1) lw 2 lc rgb "#1060b0", g(x,c2,s2) lw 2 lc rgb "#1060b0" dashtype 2
unset multiplot
