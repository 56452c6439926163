"""Messages as exceptions and warnings, with their places."""

import pickle

import drystone as dry
import pytest

WRONG = "state v = 0 [m/s]\nv' = q\nw = v + 1 [kg]\nrun until = 1 [s]\n"


def test_a_message_has_its_line_and_a_caret(tmp_path):
    file = tmp_path / "wrong.dry"
    file.write_text(WRONG)
    with pytest.raises(dry.ModelError) as caught:
        dry.load(file)
    e = caught.value
    assert (e.file, e.line, e.column, e.word) == (str(file), 2, 6, "unknown-name")
    lines = e.shown.splitlines()
    assert lines[0].startswith(f"{file}:2:6: error: ") and "v' = q" in lines[1]
    assert lines[2].index("^") == lines[1].index("q") and e.way_out in lines[3]
    assert [m.line for m in e.messages] == [2, 3] and all(m.kind == "error" and m.shown in str(e) + "\n" for m in e.messages)


def test_errors_pickle():
    for give in (lambda: dry.compile(WRONG), lambda: dry.compile("state x = 1\nx' = -x/(1 [s])\n").run(until=-1)):
        with pytest.raises(dry.DryError) as caught:
            give()
        copy = pickle.loads(pickle.dumps(caught.value))
        assert type(copy) is type(caught.value) and str(copy) == str(caught.value) and copy.line == caught.value.line


def test_texts_that_are_no_texts():
    with pytest.raises(TypeError, match="load"):
        dry.compile(b"state x = 1\n")
    with pytest.raises(dry.ModelError):
        dry.compile("")
    with pytest.raises(FileNotFoundError):
        dry.load("no-such-model.dry")


def test_bytes_that_are_no_utf8_have_a_place(tmp_path):
    (tmp_path / "x.dry").write_bytes(b"state x = 1\nx' = \xff\n")
    with pytest.raises(dry.ModelError, match="UTF-8") as caught:
        dry.load(tmp_path / "x.dry")
    assert caught.value.line == 2


def test_a_warning_of_the_compiler_is_one_of_python():
    # a friction that is far too stiff for this step
    text = ("param m = 1 [kg]\nstate x = 0 [m], v = 1 [m/s]\nf in 1 [N]*sgn(v) with K = 1e9 [N/m], beta = 1 [ms]\n"
            "x' = v\nm*v' = -f\nrun until = 1 [s], step = 1 [ms], method = rk4\n")
    with pytest.raises(dry.ModelError) as caught:
        dry.compile(text, "stiff.dry")
    with pytest.warns(dry.ModelWarning, match="stiff.dry:6:1") as told:
        dry.compile(text, "stiff.dry", force=True)
    assert told[0].filename == __file__ and caught.value.messages


def test_a_run_that_ends_early_has_what_there_is():
    m = dry.compile("state x = 1 [m]\nx' = x*x/(1 [m s])\nrun until = 2 [s], method = dop853\n")  # x = 1/(1 - t)
    with pytest.raises(dry.RunError) as caught:
        m.run()
    r = caught.value.result
    assert len(r) > 10 and r.t[-1] == pytest.approx(1, abs=1e-6) and r["x"][5] == pytest.approx(1 / (1 - r.t[5]), rel=1e-5)
    assert caught.value.status and "s" in caught.value.text


def test_names_that_a_result_does_not_have(puck):
    r = puck.run()
    with pytest.raises(KeyError, match="measure, one number"):
        r["way"]
    with pytest.raises(KeyError, match="did you mean `v`"):
        r["vv"]
    assert set(dict(r)) == set(r.names)
    with pytest.raises(KeyError, match="nowhere"):
        puck.unit("nowhere")


def test_a_hostile_title_stays_a_text():
    m = dry.compile('model odd "<script>alert(1)</script>\'><p onload=x"\nstate x = 1 [m]\nx\' = -x/(1 [s])\n'
                    "run until = 1 [s], step = 1 [ms]\nplot x\n")
    page = m.run()._repr_html_() + m._repr_html_()
    assert "<script" not in page and "<p onload" not in page and page.count("<iframe") == 1
