"""Stems of the Snowball stemmers (Porter 2001, https://snowballstem.org), and those kept for the packaged lists.

A packaged list, such as `en`, has beside it the stems of its parts in the order in which these come, by length of the
entries: how many bytes of UTF-8 to cut from the end of each, and which ending to put there. So no packaged list is
stemmed where it is used, which in a browser's tab would take 15 s.
"""

from __future__ import annotations

import gzip
import json
import sys
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cpfill.base.imports import load
from cpfill.base.texts import later

if TYPE_CHECKING:
    from collections.abc import Iterable

SNOWBALL = {"en": "english", "fr": "french"}
"""The language of each packaged list, by the beginning of its name, and the name of its stemmer."""

_PACKAGED_AT = Path(__file__).with_name("packaged")


class Endings(NamedTuple):
    """The stems of the parts of a list, as the kernel takes them.

    Attributes:
        cuts: for each part, a byte: how many bytes of the part its stem lacks at the end.
        chosen: for each part, a byte: which of the texts its stem has there.
        texts: endings in UTF-8.
        digest: the digest of the parts, 64 bits of FNV-1a with a byte 0 after each; other parts have other stems.
    """

    cuts: bytes = b""
    chosen: bytes = b""
    texts: list[bytes] = []  # noqa: RUF012 - a default that nobody changes
    digest: int = 0


@cache
def _load_stemmer(language: str) -> Any:
    snowball = load("snowballstemmer", "snowballstemmer", later("finding stems"))
    stemmer = snowball.stemmer(SNOWBALL[language])
    stemmer.maxCacheSize = 0  # the cache of the compiled stemmer takes five times as long as it saves
    return stemmer


def list_stems(parts: Iterable[str], language: str) -> list[str]:
    """Return the stems of some parts.

    Raises:
        CpfillError: the stemmers are not installed.
    """
    stems: list[str] = _load_stemmer(language).stemWords(list(parts))
    return stems


@cache
def find_version() -> str:
    """Return the version of the stemmers, without that of its corrections: other versions may find other stems."""
    try:
        version: str = import_module("Stemmer").version()
    except ModuleNotFoundError:  # `importlib.metadata` would take 0.2 s in a tab
        places = chain.from_iterable(Path(folder).glob("snowballstemmer-*.dist-info") for folder in sys.path)
        version = next((place.stem.partition("-")[2] for place in places), "")
    return version.rpartition(".")[0]


@cache
def read_endings(name: str) -> tuple[Endings, dict[str, str]]:
    """Return the kept stems of a packaged list, and those of further words of which its entries in capitals consist.

    There are none if they come from stemmers of another version.
    """
    head, _, columns = gzip.decompress((_PACKAGED_AT / f"{name}.stems.gz").read_bytes()).partition(b"\n")
    known = json.loads(head)
    if known["version"] != find_version():
        return Endings(), {}
    half = len(columns) // 2
    texts = [text.encode() for text in known["texts"]]
    return Endings(columns[:half], columns[half:], texts, known["digest"]), known["also"]


def pack_endings(stems: dict[str, str], also: dict[str, str]) -> bytes:
    """Return a file of kept stems: those of the parts of a list in order, and further ones."""
    digest = 0xCBF29CE484222325
    cuts = bytearray()
    chosen = bytearray()
    texts: dict[bytes, int] = {}
    for part, stem in stems.items():
        spelt = part.encode()
        wanted = stem.encode()
        for byte in spelt:
            digest = (digest ^ byte) * 0x100000001B3 % 2**64
        digest = digest * 0x100000001B3 % 2**64
        same = next((at for at, pair in enumerate(zip(spelt, wanted, strict=False)) if pair[0] != pair[1]), None)
        if same is None:
            same = min(len(spelt), len(wanted))
        cuts.append(len(spelt) - same)
        chosen.append(texts.setdefault(wanted[same:], len(texts)))
    head = {"digest": digest, "texts": [text.decode() for text in texts], "also": also, "version": find_version()}
    return gzip.compress(json.dumps(head).encode() + b"\n" + bytes(cuts) + bytes(chosen), 9, mtime=0)
