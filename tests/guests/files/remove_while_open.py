import os

file = open("/output/removed", "w+")
file.write("content")
file.flush()
os.remove("/output/removed")
