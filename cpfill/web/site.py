"""The page as a folder of static files: any web host serves it, and cpfill itself runs in the visitor's tab.

    OUT/
      index.html  service.js  manifest.webmanifest  icon.png
      page-DIGEST/      the page's own files
      cpfill-DIGEST/    cpfill and its requirements as archives, the word lists, and definitions of their words
      pyodide-DIGEST/   Python in WebAssembly

Each folder has the digest of its content in its name, so that browsers keep its files for good and load a new version
whole. Pyodide comes from the npm registry, pinned by version and digest. The other packages are the installed ones, all
pure Python.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import struct
import subprocess
import tarfile
import tempfile
import zlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import cpfill
from cpfill.base.alphabet import Alphabet
from cpfill.base.errors import UnsupportedError, expected
from cpfill.base.texts import later, say
from cpfill.engines.toolkit.wasm import MODULE
from cpfill.formats.pages.html_page import PLAYER, PLAYER_FILES
from cpfill.puzzle.clues.definitions import GRAMMARS, Definitions
from cpfill.puzzle.clues.dictionaries import PACKAGES, find_definitions
from cpfill.web.assets import INDEX, STATIC, TEXTS, write_index, write_texts
from cpfill.words.wordlist import PACKAGED, list_parts, read_word_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PYODIDE = "pyodide@314.0.7"
"""The package itself."""

_INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
_PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

_PACKAGES = ("starlette", "anyio", "idna", "typing_extensions", "puzpy", "pyphen", "snowballstemmer")
"""The modules that the page's questions import."""

_PDF_PACKAGES = ("reportlab", "charset-normalizer", "font-source-serif-pro")
"""The packages that draw PDF, loaded on use."""

_NO_PILLOW = {"PIL/__init__.py": b"", "PIL/Image.py": b"class Image:\n    pass\n"}
"""A stand-in for Pillow, which is not pure Python: reportlab imports it, and calls it only for pictures."""

_HYPHENS = {"hyph_en_US.dic", "hyph_fr.dic", "README_hyph_en_US.txt", "README_hyph_fr.txt"}
"""The dictionaries of pyphen that drawings use, and their licences."""

_UNUSED = ("cli/", "runs/", "testing/", "engines/cpsat/", "web/static/", "web/daily/")
"""Parts of cpfill that no question of the page runs."""

_CODE = {".py", ".toml", ".js", ".css", ".ttf", ".afm", ".pfb", ".json", ".wasm"}
_LISTS = "words/packaged"
_PACKED = "puzzle/clues/packed"
_SENSES = 5
"""The most definitions of a word; so each language takes some 2 MB."""

_REDUCED = later("{notice}. Reduced to the words of the lists; each definition is cut to the length of a clue.")
_KINDS = frozenset({"page-*", "daily-*"})
"""The folders that tell the kinds of sites apart; a run that was broken off may have left none of them."""

SERVICE = "tab/service.js"
"""The service worker, which stands beside the index: it hears of the pages in its own folder and below."""

_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src blob:; "
    "base-uri 'none'; form-action 'none'"
)

MANIFEST = {
    "name": "cpfill",
    "description": "Make and fill crosswords",
    "start_url": "./",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#2b45c8",
    "icons": [{"src": "icon.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"}],
}

_ICON = (
    *(("16181d", 0, 0, 50, 50), ("ffffff", 1, 1, 16, 49), ("ffffff", 16, 32, 49, 33), ("ffffff", 32, 32, 49, 49)),
    *(("ffffff", 18, 1, 49, 30), ("ffd75e", 18, 17, 32, 31)),
)
"""Rectangles in a square of 50, each over those before it: colour, left, top, right, bottom."""


def write_site(out: Path, pyodide: Path | None = None) -> int:
    """Write the page and all it needs into a directory, and return its size in bytes.

    The directory is new, empty, or holds an earlier site. `pyodide` is the package of Pyodide as npm packs it; by
    default npm fetches it.
    """
    if not MODULE.is_file():
        raise UnsupportedError(
            say(
                "this installation lacks kernel.wasm: install a released cpfill, "
                "or run python .ci/kernel_wasm.py in the checkout and install it again"
            )
        )
    clear_site(out, "page-*", "cpfill-*", "pyodide-*")
    package = _fetch_pyodide() if pyodide is None else pyodide.read_bytes()
    runtime_at = put_folder(out, "pyodide", _list_runtime(package))
    app_at = put_folder(out, "cpfill", _list_app())
    languages = [language for language in GRAMMARS if (out / app_at / _definitions_of(language)).is_file()]
    page_at = put_folder(out, "page", _list_page(app_at, runtime_at, languages))
    (out / "index.html").write_text(_write_index(page_at), "utf-8")
    (out / "manifest.webmanifest").write_text(json.dumps(MANIFEST, indent=2) + "\n", "utf-8")
    (out / "icon.png").write_bytes(draw_icon(512))
    names = {path.relative_to(out).as_posix() for path in _list_files(out)}
    for name in ("pdf.pack", *map(_pack_of, PACKAGED), *map(_definitions_of, GRAMMARS)):
        names.discard(f"{app_at}/{name}")  # loaded on demand
    (out / PurePath(SERVICE).name).write_text(write_service(page_at, names), "utf-8")
    return measure_folder(out)


def measure_folder(out: Path) -> int:
    """Return the size of all files in a folder, in bytes."""
    return sum(path.stat().st_size for path in _list_files(out))


def _list_files(out: Path) -> list[Path]:
    return [path for path in out.rglob("*") if path.is_file()]


def _pack_of(name: str) -> str:
    """Return the file of a word list."""
    return f"{name}.gz"


def _definitions_of(language: str) -> str:
    """Return the file of the definitions of a language."""
    return f"{language}.definitions.gz"


def _list_definitions() -> dict[str, bytes]:
    """Return the definitions of what the lists hold, by language, as far as they are installed."""
    alphabet = Alphabet()
    found = {}
    for language in GRAMMARS:
        paths = find_definitions(language)
        if not paths:
            continue
        words: set[str] = set()
        for name in PACKAGED:
            if name.partition("-")[0] == language:
                words.update(read_word_list(name, alphabet).words)
        text = Definitions(paths, language, alphabet).reduce(words, _SENSES)
        found[language] = gzip.compress(text.encode(), mtime=0)
    return found


def _list_runtime(package: bytes) -> dict[str, bytes]:
    """Return the files of Pyodide, without the list of its packages."""
    files = dict(_read_package(package))
    lock = json.loads(files["pyodide-lock.json"])
    lock["packages"] = {}
    files["pyodide-lock.json"] = json.dumps(lock).encode()
    return files


def _list_app() -> dict[str, bytes]:
    """Return the archives of cpfill and its requirements, and the word lists."""
    own = dict(_list_code())
    definitions = _list_definitions()
    for language in definitions:
        notice = say(_REDUCED, notice=PACKAGES[language].notice)
        own[f"cpfill/{_PACKED}/{language}.LICENSE.txt"] = f"{notice}\n".encode()
    lists = {_pack_of(name): own.pop(f"cpfill/{_LISTS}/{name}.txt.gz") for name in PACKAGED}
    pdf = {**_gather(_PDF_PACKAGES), **_NO_PILLOW}
    return {"app.pack": _pack({**own, **_gather(_PACKAGES)}), "pdf.pack": _pack(pdf), **lists} | {
        _definitions_of(language): data for language, data in definitions.items()
    }


def _list_page(app_at: str, runtime_at: str, languages: Iterable[str]) -> dict[str, bytes]:
    """Return the page's own files, and the module that says where the others are."""
    parts = {
        "APP": f"../../{app_at}/app.pack",
        "PDF": f"../../{app_at}/pdf.pack",
        "PYODIDE": f"../../{runtime_at}/",
        "DEFINITIONS": {language: f"../../{app_at}/{_definitions_of(language)}" for language in languages},
        "LISTS": {name: f"../../{app_at}/{_pack_of(name)}" for name in sorted(PACKAGED)},
        "PARTS": {name: list_parts(name) for name in sorted(PACKAGED)},
    }
    lines = [f"export const {name} = {json.dumps(value)};\n" for name, value in parts.items()]
    page = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*.*")}
    del page[INDEX]
    del page[SERVICE]
    for name in PLAYER_FILES:
        page[name] = (PLAYER / name).read_bytes()
    return page | {TEXTS: write_texts(), "tab/parts.js": "".join(lines).encode()}


def write_service(page_at: str, names: Iterable[str]) -> str:
    """Return the service worker, which keeps the named files."""
    listed = json.dumps(["./", *sorted(names)], indent=2)
    service = (STATIC / SERVICE).read_text("utf-8")
    return service.replace('["{files}"]', listed).replace("{version}", page_at)


def clear_site(out: Path, *own: str) -> None:
    """Make a directory, or empty it of an earlier site of the same kind: of the folders with these names."""
    wanted = later("a new or an empty directory, or an earlier site")
    if out.exists() and not out.is_dir():
        raise expected(wanted, say("a file"), str(out))
    others = _KINDS.difference(own)
    is_site = (out / "manifest.webmanifest").is_file() and not any(any(out.glob(name)) for name in others)
    if out.is_dir() and any(out.iterdir()) and not is_site:
        raise expected(wanted, say("other files"), str(out))
    out.mkdir(parents=True, exist_ok=True)
    for name in own:
        for old in out.glob(name):
            shutil.rmtree(old)


def put_folder(out: Path, name: str, files: Mapping[str, bytes]) -> str:
    """Write files into a folder that is named by their content, and return its name."""
    digest = hashlib.sha256()
    for each, data in sorted(files.items()):
        content = hashlib.sha256(data).digest()
        digest.update(each.encode() + b"\0" + content)
    folder = f"{name}-{digest.hexdigest()[:12]}"
    (out / folder).mkdir()
    for each, data in files.items():
        path = out / folder / each
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return folder


def _write_index(page_at: str) -> str:
    """Return the page, which names its files where they are and forbids all others."""
    text = re.sub(r'(?<==")(?=[\w/-]{1,64}\.(?:css|js|woff2)")', f"{page_at}/", write_index().decode())
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}" />\n'
        f'    <meta name="theme-color" content="{MANIFEST["theme_color"]}" />\n'
        '    <link rel="manifest" href="manifest.webmanifest" />\n    '
    )
    icons = '<link rel="icon" href="icon.png" />\n    <link rel="apple-touch-icon" href="icon.png" />'
    text = text.replace('<link rel="icon" href="data:," />', icons)
    return text.replace("<html ", "<html data-tab ", 1).replace("<title>", f"{head}<title>", 1)


def draw_icon(side: int) -> bytes:
    """Return the icon as PNG, which phones take."""
    rows = [bytearray(1 + 3 * side) for _ in range(side)]  # the first byte says that a row is not filtered
    for ink, *corners in _ICON:
        left, top, right, bottom = (corner * side // 50 for corner in corners)
        for row in rows[top:bottom]:
            row[1 + 3 * left : 1 + 3 * right] = bytes.fromhex(ink) * (right - left)
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR" + head) + _chunk(b"IDAT" + data) + _chunk(b"IEND")


def _chunk(part: bytes) -> bytes:
    """Return a chunk of a PNG file: its name and content, between its length and its checksum."""
    return struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part))


def _list_code() -> Iterator[tuple[str, bytes]]:
    """Yield the files of cpfill that run in the tab, by their names in the archive."""
    root = Path(cpfill.__file__).parent
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        wanted = path.suffix in _CODE or (name.startswith(_LISTS) and path.suffix in {".gz", ".txt"})
        if path.is_file() and wanted and not name.startswith(_UNUSED):
            yield f"cpfill/{name}", path.read_bytes()


def _gather(packages: Iterable[str]) -> dict[str, bytes]:
    """Return the files of installed packages, licences among them."""
    found: dict[str, bytes] = {}
    for package in packages:
        try:
            files = distribution(package).files or []
        except PackageNotFoundError:
            raise UnsupportedError(say("the page needs the package {package} installed", package=package)) from None
        for file in files:
            path = Path(str(file.locate()))
            if ".." not in file.parts and path.is_file() and _is_wanted(file):
                found[file.as_posix()] = path.read_bytes()
    return found


def _is_wanted(file: PurePath) -> bool:
    """Return whether the tab needs a file of a package: code, data or a licence."""
    legal = "licen" in str(file).lower() or file.name == "METADATA"
    return legal or file.suffix in _CODE or file.name in _HYPHENS


def _pack(files: Mapping[str, bytes]) -> bytes:
    """Return files as `engine.js` unpacks them, the same for the same files: their sizes by name, and themselves."""
    ordered = dict(sorted(files.items()))
    sizes = json.dumps({name: len(data) for name, data in ordered.items()})
    content = b"".join(ordered.values())
    return gzip.compress(sizes.encode() + b"\n" + content, mtime=0)


def _fetch_pyodide() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise UnsupportedError(
            say("cpfill site takes npm, which fetches {package}; or name its file by --pyodide", package=PYODIDE)
        )
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603 - the program found above
            [npm, "pack", "--loglevel=error", PYODIDE], cwd=folder, capture_output=True, text=True, check=False
        )
        packed = [*Path(folder).glob("*.tgz")]
        if done.returncode or not packed:
            raise expected("{package} from npm", _find_reason(done.stderr), package=PYODIDE)
        return packed[0].read_bytes()


def _find_reason(stderr: str) -> str:
    """Return why npm failed: its line about a failure, or its first line."""
    said = [line.removeprefix("npm error ") for line in stderr.splitlines() if "npm error" in line]
    failures = [line for line in said if "failed" in line]
    return next(iter([*failures, *said]), say("nothing"))


def _read_package(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of Pyodide that are needed, and its licence."""
    digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if f"sha512-{digest}" != _INTEGRITY:
        raise expected("{package} as npm packs it", say("another file"), package=PYODIDE)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            file = archive.extractfile(member)
            if file and (name in _PYODIDE_FILES or name in {"README.md", "package.json"}):
                yield name, file.read()
