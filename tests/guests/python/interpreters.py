"""Small languages: a calculator, reverse Polish notation, Lisp, a stack machine, a state machine."""

import operator
import re


def tokens(text):
    return re.findall(r"\d+\.?\d*|[-+*/^()]", text)


def parse(text):
    rest = tokens(text)

    def expression(level=0):
        if level == 3:
            token = rest.pop(0)
            if token == "(":
                value = expression()
                rest.pop(0)
                return value
            return -expression(3) if token == "-" else float(token)
        value = expression(level + 1)
        symbols = ("+-", "*/", "^")[level]
        while rest and rest[0] in symbols:
            symbol = rest.pop(0)
            other = expression(level + (symbol != "^"))
            value = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}[
                symbol
            ](value, other)
        return value

    return expression()


for text in ("1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "10 / 4 - 1", "-(2 + 3) * 2"):
    print(text, "=", parse(text))
stack = []
for word in "3 4 + 2 * 7 /".split():
    stack.append(
        {"+": operator.add, "*": operator.mul, "/": operator.truediv}[word](stack.pop(-2), stack.pop())
        if word in "+*/"
        else float(word)
    )
print(stack)


def read(words):
    word = words.pop(0)
    if word == "(":
        items = []
        while words[0] != ")":
            items.append(read(words))
        words.pop(0)
        return items
    return int(word) if word.lstrip("-").isdigit() else word


def evaluate(x, env):
    match x:
        case str():
            return env[x]
        case int():
            return x
        case ["if", test, yes, no]:
            return evaluate(yes if evaluate(test, env) else no, env)
        case ["define", name, value]:
            env[name] = evaluate(value, env)
        case ["lambda", names, body]:
            return lambda *values: evaluate(
                body, {**env, **dict(zip(names, values))} if env is not world else {**world, **dict(zip(names, values))}
            )
        case [function, *arguments]:
            return evaluate(function, env)(*(evaluate(a, env) for a in arguments))


world = {"+": operator.add, "-": operator.sub, "*": operator.mul, "<": operator.lt}
for source in (
    "(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))",
    "(fact 20)",
    "((lambda (x y) (+ x y)) 3 4)",
):
    print(evaluate(read(source.replace("(", " ( ").replace(")", " ) ").split()), world))
program = [("push", 10), ("jz", 7), ("dup",), ("print",), ("push", 3), ("sub",), ("jump", 1), ("halt",)]
stack, counter = [], 0
while program[counter][0] != "halt":
    name, *argument = program[counter]
    counter += 1
    if name == "push":
        stack.append(argument[0])
    elif name == "dup":
        stack.append(stack[-1])
    elif name == "print":
        print(stack.pop(), end=" ")
    elif name == "sub":
        stack.append(stack.pop(-2) - stack.pop())
    elif name == "jump" or stack[-1] <= 0:
        counter = argument[0]
print()
transitions = {("locked", "coin"): "open", ("open", "push"): "locked"}
state = "locked"
for event in ("push", "coin", "coin", "push"):
    state = transitions.get((state, event), state)
    print(event, state, end="; ")
print()
balanced = lambda text, pairs={")": "(", "]": "[", "}": "{"}: (
    not [stack := []]
    or all(
        stack.append(c) is None if c in "([{" else bool(stack) and stack.pop() == pairs[c]
        for c in text
        if c in "()[]{}"
    )
    and not stack
)
print(balanced("([]{})"), balanced("([)]"), balanced("(("))
