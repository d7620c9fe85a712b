total = 0
for number in range(200):
    total += call_tool("ask", number=number)
total
