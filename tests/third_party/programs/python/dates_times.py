from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo
import calendar
import time as clock

start = date(2024, 2, 28)
print([str(start + timedelta(days=n)) for n in range(3)], start.strftime("%A %d %B %Y %j %U %u"), start.isocalendar())
moment = datetime(2024, 3, 10, 1, 30, tzinfo=ZoneInfo("America/New_York"))
print(moment, moment + timedelta(hours=1), (moment.astimezone(timezone.utc) + timedelta(hours=1)).astimezone(moment.tzinfo), moment.tzname())
print(datetime.fromisoformat("2024-01-02T03:04:05.678+02:00").timestamp(), datetime.strptime("5 Nov 2023 07:08 PM", "%d %b %Y %I:%M %p"))
print(timedelta(days=-1, hours=5), timedelta(seconds=3661.5), timedelta(weeks=1) // timedelta(hours=5), divmod(timedelta(hours=7), timedelta(hours=2)))
print(tuple(map(int, calendar.monthrange(2023, 2))), calendar.month(2024, 2), calendar.isleap(1900), clock.strftime("%Y-%m-%d", clock.gmtime(0)))
print(datetime(2024, 1, 1) < datetime(2024, 1, 2), time(23, 59).isoformat("minutes"), date.fromordinal(738000), datetime.min, repr(timedelta(1, 2, 3)))
print(f"{datetime(2024, 12, 25):%d.%m.%y %H:%M}", (date(2024, 12, 25) - date(2024, 7, 1)).days, date.fromisocalendar(2024, 1, 1))
print(clock.mktime((2001, 9, 9, 1, 46, 40, 0, 0, 0)), datetime.fromtimestamp(0), clock.strftime("%a, %d %b %Y %H:%M:%S", clock.gmtime(1e9)), clock.strptime("30 Nov 00", "%d %b %y").tm_yday)
