"""An agent of smolagents whose steps run in a sandbox."""

from typing import Any

from smolagents import CodeAgent, LogLevel, Model, tool
from smolagents.models import ChatMessage, MessageRole

from isolette.adapters.smolagents import IsolettePythonExecutor

STEPS = ["total = price('tea') + price(article='milk')\nprint(total)", "final_answer(f'It costs {total}')"]


class ScriptedModel(Model):
    """Writes one step after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = iter(STEPS)

    def generate(self, messages: list[Any], *others: Any, **options: Any) -> ChatMessage:
        step = next(self.steps)
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{step}\n</code>")


@tool
def price(article: str) -> float:
    """The price of an article.

    Args:
        article: Its name.
    """
    return {"tea": 2.5, "milk": 1.5}[article]


if __name__ == "__main__":
    executor = IsolettePythonExecutor(timeout=5)
    agent = CodeAgent(tools=[price], model=ScriptedModel(), executor=executor, verbosity_level=LogLevel.OFF)
    print(agent.run("What do tea and milk cost?"))
