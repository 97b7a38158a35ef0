"""Writes small dictionaries in the formats of WordNet and MyThes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LICENCE = "  1 This software and database is being provided to you.  \n"


def write_wordnet(directory: Path, nouns: Mapping[str, Sequence[str]], verbs: Mapping[str, Sequence[str]]) -> Path:
    """Write the glosses of each lemma, and return the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for part, letter, lemmas in (("noun", "n", nouns), ("verb", "v", verbs), ("adj", "a", {}), ("adv", "r", {})):
        data, index = LICENCE, LICENCE
        for lemma, glosses in lemmas.items():
            offsets = []
            for gloss in glosses:
                offsets.append(f"{len(data.encode()):08}")
                data += f"{offsets[-1]} 05 {letter} 01 {lemma} 0 001 @ 00000001 n 0000 | {gloss}  \n"
            # Two pointer symbols stand between the counts.
            index += f"{lemma} {letter} {len(offsets)} 2 @ ~ {len(offsets)} 0 {' '.join(offsets)}  \n"
        (directory / f"data.{part}").write_bytes(data.encode())
        (directory / f"index.{part}").write_bytes(index.encode())
    return directory


def write_thesaurus(path: Path, entries: Mapping[str, Sequence[str]], encoding: str = "UTF-8") -> Path:
    """Write the meanings of each word, such as `(noun)|one|another`, and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [encoding, *(line for word, each in entries.items() for line in (f"{word}|{len(each)}", *each))]
    path.write_text("".join(f"{line}\n" for line in lines), encoding=encoding)
    return path
