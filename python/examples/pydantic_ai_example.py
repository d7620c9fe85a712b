"""An agent of Pydantic AI that answers by running a program."""

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from isolette.adapters.pydantic_ai import IsoletteToolset

PROGRAM = "sum(call_tool('price', article=article) for article in ['tea', 'milk'])"


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Writes a program, then repeats what it returned."""
    parts = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    if parts:
        return ModelResponse([TextPart(f"It costs {parts[-1].content}")])
    return ModelResponse([ToolCallPart("execute_code", {"code": PROGRAM})])


def price(article: str) -> float:
    """The price of an article."""
    return {"tea": 2.5, "milk": 1.5}[article]


if __name__ == "__main__":
    agent = Agent(FunctionModel(scripted), toolsets=[IsoletteToolset(tools=[price], timeout=5)])
    print(agent.run_sync("What do tea and milk cost?").output)
