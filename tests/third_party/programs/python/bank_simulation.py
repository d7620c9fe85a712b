from dataclasses import dataclass, field
from typing import Self
import json


class InsufficientFunds(Exception):
    pass


@dataclass
class Account:
    owner: str
    balance: float = 0
    history: list[tuple[str, float]] = field(default_factory=list, repr=False)

    def deposit(self, amount: float) -> "Account":
        if amount <= 0:
            raise ValueError(f"bad amount: {amount!r}")
        self.balance += amount
        self.history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"need {amount}, have {self.balance:.2f}")
        self.balance -= amount
        self.history.append(("withdraw", amount))
        return self


account = Account("Ann").deposit(100).withdraw(30.5)
for action in (lambda: account.withdraw(1000), lambda: account.deposit(-1), lambda: account.deposit("x")):
    try:
        action()
    except (InsufficientFunds, ValueError) as error:
        print(type(error).__name__, error)
    except TypeError as error:
        print("TypeError", str(error).split(" between")[0])
print(account, account.history, json.dumps(account.__dict__), account == Account("Ann", 69.5, account.history))
