"""`calendar`."""

import calendar

print(calendar.month(2024, 2))
print(
    calendar.isleap(2024),
    calendar.leapdays(2000, 2024),
    tuple(map(int, calendar.monthrange(2023, 2))),
    calendar.weekday(2024, 7, 4),
)
print(calendar.TextCalendar(firstweekday=6).formatmonth(2024, 9))
print(list(calendar.Calendar().itermonthdays(2024, 2))[:7], calendar.day_name[0], calendar.month_abbr[12])
print(calendar.timegm((2024, 1, 1, 0, 0, 0)))
