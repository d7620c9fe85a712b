students = [("Ann", [90, 85.5, 77]), ("Bob", [60, 70]), ("Cid", []), ("Dée", [100])]
def grade(average):
    return next((letter for limit, letter in ((90, "A"), (80, "B"), (70, "C")) if average >= limit), "F")
print(f"{'name':<6}{'avg':>8}  grade")
print("-" * 21)
best = None
for name, marks in students:
    try:
        average = sum(marks) / len(marks)
    except ZeroDivisionError:
        print(f"{name:<6}{'n/a':>8}")
        continue
    if best is None or average > best[1]:
        best = name, average
    print(f"{name:<6}{average:>8.2f}  {grade(average)}")
else:
    print("best: %s with %.1f" % best)
by_grade = {}
for name, marks in students:
    by_grade.setdefault(grade(sum(marks) / max(len(marks), 1)), []).append(name)
for letter in sorted(by_grade):
    print(letter, *by_grade[letter], sep=" ", end=";\n")
print(*sorted(students, key=lambda s: (-len(s[1]), s[0])), sep="\n")
print({name: {"n": len(m), "top": max(m, default=None)} for name, m in students}, sep="")
