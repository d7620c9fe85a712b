# An end in the middle of everything.
# expect: timeout

file = open("/output/half", "w")
file.write("half")
print("half", end="")
call_tool("echo", value=1)
while True:
    pass
