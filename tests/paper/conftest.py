"""Tables and data for tests of the program that repeats the experiments of the paper (paper/run.py)."""
import hashlib
import math
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "paper"))

TABLES = {
    "datasets": """name,label,file,target,features,words,rows,sha256,source,citation
mg,MG,mg.csv,x(t+6),x(t-18) x(t-12) x(t-6) x(t),,200,{mg},"generated, here","none, 2026"
words,Words,words.csv,y,a b,kind,61,{words},here,"none, 2026"
gone,Gone,gone.csv,y,a b,,10,0,"example, http://example.org","none, 2026"
""",
    "algorithms": """name,label,settings
rr,RR,preset=rr
mbgd,MBGD,preset=mbgd
mbgd-rda,MBGD-RDA,preset=mbgd-rda
svr,SVR,preset=rr svr=search
wild,Wild,preset=mbgd-rda optim=sgd rate=1e5
""",
    "experiments": """name,datasets,variant,algorithms,preprocessing,repeats,iterations,every
curves,*,,rr mbgd mbgd-rda,ours authors,3,20,1
one-hot,words,one-hot,rr mbgd-rda,ours,2,20,5
unique,words,unique,rr,ours,2,20,1
""",
    "published": "dataset,algorithm,rmse_50,rmse_100,rmse_250,rmse_500,seconds\nmg,mbgd-rda,,,,0.1234,7\n",
    "claims": """kind,name,place,sentence,question,a,b,number,of,how
claim,one,here,"RDA, of course",smaller,mbgd-rda,mbgd,1,2,
claim,two,there,The opposite,smaller,mbgd,mbgd-rda,2,2,
""",
}


class World:
    """A folder with data/ and tables/ in which the program runs."""

    def __init__(self, folder, capsys):
        self.folder, self.data, self.tables, self._capsys = folder, folder / "data", folder / "tables", capsys
        self.data.mkdir()
        self.tables.mkdir()
        series = (ROOT / "examples" / "mackey-glass.csv").read_text().splitlines()[:201]
        words = [f"{'one' if i % 3 else 'two'},{math.sin(i):.3f},{math.cos(3 * i):.3f},{math.sin(i) * math.cos(i):.3f}"
                 for i in range(60)]
        digests = {}
        # The last row repeats the first one.
        for name, lines in (("mg", series), ("words", ["kind,a,b,y", *words, words[0]])):
            text = "\n".join(lines) + "\n"
            (self.data / f"{name}.csv").write_text(text)
            digests[name] = hashlib.sha256(text.encode()).hexdigest()
        for name, text in TABLES.items():
            (self.tables / f"{name}.csv").write_text(text.format(**digests) if name == "datasets" else text)

    def edit(self, table, old, new):
        path = self.tables / f"{table}.csv"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def arguments(self, *more, out="out"):
        return ["--data", str(self.data), "--tables", str(self.tables), "--out", str(self.folder / out), *more]

    def run(self, *more, out="out"):
        """Runs the program in this process. Returns its exit code, standard output and standard error."""
        import run

        self._capsys.readouterr()
        try:
            code = run.main(self.arguments(*more, out=out))
        except SystemExit as exit:
            code = exit.code
        return (code, *self._capsys.readouterr())

    def results(self, out="out"):
        return (self.folder / out / "results.csv").read_text()


@pytest.fixture
def world(tmp_path, capsys, monkeypatch, request):
    """Figures are drawn only by tests marked so, because they take seconds."""
    import figures

    if "draws" not in request.keywords:
        monkeypatch.setattr(figures, "draw", lambda *_: None)
    return World(tmp_path, capsys)


def pytest_configure(config):
    config.addinivalue_line("markers", "draws: draw figures")
