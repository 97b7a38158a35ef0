"""The entry point: registers the verbs and turns exceptions into exit codes."""

from __future__ import annotations

import contextlib
import errno
import io
import itertools
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

import cpfill
from cpfill.base.errors import CpfillError, InputError, expected, tell_reason, unknown_name
from cpfill.base.files import user_directory
from cpfill.base.imports import when_missing
from cpfill.base.texts import ENGLISH, LANGUAGES, hear, say, speak
from cpfill.cli.output import emit
from cpfill.cli.verbs import Exit, Summary, Verbs, complain, usage_error, warn

if TYPE_CHECKING:
    from collections.abc import Container

VERBS: dict[str, Summary] = {
    "solve": Summary("Start here", "Fill grids, or prove that no fill exists.", "cpfill solve grid.txt"),
    "generate": Summary(
        "Start here",
        "Make grids, around your theme if you like, and fill them.",
        "cpfill generate --seed-words silverscreen,goldenretriever,bronzemedals --filled -o puzzle.ipuz",
    ),
    "candidates": Summary(
        "Start here",
        "List the words that fit a slot, each with the proof that some fill or no fill has it.",
        "cpfill candidates puzzle.ipuz 17-Across --clear NW",
    ),
    "serve": Summary("Start here", "Make puzzles on a page in the browser.", "cpfill serve"),
    "explain": Summary(
        "Ask about a grid", "Explain why a grid has no fill, and suggest remedies.", "cpfill explain grid.txt"
    ),
    "edits": Summary(
        "Ask about a grid", "Say which block to add, open or move.", "cpfill edits grid.txt --min-score 50"
    ),
    "count": Summary("Ask about a grid", "Count every fill, exactly.", "cpfill count grid.txt -w words.txt"),
    "estimate": Summary(
        "Ask about a grid", "Estimate the number of fills.", "cpfill estimate grid.txt", module="count"
    ),
    "watch": Summary(
        "Ask about a grid",
        "Count and draw the search tree.",
        "cpfill watch grid.txt -w words.txt --order A,B,C -o tree.svg",
    ),
    "stats": Summary("Ask about a grid", "Judge grids and fills: scores, blocks, style.", "cpfill stats puzzle.ipuz"),
    "info": Summary(
        "Ask about a grid", "Describe grids, or this installation.", "cpfill info grid.txt -w en", module="stats"
    ),
    "check": Summary("Check answers", "Name every rule that a fill breaks.", "cpfill check grid.txt fill.txt"),
    "compare": Summary(
        "Check answers", "Compare the answers of all engines.", "cpfill compare grid.txt -t 10s", module="check"
    ),
    "verify": Summary(
        "Check answers",
        "Check a proof by programs that know nothing of cpfill.",
        "cpfill verify proof",
        module="proofs",
    ),
    "convert": Summary(
        "Files and lists", "Convert a puzzle to another format, or draw it.", "cpfill convert puzzle.ipuz puzzle.pdf"
    ),
    "words": Summary("Files and lists", "Study, filter, merge and make word lists.", "cpfill words lookup '?A??[EI]'"),
    "site": Summary(
        "Files and lists", "Write the page as static files, for any web host.", "cpfill site public", module="serve"
    ),
    "batch": Summary(
        "Many grids", "Fill many grids, with many lists or seeds.", "cpfill batch jobs.jsonl -o answers.jsonl"
    ),
    "series": Summary(
        "Many grids",
        "Make a puzzle for each day, no word twice.",
        "cpfill series 365 --size 5x5 --start 2027-01-01 -o minis",
    ),
    "mcp": Summary("Many grids", "Answer the questions of an assistant.", "cpfill mcp"),
    "bench": Summary(
        "Many grids", "Measure engines and other programs.", "cpfill bench run suite.toml -o records.jsonl"
    ),
}
"""The verbs. Each is a function of that name, by default in the module of that name."""


def make_command(verbs: Container[str] = VERBS) -> typer.Typer:
    """Return the program; verbs outside `verbs` are known by name only.

    The module of another verb is not imported, because imports take most of the time of a small answer.
    """
    app = Verbs(help="Fill crossword grids by constraint programming, with proofs.")
    app.callback(invoke_without_command=True)(_program)
    for verb, summary in VERBS.items():
        command = _import_verb(verb, summary) if verb in verbs else _absent
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=verb, short_help=summary.text, rich_help_panel=summary.group)
        else:
            register = app.command(verb, short_help=summary.text, rich_help_panel=summary.group, epilog=summary.example)
            register(command)
    return app


def _import_verb(verb: str, summary: Summary) -> Any:
    module = import_module(f"cpfill.cli.{summary.module or verb}")
    return getattr(module, verb)


_COMPLETE = "_CPFILL_COMPLETE"
"""Set by the shell when it asks for completions.

typer's own completion options are off because they slow every start. Completion without them, and the types of its
help (in `verbs`), are in private modules only, so `pyproject.toml` pins the minor version of typer.
"""


def _install_completion() -> None:
    from typer._completion_shared import _get_shell_name, install

    shell = _get_shell_name()
    if shell not in {"bash", "zsh", "fish", "powershell", "pwsh"}:
        raise usage_error(
            say("a shell that completes: bash, zsh, fish or PowerShell"), shell or say("an unknown shell")
        )
    _, path = install(shell=shell, prog_name="cpfill", complete_var=_COMPLETE)
    emit(say("completion for {shell} is in {path}: it begins with the next shell", shell=shell, path=path) + "\n")


def _asked_verb() -> str:
    """Return the verb that is called or completed; only its module is imported."""
    words = sys.argv[1:]
    if _COMPLETE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
        words = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]
    for before, word in itertools.pairwise(["", *words]):
        if not word.startswith("-") and before != _LANG:
            return word
    return ""


_LANG = "--lang"


def _choose_language() -> None:
    """Use the language of `--lang` if it precedes the verb, otherwise that of the locale."""
    locales = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    speak(next(filter(None, locales), ENGLISH))
    words = itertools.takewhile(lambda word: word.startswith("-") or word not in VERBS, sys.argv[1:])
    for word, following in itertools.pairwise([*words, ""]):
        name, equals, given = word.partition("=")
        if name != _LANG:
            continue
        if not equals:
            given = following
        if given not in LANGUAGES:
            raise InputError(unknown_name(say("a language"), given, LANGUAGES))
        speak(given)


_SHOWN = 300
"""The maximum length of a message that repeats the command line."""


def _absent() -> None:
    """Stand in for a verb that is not called."""


def _program(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    lang: Annotated[  # noqa: ARG001 - read before any message
        str | None, typer.Option("--lang", metavar="LANGUAGE", help="Speak en or fr; by default as the locale says.")
    ] = None,
    install_completion: Annotated[
        bool, typer.Option("--install-completion", help="Have this shell complete verbs and options, and exit.")
    ] = False,
) -> None:
    if version:
        emit(f"{cpfill.__version__}\n")
    elif install_completion:
        _install_completion()
    elif context.invoked_subcommand is None:
        emit(context.get_help() + "\n")
        raise typer.Exit(Exit.BAD_INPUT)


def run() -> int:
    """Run the program and return its exit code. Errors are printed on standard error."""
    _mend_streams()
    if "--json" not in sys.argv:
        when_missing(_tell_of_missing_kernel)
    asked = _asked_verb()
    try:
        _choose_language()
        code = make_command({asked})(prog_name="cpfill", standalone_mode=False) or Exit.ANSWERED
        if code == Exit.INTERRUPTED and not isinstance(code, Exit):  # typer's: the verb has not reported it
            raise KeyboardInterrupt
        sys.stdout.flush()
    except typer.TyperException as exc:
        _tell_usage(exc, asked)
        code = exc.exit_code
    except CpfillError as exc:
        code = complain(exc)
    except OSError as exc:
        code = _standard_output_failed(exc)
    except SystemExit as exc:  # typer's reaction to a closed pipe
        if isinstance(exc.__context__, OSError):
            code = _standard_output_failed(exc.__context__)
        else:
            code = Exit.ANSWERED if _COMPLETE in os.environ else Exit.FAULT
    return int(code)


def _tell_usage(error: typer.TyperException, asked: str) -> None:
    """Print an error in the command line of a verb, and the command for its help."""
    command = f"cpfill {asked}" if asked in VERBS else "cpfill"
    context = getattr(error, "ctx", None)  # an option without its argument has none
    if context:
        command = context.command_path
    message = hear(error.format_message())
    if len(message) > _SHOWN:
        message = f"{message[:_SHOWN]}…"
    warn(say("{cut} (see {command} --help)", cut=message, command=command))


def _tell_of_missing_kernel() -> None:
    """Warn once per version that no compiled kernel is installed (in every run if the cache folder is not writable)."""
    mark = user_directory("XDG_CACHE_HOME", ".cache") / f"no-kernel-{cpfill.__version__}"
    try:
        mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch(exist_ok=False)
    except FileExistsError:
        if mark.exists():
            return
    except OSError:
        pass
    warn(
        say(
            "this installation lacks the compiled kernel: auto searches with cpsat, which takes far longer, and word "
            "lists are read by Python; install cpfill again from a wheel, or where there is a C++20 compiler "
            "(this is shown only once)"
        )
    )


def _mend_streams() -> None:
    """Replace closed streams by os.devnull; escape characters that the terminal cannot show.

    A closed standard output stays read-only: writing to it must fail, not lose the answer silently.
    """
    for name, mode, access in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, access)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        windows = sys.platform == "win32"  # other programs expect UTF-8, not its code page
        utf8 = "utf-8" if windows or "--json" in sys.argv else None
        sys.stdout.reconfigure(encoding=utf8, errors="backslashreplace", newline="\n" if windows else None)


def _standard_output_failed(error: OSError) -> Exit:
    """Report an error of standard output, and redirect Python's last flush to os.devnull.

    An error with a file name concerns that file (e.g. its folder is not readable), not standard output.
    """
    reason = tell_reason(error)
    if error.errno == errno.ENOENT and error.filename is None:  # never raised by standard output
        return complain(expected("a directory to work in", say("a deleted directory"), "."))
    if error.filename is not None:
        return complain(expected("a file that can be reached", reason, str(error.filename)))
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader closed the pipe on purpose
        return Exit.ANSWERED
    return complain(expected("standard output that can be written", reason))
