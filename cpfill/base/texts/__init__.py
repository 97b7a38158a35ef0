"""Translations: messages in the language of a context, from the catalogues of this folder."""

from __future__ import annotations

from cpfill.base.texts.catalogues import (
    ENGLISH,
    FRENCH,
    LANGUAGES,
    hear,
    later,
    load_page,
    say,
    say_count,
    speak,
    spoken,
)

__all__ = ["ENGLISH", "FRENCH", "LANGUAGES", "hear", "later", "load_page", "say", "say_count", "speak", "spoken"]
