"""What is refused: with exit code 2 and one line that says what was expected, and nothing is printed or written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from cpfill.cli.app import make_command
from tests.cli.program import table, typed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Run

REFUSED = r"""
batch - --glob '*' => expected a job a line, found none
batch nowhere --glob '*' => expected a file, found nothing there
batch nowhere.jsonl --glob '*' => expected a file, found nothing there
batch square.txt --below 3 => --max-obscure and --below together
batch square.txt --objective max => an objective
batch square.txt --retry => --retry with -o FILE
batch square.txt --scheduler http://127.0.0.1:1 => the address of a Dask scheduler
batch square.txt --scheduler nonsense => the address of a Dask scheduler
batch square.txt --seeds 0-999999999 => 1 to 1,000,000 seeds
batch square.txt --seeds 9-0 => the least first
batch square.txt --seeds x => seeds such as 0-9
batch square.txt -e fcc => did you mean 'fc'?
batch square.txt -j 2 --scheduler tcp://127.0.0.1:1 => -j or --scheduler
batch square.txt -o . => a file that can be written
batch square.txt -w - => a word list
batch square.txt -w nowhere.txt => nowhere.txt: expected a file
batch suites --glob '*.txt' => expected files with grids (*.txt), found none
batch suites --glob '/etc/*' => a pattern of file names
candidates @ --all-letters -n 3 => -n, --only, --witness and --best with a slot, found letters
candidates @ --letters R9C9 => expected a cell from R1C1 to R3C3
candidates @ 1-Across --all-letters => found several
candidates @ 1-Across --only yess => did you mean 'yes'?
candidates @ 9-Across => expected a slot of the grid (across: 1,
candidates @ => expected a slot, --letters CELL or --all-letters, found none
check - - => standard input for one thing
check - square.txt -w - => standard input for one thing
check => GRID
check square.txt - -w three.words.txt <<< ASHE\nTEAR\nEATS\n => : expected a fill of 3 x 3 cells, found 3 x 4
check square.txt - -w three.words.txt <<< ASH\nTEA\n => : expected a fill of 3 x 3 cells, found 2 x 3
check square.txt - -w three.words.txt <<< ASH\nTEA\nEAT\nASH\n => : expected a fill of 3 x 3 cells, found 4 x 3
check square.txt square.txt square.txt => extra
compare - - => standard input for one thing
compare scored.txt -w once.words.txt --objective min -e mac -e letters => engine letters cannot
convert - - --to puzz <<< .. => expected a format to write: one of
convert - - --to xd --from ipuz <<< { => standard input:1: expected JSON
convert - - --to xd --from jpz <<< <a> => standard input:1: expected XML
convert - - --to xd --from svg <<< .. => expected a format to read: one of
convert - - --to xd <<< ..\n\n.. => standard input: expected one grid, found 2
convert - - --to xd => standard input: expected a puzzle, found an empty file
convert - - -f xd --from puz <<< ACROSS&DOWN => standard input: expected a whole .puz file
convert - no/such/x.ipuz <<< ..\n.. => no/such/x.ipuz: expected a file that can be written
convert - x.cfp <<< .. => expected a file with the suffix of a format
convert - x.pux <<< .. => found '.pux' (did you mean '.puz'?)
convert mini.ipuz - --to html --layout interactive --blank => expected --layout interactive alone, found --blank
convert mini.ipuz - --to html --layout submission --french => expected --layout submission alone, or with --paper
convert mini.ipuz - --to latex --layout submission => expected html, pdf for --layout submission, found latex
convert mini.ipuz - --to pdf --layout interactive => expected html for --layout interactive, found pdf
convert mini.ipuz - --to pdf --layout page => expected a layout: one of arrows, interactive, newspaper, submission,
convert mini.ipuz - --to pdf --paper lettre => found 'lettre' (did you mean 'letter'?)
convert mini.ipuz - --to svg --paper a4 => expected a drawing with pages (html, latex, pdf) for --paper, found svg
convert mini.ipuz - --to xd --paper a4 => expected a drawing (svg, html, latex, pdf, png) for --blank
convert mini.ipuz - --to xd --solution => expected a drawing (svg, html, latex, pdf, png) for --blank
convert mini.ipuz /dev/full --to puz => expected a file that can be written
convert missing.xd x.ipuz => missing.xd: expected a file, found nothing there
convert ring.txt x.dzn --blank => expected --solution, --blank, --french, --paper or --layout with a puzzle, found
convert ring.txt x.dzn -w - --min-score 60 --require tea --strict <<< ash;99\ntea;5\n => score 60 or better, found TEA
convert ring.txt x.dzn --title T => expected --title with a puzzle, found data for another solver
convert ring.txt x.ipuz --objective min => expected --objective with data for another solver (dzn, minizinc-json,
convert ring.txt x.ipuz -w en => expected --words with data for another solver (dzn, minizinc-json, wcsp, xcsp3, opb,
convert square.txt x.cnf -w three.words.txt --objective min => expected no objective for a formula: --objective any,
convert square.txt x.opb -w three.words.txt --objective leximin => expected an objective of one number for another
convert square.txt x.wcsp -w three.words.txt --objective leximin => expected an objective of one number for another
convert square.txt x.xml -w three.words.txt --objective min-then-sum => expected an objective of one number for
count @ -e letters --proof proof => engine letters writes no proofs; mac does
estimate - -w - => standard input for one thing
estimate 5x5 -t soon => found 'soon'
estimate => Missing argument
estimate @ --draws 9 --measure => expected --draws with --sample, found --draws alone
estimate @ --runs 9 --sample => expected --runs with --measure, found --runs alone
estimate @ --time-limit 9s => expected --time-limit with --measure or --sample, found --time-limit alone
generate --blocks 3 --density .2 => --blocks or --density, found both
generate --blocks 300 => blocks from 0 to the 225 cells of 15x15, found 300
generate --blocks 40-36 => a range such as 36-40, found '40-36'
generate --density 17 => or 0% to 100%, found '17' (is it 17%?)
generate --density nan => a density from 0 to 1, or 0% to 100%, found 'nan'
generate --dialect upmc -o grid.puz => --dialect or a puzzle file, found two of them
generate --dialect upmz => did you mean 'upmc'?
generate --fill-time 2s => --fill-time with --fillable or --filled
generate --fillable --fill-time 0s => above 0, for --fill-time, found 0
generate --fillable -w - --seed-words - => standard input for one thing
generate --json --to ipuz => --json or a puzzle file, found both
generate --json -o grid.puz => --json or a puzzle file, found both
generate --min-slot-length 16 => a side of at least 16, as long as the shortest slot, found 15x15
generate --seed-words '' => as slots of 15x15 have, found '', of 0
generate --seed-words aaaaaaaaaaaaaaaa => a seed word of 3 to 15 letters, as slots of 15x15 have
generate --seed-words ab => a seed word of 3 to 15 letters
generate --seed-words c4b => a seed word over the alphabet
generate --seed-words nothing.txt => nothing.txt: expected a file, found nothing there
generate --size 0x5 => a size from 1x1 to 60x60, found 0x5
generate --size 1000x5 => found 1000x5
generate --size 15 => a size such as 15x15, rows and columns, found '15'
generate --size 1x1 --style free => a side of at least 2, as long as the shortest slot, found 1x1
generate --size 3x3 --style free --to xd --french => expected a drawing (svg, html, latex, pdf, png) for --blank
generate --size 4x5 --symmetry diagonal => a square for the symmetry diagonal, found 4x5
generate --style frensh => did you mean 'french'?
generate --symmetry rotat => did you mean 'rotate'?
generate -n 2 --to ipuz => a file to number, with -o, for several puzzles of format ipuz, found -
generate -o grid.docx => a file with the suffix of a format
generate -w en => --words with --fillable or --filled, found --words alone
generate 9x9 => a file with a grid to complete, found '9x9' (a size is asked for with --size 9x9)
info - - => standard input for one thing
nope => 'nope'
solve - - => standard input for one thing
solve - --weighted - => standard input for one thing
solve - -w - => standard input for one thing
solve - -w three.words.txt --alphabet ACERT <<< ..Z\n => standard input:1:3: expected a letter of the alphabet
solve => GRID
solve @ --alphabet ltin => did you mean 'latin'?
solve @ --dialect nativ => did you mean 'native'?
solve @ --levels below --objective leximin => for --levels, found 'below'
solve @ --objective mni => did you mean 'min'?
solve @ --objective sum --proof proof => no proof is written if a sum is maximised: that needs sums
solve @ --paper a4 => found plain text
solve @ --slot '1-Across:pattern=A*' --proof proof => no proof is written if single slots are narrowed
solve @ --to ipuz --json => expected --json or a puzzle file, found both
solve @ --to ipuz -n 2 => a file to number, with -o, for several puzzles of format ipuz
solve @ --to jpz => expected a format to write
solve @ --to xd --blank => expected a drawing (svg, html, latex, pdf, png) for --blank
solve @ --to xd --layout submission => expected a drawing (svg, html, latex, pdf, png) for --blank
solve @ -a --to ipuz => a file to number, with -o, for several puzzles of format ipuz
solve @ -e CPSAT => did you mean 'cpsat'?
solve @ -e cp-sat => did you mean 'cpsat'?
solve @ -e cpsat --cpsat-param '' => expected
solve @ -e cpsat --cpsat-param =1 => expected
solve @ -e cpsat --cpsat-param SetInParent=1 => expected
solve @ -e cpsat --cpsat-param __class__=1 => expected
solve @ -e cpsat --cpsat-param cp_model_presolve=perhaps => expected
solve @ -e cpsat --cpsat-param cp_model_probing_level=99999999999999 => expected
solve @ -e cpsat --cpsat-param cp_model_probing_level=x => expected
solve @ -e cpsat --cpsat-param linearisation_level=1 => did you mean 'linearization_level'?
solve @ -e cpsat --cpsat-param linearization_level => expected
solve @ -e cpsat --cpsat-param log_search_progress=true => option -v instead
solve @ -e cpsat --cpsat-param max_deterministic_time=-1 => expected
solve @ -e cpsat --cpsat-param max_time_in_seconds=1 => option -t instead
solve @ -e cpsat --cpsat-param num_workers=4 => option -j instead
solve @ -e cpsat --cpsat-param random_seed=1 => option --seed instead
solve @ -e cpsat --cpsat-param search_branching=FOO => expected
solve @ -e cpsat --cpsat-param subsolvers=x => expected
solve @ -e cpsat --formulation tabel => did you mean 'table'?
solve @ -e cpsat --maximise desc => did you mean 'descent'?
solve @ -e fc --order mvr => did you mean 'mrv'?
solve @ -e fc_cbj => did you mean 'fc-cbj'?
solve @ -e fcc => did you mean 'fc'?
solve @ -e letters --proof proof => engine letters writes no proofs; mac does
solve @ -e zzz => an engine: one of auto, cpsat, fc, fc-cbj
solve @ -n 2 --diverse --proof proof => expected --diverse with -n 2 or more, and no --proof, found --proof
solve @ -n 2 --objective min => -n 2
solve @ -n 2 --objective sum => -n 2
solve @ -n 2 --theme three.words.txt => -n 2
solve @ -n 2 -a => -n 2
solve @ -n 2 -o /dev/null --to ipuz => a file to number, with -o, for several puzzles of format ipuz
solve @ -o x.ipuz --json => expected --json or a puzzle file, found both
solve @ -o x.jpz => expected a file with the suffix of a format
solve @ -o x.pdff => found '.pdff' (did you mean '.pdf'?)
solve @ -o x.xd --json => expected --json or a puzzle file, found both
solve @ -w enn => did you mean 'en'?
solve @ square.txt --proof proof => expected one grid with --proof, found 2 grids
solve @ square.txt --to ipuz => a file to number, with -o, for several puzzles of format ipuz
solve scored.txt -w once.words.txt --levels 50 => levels
solve scored.txt -w once.words.txt --levels a,b --objective leximin => levels
solve square.txt --engin fc => --engine
solve square.txt --weighted malformed/negative-score.txt -w three.words.txt => negative-score.txt:2: expected a score
solve square.txt -w - <<< ACT;3\nACE -2\n => standard input:2: expected a score
solve square.txt -w - <<< ACT;3\nACE,1_0\n => standard input:2: expected a score
solve square.txt -w - <<< ACT;3\nACE;1e999\n => standard input:2: expected a score
solve square.txt -w - <<< ACT;3\nACE;high\n => standard input:2: expected a score
solve square.txt -w - <<< ACT;3\nACE;nan\n => standard input:2: expected a score
solve square.txt -w - <<< ACT;3\nACE\tx\n => standard input:2: expected a score
solve square.txt -w => -w
solve/compare @ --theme - <<< TEA;9007199254740993\nASH;12.5\n => exact
solve/compare @ -t '' => found ''
solve/compare @ -t '10 years' => found '10 years'
solve/compare @ -t -1s => found '-1s'
solve/compare @ -t 1..2s => found '1..2s'
solve/compare @ -t 1e3 => found '1e3'
solve/compare @ -t 8785h => found '8785h'
solve/compare square.txt -w - --objective min-then-sum <<< TEA;0.12345678901234567891\nASH;12.5\n => exact
solve/compare square.txt -w - --objective sum <<< TEA;9e15\nASH;12.5\n => exact
solve/compare/check @ --below 2 => --below without --max-obscure
solve/compare/check @ --exclude none.txt => none.txt: expected a file
solve/compare/check @ --exclude tea --theme - <<< TEA\n => theme words that are not excluded, found TEA
solve/compare/check @ --max-obscure 2 => --max-obscure and --below together, found --max-obscure without --below
solve/compare/check @ --require '' => found ''
solve/compare/check @ --require - => found '-'
solve/compare/check @ --require TEA --require robots => a required word as long as a slot of the grid (3), found ROBOTS
solve/compare/check @ --require r2d2 => found 'r2d2'
solve/compare/check @ --require tea --exclude - <<< Téa\n => theme words that are not excluded, found TEA
solve/compare/check @ --require 日 => found '日'
solve/compare/check @ --theme - --exclude - => '-' 2 times
solve/compare/check @ --theme - <<< # nothing\n => standard input: expected
solve/compare/check @ --theme - <<< ROBOTS\nAGENT\n => a theme word that a slot of the grid can hold, found none in 2
solve/compare/check @ --theme - <<< TEA;-1\n => :1: expected a score
solve/compare/check @ --theme - => standard input: expected
solve/compare/check @ --theme none.txt => none.txt: expected a file
solve/compare/check square.txt -w - --theme - => '-' 2 times
solve/compare/explain/count/estimate/batch square.txt -t 99999999999999999999999 => seconds from 0 to 31622400
solve/info/estimate 0x5 => expected a size from 1x1 to 255x255, found '0x5'
solve/info/estimate 1x1 => 1x1: expected at least one slot: 2 open cells in a row, found none
solve/info/estimate 4x => 4x: expected a file, found nothing there
solve/info/estimate 999999999x999999999 => expected a size from 1x1 to 255x255
solve/info/estimate no/4x4 => no/4x4: expected a file, found nothing there
sovle square.txt => 'solve'
words clues -w - --thesaurus - => standard input for one thing at most
words clues -w enn --wordnet nowhere => did you mean 'en'
words clues 4x4 => a word over the alphabet
words clues => a word, or a list with -w, found neither
words clues cat --language english => a language of two or three letters
words clues cat --thesaurus nowhere.dat => nowhere.dat: expected a file, found nothing there
words clues cat --wordnet nowhere => data.noun: expected a file, found nothing there
words diff three.words.txt once.words.txt --only firs => did you mean 'first'
words filter three.words.txt --letters '' => letters of the alphabet
words filter three.words.txt --letters - => letters of the alphabet
words filter three.words.txt --letters A1 => letters of the alphabet
words filter three.words.txt -l 3-x => a length such as 5, 3-8
words filter three.words.txt -l 8-3 => a length such as 5, 3-8
words filter three.words.txt -p A1 => found '1'
words from-text - - => '-' 2 times
words from-text no.txt => no.txt: expected a file, found nothing there
words heatmap three.words.txt -l - => a length such as 5, 3-8
words heatmap three.words.txt -l 0 => a length such as 5, 3-8
words heatmap three.words.txt -o no/x.png => a directory to draw in
words heatmap three.words.txt -o x.gif => ends in
words info enn => did you mean 'en'
words info three.words.txt --alphabet fr => an alphabet
words lookup 'A[B' => not closed
words merge - - => '-' 2 times
words merge three.words.txt --keep bets => did you mean 'best'
words merge three.words.txt --sort scor => did you mean 'score'
words merge three.words.txt -f tvs => did you mean 'tsv'
words merge three.words.txt -o no/x.txt => a file that can be written
words score - --frequencies - => '-' 2 times
words score en => --frequencies
"""
"""A command, and what its one complaint has; see `table` and `typed`."""


@pytest.mark.parametrize(("command", "said"), table(REFUSED))
def test_it_is_refused_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    args, stdin = typed(command)
    done = run(*args, stdin=stdin)
    assert (done.code, done.out) == (2, "")
    (line,) = [line for line in done.complaints if "last one counts" not in line]
    assert line.startswith("cpfill: ")
    assert said in line
    assert len(line) < 400
    assert list(tmp_path.iterdir()) == []


def numbers(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield the verb and the name of every option that takes a number, and whether that is whole."""
    for verb, inner in getattr(command, "commands", {}).items():
        yield from numbers(inner, *path, verb)
    for option in command.params:
        if option.type.name in {"int", "float"}:
            yield path, option.opts[0], option.type.name


OPTIONS = list(numbers(typer.main.get_command(make_command())))


def test_many_options_take_numbers() -> None:
    assert len(OPTIONS) > 40
    assert {name for _, name, _ in OPTIONS} >= {"--seed", "--workers", "--min-score", "--core", "--runs", "--sample"}


@pytest.mark.parametrize(("path", "option", "kind"), OPTIONS, ids=str)
def test_a_number_out_of_its_range_is_refused(run: Run, path: tuple[str, ...], option: str, kind: str) -> None:
    texts = ["-1", "1" + "0" * 30, "9" * 5000, "nan", "-" + "9" * 400, "x" * 5000]
    for text in [*texts, *(["inf", "1e-320", "1e400"] if kind == "float" else ["1.5"])]:
        done = run(*path, option, text)
        (line,) = done.err.splitlines()
        assert (done.code, done.out) == (2, "")
        assert option in line
        assert len(line) < 400
