"""XML from strangers: no document type, so no entities to swell, and bounded depth and number of elements."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from cpfill.base.errors import MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT_BYTES, FormatError, InputError, megabytes
from cpfill.base.texts import hear, say
from cpfill.formats.exchange.source import BREAKS, fault

if TYPE_CHECKING:
    from collections.abc import Iterator

_ZIP_MAGIC = b"PK"
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How these files are packed. Python unpacks what is packed in another way as a whole, however great it becomes."""


@dataclass
class Element:
    """An element: its name without a namespace, its attributes, its children, elements and texts in their order."""

    name: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def find_all(self, name: str) -> Iterator[Element]:
        """Yield the outermost elements of that name, this one or within it, in the order of the file."""
        todo: list[Element | str] = [self]
        while todo:
            child = todo.pop()
            if isinstance(child, Element):
                if child.name == name:
                    yield child
                else:
                    todo += reversed(child.children)

    def find_first(self, name: str) -> Element:
        """Return the first element of that name within this one, an empty one if there is none."""
        return next(self.find_all(name), Element(name, {}))

    @property
    def text(self) -> str:
        """All text within the element, with blanks where HTML has a break."""
        return "".join(
            child if isinstance(child, str) else f" {child.text} " if child.name.lower() in BREAKS else child.text
            for child in self.children
        )

    def get(self, name: str) -> str:
        """Return an attribute, empty if there is none."""
        return self.attributes.get(name, "")


def unzip(data: bytes) -> bytes:
    """Return the first file of a ZIP archive, or data that is not an archive, unchanged; it skips what macOS adds.

    Raises:
        FormatError: the archive is damaged, or the file in it is greater than a puzzle or packed in an unusual way.
    """
    if not data.startswith(_ZIP_MAGIC):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = next((member for member in archive.infolist() if _is_file(member.filename)), None)
            if found is None:
                raise fault(say("a file in the ZIP archive"), say("none"))
            if found.compress_type not in _PACKED:
                raise fault(say("a file stored or deflated in the ZIP archive"), say("one packed in another way"))
            with archive.open(found) as member:
                inner = member.read(MAX_TEXT_BYTES + 1)
    except FormatError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError):
        raise fault(say("a whole ZIP archive"), say("a damaged or encrypted one")) from None
    if len(inner) > MAX_TEXT_BYTES:
        raise fault(say("{size} in the ZIP archive", size=megabytes(MAX_TEXT_BYTES)), say("more"))
    return inner


def _is_file(name: str) -> bool:
    """Return whether a name in an archive is that of a file, and not of one that macOS adds."""
    return not name.endswith("/") and not name.startswith(("__MACOSX/", "._", ".DS_Store"))


def parse(data: bytes) -> Element:
    """Return the root element.

    Raises:
        FormatError: the data is no XML, has a document type, or is deeper or greater than a puzzle.
    """
    root = Element("", {})
    path = [root]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(path) > MAX_DEPTH or count > MAX_ELEMENTS:
            raise fault(say("the XML of a puzzle"), say("elements too deep or too many"))
        element = Element(name.rpartition(" ")[2], attributes)
        path[-1].children.append(element)
        path.append(element)

    def end(_: str) -> None:
        path.pop()

    def text(chars: str) -> None:
        path[-1].children.append(chars)

    def doctype(*_: object) -> None:
        raise fault(say("XML without a document type"), say("<!DOCTYPE …>, which a puzzle has no use for"))

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except InputError:
        raise
    except expat.ExpatError as exc:
        raise fault("XML", hear(expat.errors.messages[exc.code]), exc.lineno) from None
    except (LookupError, ValueError):  # an encoding nobody knows
        raise fault(say("XML in an encoding such as UTF-8"), say("another")) from None
    return root
