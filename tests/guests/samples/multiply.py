product = call_tool("multiply", left=12.3, right=4.5)
print(f"12.3 * 4.5 = {product:.2f}")
product
