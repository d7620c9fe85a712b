"""Adapters for agent frameworks, each in a module of its own, which needs the framework:

- `isolette.adapters.agent_framework`: a context provider for Microsoft Agent Framework
- `isolette.adapters.google_adk`: a code executor for Google ADK
- `isolette.adapters.langchain`: a tool and a middleware for LangChain
- `isolette.adapters.openai_agents`: a function tool for the OpenAI Agents SDK
- `isolette.adapters.pydantic_ai`: a toolset for Pydantic AI
- `isolette.adapters.smolagents`: a Python executor for smolagents
"""
