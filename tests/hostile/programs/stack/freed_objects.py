# A linked list of three hundred thousand objects, freed at once.
# expect: value

class Node:
    __slots__ = ("next",)

    def __init__(self, next):
        self.next = next


head = None
for _ in range(300_000):
    head = Node(head)
del head
"freed"
