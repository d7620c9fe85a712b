"""An agent of LangChain that answers by running a program."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from isolette.adapters.langchain import IsoletteMiddleware

PROGRAM = "sum(call_tool('price', article=article) for article in ['tea', 'milk'])"


class ScriptedModel(BaseChatModel):
    """Writes a program, then repeats what it returned."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> "ScriptedModel":
        return self

    def _generate(self, messages: list[BaseMessage], *arguments: Any, **options: Any) -> ChatResult:
        results = [message.text for message in messages if isinstance(message, ToolMessage)]
        if results:
            answer = AIMessage(f"It costs {results[-1]}")
        else:
            answer = AIMessage("", tool_calls=[{"name": "execute_code", "args": {"code": PROGRAM}, "id": "1"}])
        return ChatResult(generations=[ChatGeneration(message=answer)])


def price(article: str) -> float:
    """The price of an article."""
    return {"tea": 2.5, "milk": 1.5}[article]


if __name__ == "__main__":
    agent = create_agent(ScriptedModel(), middleware=[IsoletteMiddleware(tools=[price], timeout=5)])
    result = agent.invoke({"messages": [("user", "What do tea and milk cost?")]})
    print(result["messages"][-1].text)
