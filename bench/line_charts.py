"""Line charts by gnuplot, in the style of this project's pages."""
import subprocess

STYLE = """set terminal svg size 640,400 font "Helvetica,13" background "#ffffff"
set border 3 lc rgb "#888888"
set tics nomirror textcolor rgb "#444444"
set key top left textcolor rgb "#222222"
set style line 1 lc rgb "#1060b0" lw 2 pt 7 ps 0.7
set style line 2 lc rgb "#d08020" lw 2 pt 7 ps 0.7
set style line 3 lc rgb "#309050" lw 2 pt 7 ps 0.7
set style line 4 lc rgb "#a03060" lw 2 pt 7 ps 0.7
set style line 5 lc rgb "#7050b0" lw 2 pt 5 ps 0.7
set style line 6 lc rgb "#208890" lw 2 pt 5 ps 0.7
set style line 7 lc rgb "#707070" lw 2 pt 5 ps 0.7
set style line 8 lc rgb "#b0a020" lw 2 pt 5 ps 0.7
set style line 9 lc rgb "#c05050" lw 2 pt 9 ps 0.7
set style line 10 lc rgb "#50a0e0" lw 2 pt 9 ps 0.7
"""


def draw(path, settings, curves, how="linespoints"):
    """curves: {title: [(x, y), ...]}; those without points are left out."""
    curves = {title: [p for p in points if p[1]] for title, points in curves.items()}
    curves = {title: points for title, points in curves.items() if points}
    if not curves:
        return
    script = STYLE + f'set output "{path}"\n' + settings
    script += "\nplot " + ", ".join(f"'-' with {how} ls {i} title \"{t}\"" for i, t in enumerate(curves, 1)) + "\n"
    for points in curves.values():
        script += "".join(f"{x} {y}\n" for x, y in points) + "e\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
