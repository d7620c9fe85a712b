# kiwisolver: a layout from constraints, and what cannot be satisfied.
from kiwisolver import BadRequiredStrength, Constraint, DuplicateConstraint, Solver, UnknownConstraint, UnsatisfiableConstraint, Variable, strength

left, middle, right = (Variable(name) for name in ("left", "middle", "right"))
solver = Solver()
for constraint in (left >= 0, right <= 100, middle == (left + right) / 2, right >= left + 10):
    solver.addConstraint(constraint)
solver.addConstraint((right == 100) | "weak")
solver.addConstraint((left == 40) | "strong")
solver.updateVariables()
print(left.value(), middle.value(), right.value())
solver.addEditVariable(middle, "strong")
for wanted in (30, 60, 95, 200):
    solver.suggestValue(middle, wanted)
    solver.updateVariables()
    print(wanted, left.value(), middle.value(), right.value())
print(solver.hasEditVariable(middle), solver.hasConstraint(left >= 0))
fixed = left == 20
solver.addConstraint(fixed)
for attempt in (
    lambda: solver.addConstraint(left == 30),
    lambda: solver.addConstraint(fixed),
    lambda: solver.removeConstraint(right == 5),
    lambda: solver.addEditVariable(right, "required"),
    lambda: solver.suggestValue(right, 3),
    lambda: Constraint(left + 1, "="),
    lambda: left + "a",
    lambda: left * right,
    lambda: solver.addConstraint(3),
):
    try:
        print(attempt())
    except (BadRequiredStrength, DuplicateConstraint, UnknownConstraint, UnsatisfiableConstraint) as error:
        print("kiwi", type(error).__name__)
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0][:80])
print(strength.weak, strength.medium, strength.strong, strength.required, (left + 2 * right - 1).value() if True else "")
