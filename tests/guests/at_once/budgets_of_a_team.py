# Who of a team has spent more than the limit of the own level: three waves of calls.
import asyncio

members = (await asyncio.gather(tools.team.members(team="west"), tools.team.members(team="east")))
members = [member for team in members for member in team]
levels = sorted({member["level"] for member in members})
limits = dict(zip(levels, await asyncio.gather(*(tools.team.limit(level=level) for level in levels))))
spent = await asyncio.gather(*(tools.expenses.list(member=member["name"], quarter="Q3") for member in members))
over = []
for member, expenses in zip(members, spent):
    total = sum(expense["amount"] for expense in expenses if expense["approved"])
    if total > limits[member["level"]]:
        over.append([member["name"], total])
result = over
