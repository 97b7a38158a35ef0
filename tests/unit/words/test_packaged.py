"""The packaged lists: offensive and delicate words, spellings, the figures of their page."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from cpfill.base.alphabet import Alphabet
from cpfill.questions.request import Request
from cpfill.runs.batch import answer_job
from cpfill.runs.bench.suite import read_suite
from cpfill.words.sources import Shelf
from cpfill.words.wordlist import DELICATE_SCORE, PACKAGED, Taste, read_delicate, read_offensive, read_word_list
from tests.docs.pages import quoted, rows, text_of
from tests.support import PACKAGED_LISTS
from tests.tables import read_table
from tests.unit.runs.test_batch import job_of

if TYPE_CHECKING:
    from pathlib import Path

WORDS = read_table("unit/words/packaged.toml")
DIFFERENT = pytest.mark.parametrize("name", PACKAGED)

fold = Alphabet().fold


def packaged(name: str) -> dict[str, int]:
    lines = gzip.decompress((PACKAGED_LISTS / f"{name}.txt.gz").read_bytes()).decode().splitlines()
    return {word: int(score) for word, score in (line.split(";") for line in lines)}


# Words that are left out, or score little


@DIFFERENT
def test_offensive_words_are_left_out_until_asked_for(name: str) -> None:
    usual = frozenset(read_word_list(name).words)  # of two whole lists the memory of a worker keeps both
    whole = read_word_list(name, taste=Taste.UNCENSORED).words
    offensive = read_offensive(name).words
    assert usual.isdisjoint(offensive)
    assert whole.keys() == usual | offensive.keys()
    assert all(whole[word] == entry for word, entry in offensive.items())
    assert len(offensive) > 190
    assert offensive.keys() >= {*WORDS[name]["offensive"]}
    assert name.startswith("fr") or not [
        word for word in usual if "FUCK" in word or "NIGGER" in word.replace("SNIGGER", "")
    ]


@DIFFERENT
def test_delicate_words_score_little_until_asked_for(name: str) -> None:
    delicate = read_delicate(name).words
    usual, frank = (
        dict(read_word_list(name, taste=taste).packed.list_scores()) for taste in (Taste.BREAKFAST, Taste.FRANK)
    )
    assert usual.keys() == frank.keys()
    assert {word for word in usual if usual[word] != frank[word]} <= delicate.keys()
    for word, (score, _) in delicate.items():
        assert frank[word] == score
        assert usual[word] == (score if name == "en-words" else min(score, DELICATE_SCORE))
    assert len(delicate) > 250
    assert delicate.keys() >= {*WORDS[name].get("delicate", ())}
    assert delicate.keys().isdisjoint(WORDS[name].get("innocent", ()))


@DIFFERENT
def test_a_list_has_its_words_in_their_bands(name: str) -> None:
    words = WORDS[name]
    weights = read_word_list(name).weights
    assert [word for word in words.get("ordinary", ()) if word not in weights] == []
    assert [word for word in words.get("missing", ()) if word in weights] == []
    assert [word for word in words.get("over_40", ()) if weights[word] <= 40] == []
    assert [word for word in words.get("at_most_40", ()) if weights[word] > 40] == []
    assert [word for word in words.get("least_50", ()) if weights[word] < 50] == []
    assert [word for word in words.get("under_40", ()) if weights[word] >= 40] == []


@pytest.mark.parametrize("taste", [Taste.BREAKFAST, Taste.UNCENSORED])
@pytest.mark.parametrize(("word", "words", "lists"), [
    ("NEGRESSES", "fr", {}), ("NIGGERS", "en", {}), ("NIGGERS", {"cat": 3.0}, {"weighted": "en-gb"}),
    ("SHIT", {"shit": 3.0}, {"exclude": "en"}),
])  # fmt: skip
def test_a_request_asks_for_them(word: str, words: Any, lists: Any, taste: Taste) -> None:
    lexicon = Request.of(["...."], words, taste=taste, **lists).lexicon(Shelf())
    found = lexicon.find(word) is not None
    assert found == ((taste is Taste.UNCENSORED) != ("exclude" in lists))


@pytest.mark.parametrize(("taste", "status"), [(Taste.BREAKFAST, "UNSATISFIABLE"), (Taste.UNCENSORED, "SATISFIED")])
def test_a_job_and_a_suite_ask_for_them_by_one_name(taste: Taste, status: str, tmp_path: Path) -> None:
    assert answer_job(job_of(tmp_path, grid=["SHIT"], words="en", strict=True, taste=taste))["status"] == status
    (tmp_path / "grid.txt").write_text("....")
    text = '[[families]]\nname = "f"\ngrids = "grid.txt"\nlists = ["en"]\n[[engines]]\nengine = "fc"\n'
    (tmp_path / "suite.toml").write_text(f"taste = {json.dumps(taste)}\n{text}")
    (question,) = read_suite(str(tmp_path / "suite.toml")).questions
    assert question.request.taste is taste


# Spellings


def test_british_and_american_words_score_alike() -> None:
    american, british = ({fold(word): score for word, score in packaged(name).items()} for name in ("en", "en-gb"))
    assert abs(american["COLOR"] - british["COLOUR"]) < 15
    shared = american.keys() & british.keys()
    assert len(shared) > 0.9 * len(american)
    assert all(american[word] == british[word] for word in shared)


def test_the_page_has_the_figures_of_the_files() -> None:
    table = [row for row in rows(text_of("cpfill/words/packaged/README.md")) if len(row) == 7]
    told = {quoted(name)[0].removesuffix(".txt.gz"): figures for name, *figures in table if quoted(name)}
    assert set(told) == set(PACKAGED)
    for name, (words, size, *left_out, _, _) in told.items():
        scored = packaged(name)
        path = PACKAGED_LISTS / f"{name}.txt.gz"
        others = (len(packaged(f"{name}.{kind}")) for kind in ("offensive", "delicate"))
        found = (len(scored), path.stat().st_size, *others)
        assert found == tuple(int(text.replace(",", "")) for text in (words, size, *left_out))
