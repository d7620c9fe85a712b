"""Results as HTML, for notebooks."""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import CallRecord, ExecutionResult, OutputFile

TEXT_LIMIT = 20_000
"""How many characters of a text are shown."""

PICTURE_LIMIT = 4 << 20
"""How long a file may be, in bytes, to be shown as a picture."""

PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
"""The formats of pictures. SVG is none of them, because it can contain programs."""


def of_result(result: ExecutionResult) -> str:
    """Everything that comes from the program is escaped."""
    parts = []
    if result.value is not None:
        parts.append(_section("value", _text(_printed(result.value))))
    for name in ("stdout", "stderr"):
        text = getattr(result, name)
        if text:
            parts.append(_section(name, _text(text)))
    if result.error is not None:
        parts.append(_section("error", _text(result.error.traceback or result.error.message)))
    if result.files:
        parts.append(_section("files", "".join(_file(result, file) for file in result.files)))
    if result.calls:
        parts.append(_section("calls", _calls(result.calls)))
    if not parts:
        parts.append(_section("exit code", html.escape(str(result.exit_code))))
    return f'<div class="isolette-result">{"".join(parts)}</div>'


def _section(name: str, content: str) -> str:
    return f"<div><strong>{html.escape(name)}</strong>{content}</div>"


def _text(text: str) -> str:
    cut = text[:TEXT_LIMIT]
    more = f"\n… {len(text) - TEXT_LIMIT} more characters" if len(text) > TEXT_LIMIT else ""
    return f"<pre>{html.escape(cut + more)}</pre>"


def _printed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _file(result: ExecutionResult, file: OutputFile) -> str:
    name = html.escape(file.path)
    suffix = "." + file.path.rpartition(".")[2].lower()
    if suffix in PICTURES and file.size <= PICTURE_LIMIT:
        try:
            content = base64.b64encode(result.read_output(file.path, PICTURE_LIMIT)).decode()
        except (ValueError, OSError):
            pass  # It is gone, or not there where the result was copied to.
        else:
            picture = f'<img alt="{name}" src="data:{PICTURES[suffix]};base64,{content}">'
            return f"<figure>{picture}<figcaption>{name}</figcaption></figure>"
    return f"<div><code>{name}</code> {file.size} bytes</div>"


def _calls(calls: tuple[CallRecord, ...]) -> str:
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in (call.operation, call.target, call.outcome))
        + f"<td>{call.duration_ms:.1f} ms</td></tr>"
        for call in calls
    )
    return f"<table><tr><th>call</th><th>target</th><th>outcome</th><th>time</th></tr>{rows}</table>"
