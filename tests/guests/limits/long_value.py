print("the value is long")
["0123456789"] * 200_000
