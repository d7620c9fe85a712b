// What a program can find out about the tools that it has.
result = { tools: list_tools(), describe: describe_tool("describe") };
