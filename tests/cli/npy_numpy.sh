# Exchange of .npy files with NumPy in both directions: types, orders, versions, names.
. "$TESTDIR/lib.inc"
python=
for one in python3 /usr/bin/python3; do
    "$one" -c 'import numpy' 2>/dev/null && python=$one
done
[ -n "$python" ] || { echo "no Python with NumPy: skipped"; exit 77; }
series 50 >d.csv
printf 'a,preis in \342\202\254,"it'"'"'s, \\ ""odd"""\n1,2.5,-3e300\n0.1,7,1e-310\n' >names.csv
sed 1d d.csv >bare.csv
printf 's,x\nM,1\nf\303\274r,2\n,3\n7.0,4\n' >words.csv
for name in d names bare words; do "$SUGENO" convert $name.csv $name.npy --quiet >report; done
"$python" - <<'PYTHON'
import numpy as np
d = np.load("d.npy", mmap_mode="r")
expected = np.genfromtxt("d.csv", delimiter=",", skip_header=1)
assert d.shape == (50,) and d.dtype.names == ("x(t-18)", "x(t-12)", "x(t-6)", "x(t)", "x(t+6)")
assert all((d[name] == expected[:, i]).all() for i, name in enumerate(d.dtype.names))
bare = np.load("bare.npy", mmap_mode="r")
assert bare.shape == (50, 5) and bare.dtype == "<f8" and (bare == expected).all()
names = np.load("names.npy")
assert names.dtype.names == ("a", "preis in \u20ac", "it's, \\ \"odd\""), names.dtype.names
assert names[1].tolist() == (0.1, 7.0, 1e-310)
words = np.load("words.npy", mmap_mode="r")
assert words.dtype == [("s", "<U3"), ("x", "<f8")] and words["s"].tolist() == ["M", "f\u00fcr", "", "7"], words

x = np.arange(60.0).reshape(12, 5) ** 2 % 101
for type in ["<f8", "<f4", ">f8", ">f4", "<i4", ">i2", "|u1", "|i1", "<u8"]:
    np.save("c-" + type.strip("<>|") + ("b" if type[0] == ">" else "") + ".npy", x.astype(type))
np.save("fortran.npy", np.asfortranarray(x))
np.save("fortran-f4.npy", np.asfortranarray(x.astype("f4")))
np.save("slice.npy", np.concatenate([x, x], axis=1)[:, :5])
fields = [("c%d" % (i + 1), ["<f8", ">f4", "<i2", "|u1", "<f8"][i]) for i in range(5)]
for name, align in [("fields", False), ("aligned", True)]:
    a = np.zeros(12, dtype=np.dtype(fields, align=align))
    for i in range(5): a["c%d" % (i + 1)] = x[:, i]
    np.save(name + ".npy", a)
for major in (1, 2, 3):
    with open("version%d.npy" % major, "wb") as f:
        np.lib.format.write_array(f, x, version=(major, 0))
np.save("vector.npy", x[:, 0])
np.save("cube.npy", x.reshape(3, 4, 5))
np.save("complex.npy", x.astype("c16"))
np.save("objects.npy", np.array([[None, 1]], dtype=object))
np.save("latin.npy", np.array([(1.5, 2.5)], dtype=[("\u00fc", "<f8"), ("t", "<f4")]))
np.save("mixed.npy", np.array([(1.5, "x", 2)], dtype=[("a", "<f8"), ("t", "U3"), ("b", "<i8")]))
PYTHON
"$SUGENO" convert version1.npy x.csv --quiet >report
for file in c-*.npy fortran*.npy slice.npy fields.npy aligned.npy version*.npy; do
    "$SUGENO" convert "$file" - | cmp - x.csv || fail "$file"
    echo "$file"
done
for file in latin mixed vector cube complex objects; do run convert $file.npy -; done
