"""An agent of Microsoft Agent Framework that answers by running a program."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message

from isolette.adapters.agent_framework import IsoletteCodeActProvider

PROGRAM = "sum(call_tool('price', article=article) for article in ['tea', 'milk'])"


class ScriptedClient(FunctionInvocationLayer, BaseChatClient):
    """Writes a program, then repeats what it returned."""

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> ChatResponse:
        results = [content for message in messages for content in message.contents if content.type == "function_result"]
        if results:
            return ChatResponse(messages=[Message(role="assistant", contents=[f"It costs {results[-1].result}"])])
        call = Content.from_function_call(call_id="1", name="execute_code", arguments={"code": PROGRAM})
        return ChatResponse(messages=[Message(role="assistant", contents=[call])])


def price(article: str) -> float:
    """The price of an article."""
    return {"tea": 2.5, "milk": 1.5}[article]


async def main() -> None:
    provider = IsoletteCodeActProvider(tools=[price], timeout=5)
    answer = await Agent(client=ScriptedClient(), context_providers=[provider]).run("What do tea and milk cost?")
    print(answer.text)


if __name__ == "__main__":
    asyncio.run(main())
