print("before the loop")
while True:
    pass
