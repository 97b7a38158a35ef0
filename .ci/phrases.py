"""Makes `cpfill/puzzle/clues/phrases.txt.gz`, the clues of English phrases: python .ci/phrases.py /usr/share/wordnet.

The directory is the database of WordNet 3.0 as Debian's `wordnet-base` has it. A phrase is a headword of several words
that a grid of 15 holds; its clues are cut from its definitions, and then come its synonyms.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

from cpfill.base.alphabet import Alphabet
from cpfill.puzzle.clues.definitions import BETWEEN, Overlap, find_overlap
from cpfill.puzzle.clues.wording import cut, read_wording

LONGEST = 15
SENSES = 2
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


def main(directory: Path) -> None:
    """Write the phrases, and the licence that the database begins with."""
    lines = []
    for head, senses in sorted(list_senses(directory).items()):
        clues = list_clues(head, senses)
        if clues and len(LATIN.fold(head)) <= LONGEST:
            lines.append(f"{head}\t{BETWEEN.join(clues[:SENSES])}\n")
    (OUT / "phrases.txt.gz").write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    begun = (directory / "data.noun").read_text("utf-8").splitlines()
    licence = [re.sub(r"^  \d+ ", "", line).rstrip() for line in begun if line.startswith("  ")]
    (OUT / "phrases.LICENSE.txt").write_text("\n".join(licence) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
