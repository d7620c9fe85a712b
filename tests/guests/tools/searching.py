# Finding tools from inside, at each level of detail.
found = tools.search("create issues", limit=1)
result = {
    "brief": found,
    "total": found.total,
    "name": tools.search("issue", detail="name"),
    "detailed": tools.search("create issue", detail="detailed", limit=1),
    "full": tools.search("create issue", detail="full", limit=1),
    "tagged": [tool["name"] for tool in tools.search(tags=["weather"], limit=100)],
    "nothing": [tools.search("xylophone"), tools.search("issue", limit=0).total],
}
try:
    tools.search("issue", detail="everything")
except ValueError as error:
    result["refused"] = str(error)
