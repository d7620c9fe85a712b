"""`zoneinfo`: daylight saving, conversions, ambiguous times."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

berlin, york, tokyo = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Tokyo")
summer = datetime(2024, 7, 1, 12, tzinfo=berlin)
print(summer, summer.astimezone(york), summer.astimezone(tokyo), summer.tzname(), summer.dst())
print(datetime(2024, 1, 1, 12, tzinfo=berlin).utcoffset())
ambiguous = datetime(2024, 10, 27, 2, 30, tzinfo=berlin)
print(ambiguous.utcoffset(), ambiguous.replace(fold=1).utcoffset())
print((datetime(2024, 3, 30, 12, tzinfo=berlin) + timedelta(days=1)).isoformat())
print(datetime(2024, 3, 31, 12, tzinfo=berlin) - datetime(2024, 3, 31, 0, tzinfo=berlin), berlin.key, ZoneInfo("UTC"))
print((summer.astimezone(timezone.utc) + timedelta(days=180)).astimezone(berlin))
try:
    ZoneInfo("Mars/Olympus")
except ZoneInfoNotFoundError as error:
    print("not found")
