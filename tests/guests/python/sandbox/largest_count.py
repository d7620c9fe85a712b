"""What 32 bits cannot count is an error with advice."""

try:
    len(range(2**40))
except OverflowError as error:
    print(error)
try:
    "a" * 2**40
except (OverflowError, MemoryError) as error:
    print(type(error).__name__)
try:
    [1][2**40]
except IndexError as error:
    print(type(error).__name__)


class Long:
    def __len__(self):
        return 2**40


try:
    len(Long())
except OverflowError as error:
    print(error)
