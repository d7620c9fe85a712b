# Files left for the next program.
# expect: contained

open("/tmp/leak", "w").write("leak")
open("/output/leak", "w").write("leak")
result = "contained"
