# Names of tools that do not exist.
# expect: contained

names = ["", "x" * 1_000_000, "../echo", "echo\x00", "ECHO", "\u0435cho", "__class__", "tools.call"]
found = []
for name in names:
    try:
        call_tool(name, value=1)
        found.append(name[:20])
    except Exception:
        pass
result = "contained" if not found else found
