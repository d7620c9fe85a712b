# Calls operations in every way that fails and says what a program gets to see of it.
attempts = {
    "missing": lambda: call_tool("breweries.search_breweries"),
    "too_many": lambda: call_tool("breweries.list_breweries", per_page=201),
    "misspelt": lambda: call_tool("breweries.list_breweries", city="San_Diego"),
    "broken": lambda: call_tool("breweries.list_breweries", page=2),
}
result = {}
for name, attempt in attempts.items():
    try:
        result[name] = ["returned", attempt()]
    except ToolError as error:
        result[name] = [error.kind, str(error)]
