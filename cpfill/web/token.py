"""The token of a user's own pages, made once and kept: a page that is open goes on when the server begins anew."""

from __future__ import annotations

import os
import re
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from cpfill.base.files import IS_WINDOWS, open_handle, user_directory

if TYPE_CHECKING:
    from pathlib import Path

_BYTES = 24
_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)
_OTHERS = 0 if IS_WINDOWS else 0o077  # Windows keeps others out of a home, and shows no such bits


def token_path() -> Path:
    """Return where the token stands: `$XDG_STATE_HOME/cpfill/token`, by default in `~/.local/state`."""
    return user_directory("XDG_STATE_HOME", ".local/state") / "token"


def make_token() -> str:
    """Return a token that nobody can guess."""
    return token_urlsafe(_BYTES)


def keep_token() -> str:
    """Return the token that is kept, a new one where there is none or others could read it."""
    path = token_path()
    try:
        if not path.stat().st_mode & _OTHERS and _TOKEN.fullmatch(known := path.read_text(encoding="ascii")):
            return known
    except (OSError, ValueError):
        pass  # no token was saved yet
    token = make_token()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(open_handle(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token)
    except OSError:
        pass  # it holds for this server alone
    return token
