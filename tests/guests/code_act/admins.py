# Finds the administrators among the users, and multiplies.
users = call_tool("fetch_data", table="users")
admins = [user["name"] for user in users if user["role"] == "admin"]
product = call_tool("compute", operation="multiply", a=7, b=call_tool("compute", operation="multiply", a=3, b=2))
print("Users:", users)
print("Admins:", admins)
print("7 * 6 =", product)
