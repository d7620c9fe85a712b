import re
from collections import Counter

text = "It was the best of times, it was the worst of times; it was the age of wisdom."
counts = Counter(re.findall(r"[a-z]+", text.lower()))
for word, count in counts.most_common(4):
    print(f"{word:<8}{count:>3}")
print(counts.total(), counts - Counter(it=1), sorted(counts.elements())[:5])
print(Counter("abracadabra") & Counter("alakazam"), max(counts, key=counts.get))
