"""Makes `cpfill/puzzle/clues/phrases.txt.gz`, clues of English phrases: `phrase_clues.py /usr/share DICTIONARIES`.

The directory has the files of Debian's `wordnet-base`; dictionaries are those of its `dict-freedict-eng-…` that come
from WikDict, and so from Wiktionary (`.dict.dz`). A phrase is an entry of several words in `en` or `en-gb`; its clues
are cut from the definitions of WordNet, and then come its synonyms there, or else from the glosses of Wiktionary.
Names of one word, of which Open English WordNet has few, have clues from Wiktionary as well.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cpfill.base.alphabet import Alphabet
from cpfill.puzzle.clues.definitions import BETWEEN, Overlap, find_overlap
from cpfill.puzzle.clues.wording import cut, read_wording
from cpfill.words.wordlist import read_word_list

if TYPE_CHECKING:
    from collections.abc import Iterator

SENSES = 2
LEAST = 40
"""The least score of an entry that gets clues."""
WIKDICT = """\
phrases.txt.gz has clues from two sources: WordNet 3.0, whose licence follows, and Wiktionary (https://en.wiktionary.org),
by its contributors, as the dictionaries of WikDict (https://www.wikdict.com) have it, under the Creative Commons
Attribution-ShareAlike 3.0 licence, https://creativecommons.org/licenses/by-sa/3.0/legalcode. The file is subject to
the latter. Clues were cut to length and put into the form of a clue by .ci/phrase_clues.py."""
OUT = Path(__file__).parents[1] / "cpfill" / "puzzle" / "clues"
LATIN = Alphabet()
_TAXON = re.compile("(?:genus|(?:sub|super)?(?:family|order|class|phylum)|division|tribe)_")


def read_synsets(directory: Path, part: str) -> dict[int, tuple[list[str], str]]:
    """Return the headwords and the definition of each synset of a part of speech."""
    found = {}
    for line in (directory / f"data.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        count = int(fields[3], 16)
        heads = [re.sub(r"\(\w+\)$", "", head).replace("_", " ") for head in fields[4 : 4 + 2 * count : 2]]
        gloss = re.split(r'[;:]\s*"', line.partition("|")[2])[0]
        found[int(fields[0])] = (heads, gloss.strip(" ;:"))
    return found


def list_senses(directory: Path) -> dict[str, list[tuple[str, list[str]]]]:
    """Return the definitions of each phrase, commonest first, each with its synonyms."""
    senses: dict[str, list[tuple[str, list[str]]]] = {}
    for part in ("noun", "verb", "adj", "adv"):
        synsets = read_synsets(directory, part)
        for line in (directory / f"index.{part}").read_text("utf-8").splitlines():
            lemma, *fields = line.split(" ")
            if not re.search("[_-]", lemma) or _TAXON.match(lemma):
                continue
            for offset in fields[-2 - int(fields[1]) : -2]:
                heads, definition = synsets[int(offset)]
                head = next(head for head in heads if head.lower() == lemma.replace("_", " "))
                senses.setdefault(head, []).append((definition, [other for other in heads if other != head]))
    return senses


def list_clues(head: str, senses: list[tuple[str, list[str]]]) -> list[str]:
    """Return the clues of a phrase."""
    cuts = sorted((cut(definition, read_wording("english.toml")) for definition, _ in senses), key=lambda one: one.rank)
    clues = [one.text for one in cuts]
    for _, synonyms in senses:
        others = [synonym for synonym in synonyms if find_overlap(synonym, head, LATIN) is Overlap.NONE]
        clues += [other[0].upper() + other[1:] for other in others]
    overlaps = {clue: find_overlap(clue, head, LATIN) for clue in clues if clue}
    for wanted in (Overlap.NONE, Overlap.SOME):
        kept = [clue for clue, overlap in overlaps.items() if overlap is wanted]
        if kept:
            return kept
    return []


def list_glosses(dictionary: Path) -> Iterator[tuple[str, str]]:
    """Yield headwords of several words, or with a capital, with the gloss of each sense.

    The line of a headword ends in its part of speech. For each sense a line of translations follows, and a line with
    the gloss, which may be missing.
    """
    head = ""
    after_translation = False
    for line in gzip.decompress(dictionary.read_bytes()).decode().splitlines():
        if found := re.fullmatch(r"(\S.{,40}?)(?: /.*/)? <\w+>", line):
            head = found[1]
            after_translation = False
        elif after_translation and not re.match(r"\d+\. ", line):
            if re.search("[ -]", head) or head[:1].isupper():
                yield head, line.partition(": ")[2] or line
            after_translation = False
        else:
            after_translation = True


def list_wanted() -> set[str]:
    """Return the letters of the entries that a good fill may have."""
    wanted = set()
    for name in ("en", "en-gb"):
        wanted |= {word for word, score in read_word_list(name).weights.items() if score >= LEAST}
    return wanted


def main(share: Path, dictionaries: list[Path]) -> None:
    """Write the phrases, and the licences of their sources."""
    senses = list_senses(share / "wordnet")
    glosses: dict[str, list[tuple[str, list[str]]]] = {}
    for dictionary in dictionaries:
        for head, gloss in list_glosses(dictionary):
            glosses.setdefault(head, []).append((gloss, []))
    spellings: dict[str, list[str]] = {}
    for source in (senses, glosses):
        for head in sorted(source):
            spellings.setdefault(LATIN.fold(head), []).append(head)
    lines = []
    wanted = list_wanted()
    for letters, heads in sorted(spellings.items()):
        if letters not in wanted:
            continue
        for head in dict.fromkeys(heads):
            found = list_clues(head, senses.get(head, [])) or list_clues(head, glosses.get(head, []))
            if found:
                lines.append(f"{head}\t{BETWEEN.join(found[:SENSES])}\n")
                break
    (OUT / "phrases.txt.gz").write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    begun = (share / "wordnet" / "data.noun").read_text("utf-8").splitlines()
    licence = [re.sub(r"^  \d+ ", "", line).rstrip() for line in begun if line.startswith("  ")]
    (OUT / "phrases.LICENSE.txt").write_text("\n".join([WIKDICT, "", *licence]) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
