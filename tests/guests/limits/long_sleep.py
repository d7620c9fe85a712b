import time

print("before the sleep")
time.sleep(3600)
