"""Money with decimals, loans, interest, conversions, schedules."""

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

cents = Decimal("0.01")
principal, rate, months = Decimal("12000"), Decimal("0.06") / 12, 12
payment = (principal * rate / (1 - (1 + rate) ** -months)).quantize(cents, ROUND_HALF_UP)
balance, interest_total = principal, Decimal(0)
for month in range(months):
    interest = (balance * rate).quantize(cents, ROUND_HALF_UP)
    interest_total += interest
    balance -= payment - interest
print(payment, interest_total, balance)
print((Decimal(1000) * (1 + Decimal("0.05")) ** 10).quantize(cents), f"{1000 * 1.05**10:.2f}", f"{72 / 7:.1f}")
net = Decimal("19.99") * 3
print(net, (net * Decimal("0.2")).quantize(cents), f"{net * Decimal('1.2'):,.2f} €")
shares = [(Decimal(100) / 3).quantize(cents) for _ in range(3)]
shares[0] += Decimal(100) - sum(shares)
print(shares, sum(shares))
convert = {"km": 1000, "m": 1, "mi": 1609.344, "ft": 0.3048}
print(f"{5 * convert['km'] / convert['mi']:.3f} {6 * convert['ft'] / convert['m']:.2f} {(98.6 - 32) * 5 / 9:.1f}")
day = date(2024, 1, 31)
due = []
for month in range(1, 5):
    following = date(2024, month + 1, 1)
    due.append(min(date(2024, month, 28) + timedelta(days=3), following - timedelta(days=1)).isoformat())
print(due)
workdays = sum((date(2024, 7, 1) + timedelta(n)).weekday() < 5 for n in range(31))
print(workdays, (date(2024, 12, 25) - date(2024, 7, 1)).days, f"{1e6:,.0f} {0.1234:.1%} {1234.5:010.2f}")
