"""`strftime` with every directive, flag and width that Linux's C library has."""

import datetime
import time

MOMENT = (2024, 3, 5, 4, 7, 9, 1, 65, 0)
NOON = (1999, 12, 31, 12, 30, 0, 4, 365, 0)
for directive in "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%":
    print(directive, *(repr(time.strftime("%" + directive, moment)) for moment in (MOMENT, NOON)))
for flag in ("-", "_", "0", "^", "#", "^-", "-5", "_5", "05", "10", "E", "O"):
    print(flag, *(time.strftime(f"[%{flag}{directive}]", MOMENT) for directive in "aBdeHIjklmMpPsSUVWyYCGguwZ"))
for odd in ("%", "100%", "%Q", "%5Q", "%^q", "%f", "%+", "%E", "%-", "% d", "%%%d%", "a\nb%n", "é%dü"):
    print(repr(odd), repr(time.strftime(odd, MOMENT)))
day = datetime.date(2024, 1, 5)
moment = datetime.datetime(2024, 1, 5, 15, 4, 5, 678, tzinfo=datetime.timezone(datetime.timedelta(hours=-3)))
print(day.strftime("%-d.%-m. %^a %e|%l %P %k"), f"{day:%-d %b}", format(day, "%j %-j"))
print(moment.strftime("%l:%M %P, %k h, %f %z %u"), f"{moment:%^B %G-W%V-%u}")
print(datetime.time(7, 8, 9).strftime("%l %k %I %-I %p %P %R %T"))
for year in (1, 99, 999, 1000, 9999):
    print(year, time.strftime("%Y %C %y %G", (year, 1, 1, 0, 0, 0, 0, 1, 0)))
for n in range(1990, 2030):
    for when in (datetime.date(n, 1, 1), datetime.date(n, 12, 31)):
        print(when.strftime("%G %V %g %U %W %u %w"), end="; ")
print()
try:
    time.strftime("%-d", (2024, 13, 1, 0, 0, 0, 0, 1, 0))
except ValueError as error:
    print(error)
print(datetime.datetime.strptime("05 Jan 2024 03:04 PM", "%d %b %Y %I:%M %p").strftime("%-I%p"))
print(repr(time.strftime("%z|%5z|%_5z", (2020, 1, 1, 0, 0, 0, 0, 1, -1))))
