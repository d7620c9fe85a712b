"""`datetime`: arithmetic, formatting, parsing, time zones, ISO calendars."""

from datetime import date, datetime, time, timedelta, timezone

moment = datetime(2024, 2, 28, 23, 30, 15, 250000)
print(moment, repr(moment + timedelta(days=1, hours=1)), moment.isoformat(timespec="minutes"))
print(moment.strftime("%Y/%m/%d %H:%M:%S.%f %j %a %A %b %p %I %y %U %%"))
print(datetime.strptime("15 Mar 2023 07:05", "%d %b %Y %H:%M"), datetime.fromisoformat("2024-01-02T03:04:05+02:00"))
print(date(2024, 12, 31) - date(2024, 1, 1), (date(2024, 3, 1) - timedelta(1)).day, date(2024, 1, 1).isocalendar())
print(date(2024, 5, 17).weekday(), date.fromisocalendar(2024, 1, 1), date.fromordinal(738000), date.max)
east = timezone(timedelta(hours=5, minutes=30), "IST")
aware = datetime(2024, 1, 1, 12, tzinfo=east)
print(aware, aware.astimezone(timezone.utc), aware.utcoffset(), aware.tzname(), aware.timestamp())
print(datetime.fromtimestamp(0, timezone.utc), timedelta(seconds=3725), timedelta(days=-1, seconds=5).total_seconds())
print(
    timedelta(hours=5) / timedelta(minutes=30), timedelta(days=7) // 2, divmod(timedelta(hours=5), timedelta(hours=2))
)
print(
    moment.replace(hour=0, minute=0, second=0, microsecond=0),
    moment.date(),
    moment.time(),
    time(14, 5).strftime("%I:%M %p"),
)
print(
    sorted([date(2024, 5, 1), date(2023, 5, 1)]),
    date(2024, 1, 1) < date(2024, 1, 2),
    datetime.combine(date(2024, 1, 1), time(9)),
)
try:
    date(2023, 2, 29)
except ValueError as error:
    print("ValueError")
try:
    moment < aware
except TypeError as error:
    print(error)
