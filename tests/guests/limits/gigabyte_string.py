print("before the string")
text = "x" * (1 << 30)
print(len(text))
