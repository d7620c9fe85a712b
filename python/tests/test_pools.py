"""Pools of sandboxes, and warm images."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import isolette
from isolette import errors


def test_sandboxes_of_a_pool_share_places() -> None:
    made: list[str] = []

    def settings(key: str) -> dict[str, Any]:
        made.append(key)
        return {"variables": {"who": key}, "memory": "128MiB"}

    pool = isolette.SandboxPool(settings, guests=2, warm={"a": 1}, waiting_time=60)
    assert made == ["a"]
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda key=key: results.append(pool.get(key).run("who").value))  # type: ignore[misc]
        for key in ["a", "b", "c"] * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted(["a", "b", "c"] * 4) and sorted(set(made)) == ["a", "b", "c"] and len(made) == 3
    assert pool.state.sandboxes == 3 and not pool.state.is_draining
    assert pool.drain(30) and pool.state.guests == 0
    with pytest.raises(errors.Busy):
        pool.get("a").run("1")


def test_a_full_pool_is_busy() -> None:
    pool = isolette.SandboxPool(lambda key: {}, guests=1, waiting_time=0)
    with pool.get("a").session() as session:
        assert session.run("1").value == 1
        with pytest.raises(errors.Busy):
            pool.get("b").run("1")


def test_what_the_function_raises_is_raised() -> None:
    def settings(key: str) -> dict[str, Any]:
        if key == "unknown":
            raise LookupError("no such tenant")
        return {"timeout": -1} if key == "wrong" else {"timeot": 1}

    pool = isolette.SandboxPool(settings)
    for key, kind, message in (
        ("unknown", LookupError, "no such tenant"),
        ("wrong", errors.InvalidArgument, "`timeout` is -1.0 seconds"),
        ("other", TypeError, "unknown setting `timeot`"),
    ):
        with pytest.raises(kind, match=message):
            pool.get(key)
    for arguments in ({"guests": -1}, {"memory": "much"}, {"warm": {"a": "x"}}, {"idle": 0}, {"make": 3}):
        with pytest.raises((TypeError, ValueError), match=next(iter(arguments))):
            isolette.SandboxPool(**{"make": settings, **arguments})  # type: ignore[arg-type]


def test_guests_of_a_warm_image_start_after_its_program(tmp_path: Path) -> None:
    image = isolette.WarmImage("reports", "import statistics\ndef mean(rows): return statistics.mean(rows)")
    with pytest.raises(errors.InvalidArgument, match="run the set-up program"):
        image.save(tmp_path / "reports")
    image.set_up(isolette.Sandbox(isolation="process")).raise_for_error()
    image.save(tmp_path / "reports")
    sandbox = isolette.Sandbox(image=tmp_path / "reports", isolation="process")
    assert sandbox.run("mean([1, 2, 3])").value == 2
    with pytest.raises(errors.InvalidArgument):
        image.save(tmp_path / "reports")
    with pytest.raises(errors.InvalidArgument, match="cannot have the name"):
        isolette.WarmImage("Not plain", "")
