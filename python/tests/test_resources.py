"""Resources of custom interfaces, which are objects of Python."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

import pytest

import isolette
from isolette import CapabilityError, errors

from .conftest import pick

WIT = """
package acme:shop@1.0.0;

interface baskets {
    record line { article: string, %from: u32, picture: list<u8> }
    variant failure { sold-out(string) }

    resource basket {
        constructor(owner: string);
        /// A basket with a line of each article.
        filled: static func(articles: list<string>) -> basket;
        add: func(line: line) -> result<u32, failure>;
        lines: func() -> list<line>;
        merge: func(other: basket);
        is-as-large-as: func(other: borrow<basket>) -> bool;
    }

    all: func() -> list<option<basket>>;
    of: func(owner: string) -> basket;
}
"""


class Basket:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.kept: list[Any] = []

    def add(self, line: dict[str, Any]) -> int:
        if line["article"] == "unicorn":
            raise CapabilityError({"sold-out": line["article"]})
        self.kept.append(line)
        return len(self.kept)

    async def lines(self) -> list[Any]:
        await asyncio.sleep(0)
        return self.kept

    def merge(self, other: Basket) -> None:
        self.kept += other.kept

    def is_as_large_as(self, other: Basket) -> bool:
        return len(self.kept) == len(other.kept)


@isolette.capability("acme:shop/baskets@1.0.0", wit=WIT, resources={"basket": Basket})
class Baskets:
    def __init__(self) -> None:
        self.made: weakref.WeakSet[Basket] = weakref.WeakSet()
        self.merged: list[str] = []

    def new_basket(self, owner: str) -> Basket:
        basket = Basket(owner)
        self.made.add(basket)
        return basket

    def basket_filled(self, articles: list[str]) -> Basket:
        basket = self.new_basket("filled")
        for article in articles:
            basket.add({"article": article, "from": 1, "picture": memoryview(b"")})
        return basket

    async def all(self) -> list[Basket | None]:
        return [self.new_basket("all"), None]

    def of(self, owner: str) -> Any:
        return owner


PYTHON = """
from acme.shop import baskets
from acme.shop.baskets import Basket, Line
with Basket("Ada") as basket:
    count = basket.add(Line("tea", 3, b"\\xff\\x00"))
    try:
        basket.add(Line("unicorn", 1, b""))
    except baskets.Failure as error:
        sold_out = error.value
    other = Basket.filled(["milk", "sugar"])
    before = basket.is_as_large_as(other)
    basket.merge(other)
    lines = basket.lines()
    result = [count, sold_out, before, [(line.article, line.from_, list(line.picture)) for line in lines]]
first, second = baskets.all()
result += [type(first).__name__, second]
first.close()
"""

JAVASCRIPT = """
import { Basket, all } from "acme:shop/baskets";
const basket = new Basket("Ada");
const count = basket.add({ article: "tea", from: 3, picture: new Uint8Array([255, 0]) });
let soldOut;
try { basket.add({ article: "unicorn", from: 1, picture: new Uint8Array() }); } catch (error) { soldOut = error.payload.val; }
const other = Basket.filled(["milk", "sugar"]);
const before = basket.isAsLargeAs(other);
basket.merge(other);
const lines = await basket.lines();
const [first, second] = await all();
result = [count, soldOut, before, lines.map(line => [line.article, line.from, [...line.picture]]), first.constructor.name, second ?? null];
basket[Symbol.dispose]();
first[Symbol.dispose]();
"""


def test_programs_hold_objects_of_the_host(language: str) -> None:
    baskets = Baskets()
    sandbox = isolette.Sandbox(language, capabilities=[baskets], tool_calls="auto" if language == "python" else "sync")
    with sandbox.session() as session:
        result = session.run(pick(language, PYTHON, JAVASCRIPT))
        assert result.error is None, result.error
        lines = [["tea", 3, [255, 0]], ["milk", 1, []], ["sugar", 1, []]]
        assert _lists(result.value) == [1, "unicorn", False, lines, "Basket", None]
        # What was closed, or passed on, has ended in the host, although the session goes on.
        assert len(baskets.made) == 0


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, (list, tuple)) else value


HOLD = ("from acme.shop.baskets import Basket\nheld = Basket('Ada')", "import { Basket } from 'acme:shop/baskets';\nglobalThis.held = new Basket('Ada');")


def test_what_a_program_holds_ends_with_its_session(language: str) -> None:
    baskets = Baskets()
    sandbox = isolette.Sandbox(language, capabilities=[baskets])
    with sandbox.session() as session:
        assert session.run(pick(language, *HOLD)).error is None
        assert [basket.owner for basket in baskets.made] == ["Ada"]
        with pytest.raises(errors.Unavailable, match="acme:shop/baskets"):
            session.snapshot()
    assert len(baskets.made) == 0


def test_a_program_holds_as_many_as_the_limit_allows() -> None:
    sandbox = isolette.Sandbox(capabilities=[Baskets()], limits={"resources": 2})
    error = sandbox.run("from acme.shop.baskets import Basket\nheld = [Basket('Ada') for _ in range(3)]").error
    assert error is not None and "the limit on live resources is reached" in error.message


def test_results_of_another_class_fail_the_call() -> None:
    error = isolette.Sandbox(capabilities=[Baskets()]).run("from acme.shop import baskets\nbaskets.of('Ada')").error
    assert error is not None and "result: expected basket, found 'Ada'" in error.message


class WithoutMerge:
    def add(self) -> None: ...


@pytest.mark.parametrize(
    ("resources", "message"),
    [
        ({}, "has the resource `basket`, which no class implements"),
        ({"basket": Basket, "other": Basket}, "has no resource `other`"),
        ({"basket": WithoutMerge}, "has the function `basket.lines`, which is not implemented"),
        ({"basket": "Basket"}, "`resources` must have classes"),
        ({1: Basket}, "`resources` must have classes"),
    ],
)
def test_mistakes_are_explained(resources: Any, message: str) -> None:
    with pytest.raises((errors.InvalidArgument, TypeError), match=message):
        isolette.Capability("acme:shop/baskets", Baskets(), wit=WIT, resources=resources)
