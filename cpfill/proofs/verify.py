"""Verifies a proof with checkers; reports each check, its checker, and the remaining trust."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import MAX_LIST_BYTES, MAX_TEXT_BYTES, CpfillError, expected, megabytes, tell_reason
from cpfill.base.files import read_text
from cpfill.base.texts import say, speak, spoken
from cpfill.base.threads import StopToken
from cpfill.formats.dialects import parse_grids
from cpfill.formats.registry import read_templates
from cpfill.problem.check import UNFILLED, violations
from cpfill.problem.fill import Fill
from cpfill.problem.problem import Problem
from cpfill.problem.result import Deadline
from cpfill.problem.rules import Rules
from cpfill.problem.ties import add_ties
from cpfill.problem.value import LetterValues, describe_value, format_value
from cpfill.proofs import check_pbp, counters, fill_to_cnf, fill_to_opb, read_inputs
from cpfill.proofs.checkers import VERIPB, ProofVerdict, check_proof, check_sum, list_missing, run_program
from cpfill.proofs.claim import CLAIM, NO_BETTER, Reading, find_gap, hash_source, read_claim
from cpfill.puzzle.grid import open_slots
from cpfill.words.lexicon import Lexicon
from cpfill.words.wordlist import WordList, read_word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cpfill.proofs.claim import Claim, File, ProofStep, Source

MAX_PROOF_BYTES = 1 << 32
"""The most bytes of a formula or a proof; for a 15x15 they take 40 MB and up to 140 MB."""

_PART = 1 << 20

_LEMMA = re.compile(rb"(?:d )?(?:-?[1-9][0-9]{0,8} )*0\n")
"""A line of a proof in text: a lemma or, with `d`, the deletion of a lemma."""

_SHOWN = 20
_TURN = 10_000
"""The lines of a proof to read between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict on one thing. A proof is checked if something is checked, and nothing refused or not checked."""

    verdict: ProofVerdict
    text: str

    def __str__(self) -> str:
        """Return one line without control characters: names in a claim may be anything."""
        return f"{say(self.verdict)}: {''.join(map(_print_safely, self.text))}"


def _print_safely(char: str) -> str:
    """Return a character, or the escape of a control character."""
    return char if char.isprintable() else ascii(char)[1:-1]


_checked = partial(Finding, ProofVerdict.CHECKED)
_refused = partial(Finding, ProofVerdict.REFUSED)
_not_checked = partial(Finding, ProofVerdict.NOT_CHECKED)
_not_run = partial(Finding, ProofVerdict.NOT_RUN)
_trusted = partial(Finding, ProofVerdict.TRUSTED)


def verify_folder(folder: Path, deadline: Deadline, workers: int = 1) -> Generator[Finding]:
    """Yield the findings about the proof in a folder as they come; check `workers` formulas or proofs at a time."""
    try:
        claim = read_claim(folder, deadline)
    except TimeoutError:
        yield _not_checked(say("{name}: time limit reached", name=CLAIM))
        return
    over = StopToken()
    deadline = Deadline(deadline.time_s, over)
    whole = True
    for file in claim.files:
        fault = _find_fault(folder, file, claim, deadline)
        if fault is not None:
            whole = False
            yield fault
    if whole:
        yield _checked(say("the {files} files match the SHA-256 sums of the claim", files=len(claim.files)))
        with ThreadPoolExecutor(workers, initializer=speak, initargs=(spoken(),)) as threads:
            try:
                yield from _Verification(folder, claim, deadline, threads).run()
            finally:
                over.set()  # kills the checkers that still run


def _find_fault(folder: Path, file: File, claim: Claim, deadline: Deadline) -> Finding | None:
    """Return the fault of a file that differs from the file in the claim, if any."""
    path = folder / file.name
    if path.is_symlink() or not path.is_file():
        found = say("a link") if path.is_symlink() else say("none")
        return _refused(say("{name}: expected a file, found {what}", name=file.name, what=found))
    most = _limit_size(file, claim)
    if path.stat().st_size > most:
        return _refused(say("{name}: expected {size}, found more", name=file.name, size=megabytes(most)))
    try:
        sha256 = _hash_file(path, deadline)
    except TimeoutError:
        return _not_checked(say("{name}: time limit reached", name=file.name))
    except OSError as exc:
        return _not_checked(say("{name}: it cannot be read: {strerror}", name=file.name, strerror=tell_reason(exc)))
    if sha256 == file.sha256:
        return None
    return _refused(say("{name}: it does not match the claim: it was changed or cut short", name=file.name))


def _limit_size(file: File, claim: Claim) -> int:
    """Return the most bytes that a file of a claim may have."""
    if file == claim.grid:
        return MAX_TEXT_BYTES
    if file in {claim.words, claim.fill, *(step.cases for step in claim.steps)}:
        return MAX_LIST_BYTES
    return MAX_PROOF_BYTES


def _hash_file(path: Path, deadline: Deadline) -> str:
    """Return the SHA-256 of a file.

    Raises:
        TimeoutError: the deadline passed.
    """
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for part in deadline.each(iter(partial(stream.read, _PART), b"")):
            digest.update(part)
    return digest.hexdigest()


class _Verification:
    """The verification of a claim whose files are all intact."""

    def __init__(self, folder: Path, claim: Claim, deadline: Deadline, threads: ThreadPoolExecutor) -> None:
        self._folder = folder
        self._claim = claim
        self._deadline = deadline
        self._threads = threads

    def run(self) -> Iterator[Finding]:
        """Yield the findings about formulas, claim, proofs and sources."""
        claim = self._claim
        right: list[ProofStep] = []
        for step, finding in zip(claim.steps, self._threads.map(self._compare_formula, claim.steps), strict=True):
            yield finding
            if finding.verdict is ProofVerdict.CHECKED:
                right.append(step)
        readable = True
        try:
            yield from self._follow()
        except TimeoutError:
            readable = False
            yield _not_checked(say("{name}: time limit reached", name=CLAIM))
        except ValueError as error:
            readable = False
            first, *_ = str(error).split("\n")
            yield _refused(
                say(
                    "{name} and {name2}, read by cpfill: {first}",
                    name=claim.grid.name,
                    name2=claim.words.name,
                    first=first,
                )
            )
        # A proof of another formula proves nothing of this claim.
        for findings in self._threads.map(self._check_proof, right):
            yield from findings
        missing = self._list_missing()
        if missing:
            yield _not_run(say("{missing}: not installed", missing=", ".join(missing)))
        if readable:
            yield from self._compare_sources()
        scripts = ", ".join(Path(name).name for name in self._list_scripts())
        yield _trusted(
            say(
                "{script}: that each does what its docstring says; Python, which runs it",
                script=scripts,
            )
        )

    @property
    def _has_sum(self) -> bool:
        return any(step.sum_above is not None for step in self._claim.steps)

    def _list_scripts(self) -> list[str]:
        scripts: list[str] = [read_inputs.__file__, counters.__file__, fill_to_cnf.__file__]
        if self._has_sum:
            scripts += [fill_to_opb.__file__, check_pbp.__file__]
        return scripts

    def _list_missing(self) -> list[str]:
        """Return the checkers that would run if they were installed."""
        missing: list[str] = []
        if any(step.sum_above is None for step in self._claim.steps):
            missing += list_missing()
        if self._has_sum and not shutil.which(VERIPB):
            missing.append(VERIPB)
        return missing

    def _compare_formula(self, step: ProofStep) -> Finding:
        """Regenerate a formula in a process that loads nothing of cpfill but the scripts, which stand side by side."""
        claim = self._claim
        name = step.formula.name
        script = [fill_to_cnf.__file__, claim.grid.name, claim.words.name]
        if step.sum_above is not None:
            script = [fill_to_opb.__file__, claim.grid.name, claim.words.name, step.sum_above]
        command = [sys.executable, "-E", "-s", "-S", *script, *step.arguments]  # -I forbids the scripts beside it
        with TemporaryFile() as made, TemporaryFile() as complaints:
            try:
                code = run_program(command, self._deadline, cwd=self._folder, stdout=made, stderr=complaints)
            except OSError as exc:  # such as more arguments than a program may have
                reason = tell_reason(exc)
                return _not_checked(say("{name}: it cannot be regenerated: {reason}", name=name, reason=reason))
            if code is None:
                return _not_checked(say("{name}: the time ran out before it was regenerated", name=name))
            if code:
                complaints.seek(0)
                *_, last = complaints.read().decode("utf-8", "replace").strip().split("\n")
                verdict = ProofVerdict.REFUSED if code == read_inputs.REFUSED else ProofVerdict.NOT_CHECKED
                return Finding(verdict, f"{name}: {last or say('it was killed')}")
            made.seek(0)
            with (self._folder / name).open("rb") as given:
                if not _are_equal(made, given):
                    return _refused(say("{name}: regenerated, it is a different formula", name=name))
        alone = ""
        if step.asked.slots:
            alone = say("; of {slots} alone", slots=", ".join(step.asked.slots))
        if step.asked.part:
            alone += "; of part {} of {}".format(*step.asked.part)
        return _checked(say("{name}: regenerated, it is identical byte by byte{alone}", name=name, alone=alone))

    def _follow(self) -> Iterator[Finding]:
        """Audit the fills, and check that the formulas together imply the claim."""
        claim = self._claim
        if self._deadline.passed:
            raise TimeoutError
        problem = self._problem
        difference = self._reading.differs_from(problem, claim)
        if difference is not None:
            yield _refused(say("the script and cpfill read it differently: {difference}", difference=difference))
            return
        if claim.fill is not None:
            yield self._check_fills(claim.fill)
        gap = find_gap(claim, problem.ranking, self._deadline)
        if gap:
            yield _refused(gap)
        else:
            yield _checked(say("the formulas together say: {text}", text=self.text))

    def _check_fills(self, file: File) -> Finding:
        """Audit the fills of a file; they must differ, and have the value of the claim."""
        claim = self._claim
        problem = self._problem
        fills = self._list_fills(file)
        for fill in self._deadline.each(fills):
            for broken in violations(problem, fill):
                return _refused(f"{file.name}: {broken}")
        if len({tuple(map(fill.word_at, problem.slots)) for fill in fills}) < len(fills):
            return _refused(say("{name}: it lists a fill twice", name=file.name))
        if claim.text == NO_BETTER and [fill.value(problem) for fill in fills] != [claim.value]:
            value = format_value(fills[0].value(problem))
            return _refused(
                say("{name}: its value is {value}, but the claim has a different one", name=file.name, value=value)
            )
        text = say("it is a fill")
        if len(fills) != 1:
            text = say("they are {fills} fills, all different", fills=len(fills))
        if claim.value is not None:
            text += f", {describe_value(problem.measures, claim.value)}"
        return _checked(f"{file.name}: {text}")

    @property
    def text(self) -> str:
        """The claim in words."""
        claim = self._claim
        rules = ""
        if claim.rules:
            rules = say(" with {rules}", rules=shlex.join(claim.rules))
        there = say("of {name} from {name2}{rules}", name=claim.grid.name, name2=claim.words.name, rules=rules)
        if claim.text == NO_BETTER:
            by = f" ({claim.objective})"
            if claim.levels:
                by = say(" by these levels")
            return f"{say(claim.text)}{by} {there}"
        return f"{say(claim.text)} {there}"

    @cached_property
    def _reading(self) -> Reading:
        return Reading.of(self._claim, self._folder)

    @cached_property
    def _problem(self) -> Problem:
        claim = self._claim
        asked = claim.asked
        alphabet = Alphabet(claim.alphabet)
        opened = frozenset(asked.open)
        _, (grid,) = parse_grids(
            read_text(self._folder / claim.grid.name),
            name=claim.grid.name,
            dialect="native",
            alphabet=alphabet,
            min_slot_length=asked.min_length,
        )
        grid = open_slots(grid, [slot for slot in grid.slots if slot.name in opened])
        grid = add_ties(grid, asked.tie, repeats=asked.repeats)
        words: dict[str, tuple[float, str]] = {}
        marks: dict[str, frozenset[str]] = {}
        for word, listed in self._reading.words.items():
            spelling = word.capitalize() if listed.is_name else word.lower()
            words[word] = (float(listed.score), spelling)
            marks[word] = frozenset(listed.marks)
        foreign = set().union(*words) - set(alphabet.letters)
        if foreign:
            raise expected(
                "words over the alphabet {letters}", min(foreign), claim.words.name, letters=alphabet.letters
            )
        lexicon = Lexicon([WordList(claim.words.name, words, {}, alphabet)], alphabet, marks=marks)
        values = {letter: float(value) for letter, value in asked.letter_values}
        block = values.pop("#", 0.0)
        rules = Rules.of_arguments(asked)
        return Problem(
            grid, lexicon, rules, claim.objective, levels=claim.levels, letter_values=LetterValues(values, block)
        )

    def _list_fills(self, file: File) -> list[Fill]:
        """Return the fills of a file as the script reads them; cpfill's reader of grids takes only smaller files."""
        grid = self._problem.grid
        fills = self._reading.fills
        if any(each.width != grid.width for each in fills):
            raise expected("fills of {width} columns", say("others"), file.name, width=grid.width)
        return [Fill(tuple(map(_spell_cell, each.cells)), grid) for each in fills]

    def _check_proof(self, step: ProofStep) -> list[Finding]:
        """Have one proof checked, if it consists of lemmas in text: on anything else `drat-trim` may never end."""
        name = step.proof.name
        check = check_sum
        if step.sum_above is None:
            check = check_proof
            fault = self._find_foreign_line(step.proof)
            if fault is not None:
                return [fault]
        findings: list[Finding] = []
        for reply in check(self._folder / step.formula.name, self._folder / name, self._deadline):
            verdict = reply.verdict
            if findings and verdict is ProofVerdict.NOT_CHECKED:  # already accepted
                verdict = ProofVerdict.NOT_RUN
            findings.append(Finding(verdict, f"{name}: {reply}"))
        return findings

    def _find_foreign_line(self, file: File) -> Finding | None:
        """Return the fault of the first line of a proof that is not a lemma in text, if any."""
        with (self._folder / file.name).open("rb") as proof:
            for number, line in enumerate(iter(partial(proof.readline, _PART), b""), start=1):
                if number % _TURN == 0 and self._deadline.passed:
                    return _not_checked(say("{name}: time limit reached", name=file.name))
                if not _LEMMA.fullmatch(line):
                    return _refused(
                        say(
                            "{name}, line {number}: expected a lemma such as '-1 2 0', found {line!r}",
                            name=file.name,
                            number=number,
                            line=line[:_SHOWN],
                        )
                    )
        return None

    def _compare_sources(self) -> Iterator[Finding]:
        """Compare the grid and the words with their sources, if these are unchanged."""
        claim = self._claim
        grid = say("{name} is the grid of {name2}", name=claim.grid.name, name2=claim.grid_source.name)
        words = say("{name} has the words of its lists", name=claim.words.name)
        yield self._compare(grid, [claim.grid_source], self._is_grid_of_source)
        yield self._compare(words, claim.lists, self._are_words_of_lists)

    def _compare(self, statement: str, sources: Sequence[Source], compare: Callable[[], bool]) -> Finding:
        for source in sources:
            if source.sha256 is None:
                return _trusted(
                    say(
                        "that {what} (not compared: {name} is neither a file nor a packaged list)",
                        what=statement,
                        name=source.name,
                    )
                )
            if hash_source(source.name) != source.sha256:
                return _trusted(
                    say(
                        "that {what} (not compared: {name} is missing or has changed)",
                        what=statement,
                        name=source.name,
                    )
                )
        with suppress(CpfillError):
            if sources and compare():
                names = ", ".join(source.name for source in sources)
                return _checked(say("{what}: {names}, read again", what=statement, names=names))
        return _trusted(
            say("that {what}, read with options that the claim does not have: without them it differs", what=statement)
        )

    def _is_grid_of_source(self) -> bool:
        grid = self._problem.grid
        source = self._claim.grid_source.name
        read = read_templates(source, alphabet=grid.alphabet, min_slot_length=grid.min_slot_length)
        return any(str(template.grid) == str(grid) for template in read)

    def _are_words_of_lists(self) -> bool:
        alphabet = self._problem.grid.alphabet
        lexicon = Lexicon([read_word_list(source.name, alphabet) for source in self._claim.lists], alphabet)
        lengths = {slot.length for slot in self._problem.slots}
        found: dict[str, float] = {}
        for length in lengths:
            table = lexicon.table(length)
            found.update(zip(table.words, table.scores, strict=True))
        mine = self._problem.lexicon
        if self._problem.rules.no_shared and any(lexicon.marks(word) != mine.marks(word) for word in found):
            return False
        (there,) = mine.lists
        return found == {word: score for word, score in there.weights.items() if len(word) in lengths}


def _are_equal(one: IO[bytes], other: IO[bytes]) -> bool:
    """Return whether two files have the same bytes from where they stand."""
    parts = zip_longest(iter(partial(one.read, _PART), b""), iter(partial(other.read, _PART), b""))
    return all(first == second for first, second in parts)


def _spell_cell(cell: read_inputs.Cell) -> str:
    """Return the letters of a cell of a fill as cpfill has them; a block has none."""
    return "".join(cell) or UNFILLED[: len(cell)]
