"""Makes the pools of theme words from an unpacked `npm pack emojibase-data@17.0.0`: `derive.py package`.

A pool has 40 words of 4 to 13 letters, drawn with seed 0 from the labels and keywords that Unicode's CLDR gives to the
emoji of a subject, as far as they are single words of the packaged list. A word weighs as much as it has letters.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from cpfill import Lexicon, read_word_list
from cpfill.base.alphabet import Alphabet

SUBJECTS = {
    "animals": ("animal-",),
    "clothes": ("clothing",),
    "food": ("food-", "drink"),
    "sport": ("sport", "person-sport", "game"),
    "travel": ("transport-ground", "transport-water", "transport-air"),
}
WORDS, SHORTEST, LONGEST = 40, 4, 13

package, here = Path(sys.argv[1]), Path(__file__).parent
groups = json.loads((package / "en/messages.json").read_text(encoding="utf-8"))["subgroups"]
names = {group["order"]: group["key"] for group in groups}
for language in ("en", "fr"):
    listed, fold = Lexicon([read_word_list(language)]), Alphabet().fold
    emoji = json.loads((package / language / "data.json").read_text(encoding="utf-8"))
    for subject, subgroups in SUBJECTS.items():
        of_subject = [one for one in emoji if names.get(one.get("subgroup"), "").startswith(subgroups)]
        texts = {text for one in of_subject for text in (one["label"], *one.get("tags", ())) if text.isalpha()}
        words = sorted({word for word in map(fold, texts) if SHORTEST <= len(word) <= LONGEST and listed.find(word)})
        pool = sorted(Random(0).sample(words, WORDS))  # noqa: S311 - variety, not secrecy
        text = "".join(f"{word};{len(word)}\n" for word in pool)
        (here / f"{language}-{subject}.words.txt").write_text(text, encoding="utf-8")
