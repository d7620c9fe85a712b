# Working days, ends of months, holidays and quarters.
import pandas as pd
from pandas.tseries.holiday import USFederalHolidayCalendar
from pandas.tseries.offsets import BDay, CustomBusinessDay, MonthEnd, Week

print(pd.bdate_range("2024-12-23", "2025-01-03").strftime("%a %d").tolist())
day = pd.Timestamp("2024-02-28")
print(day + BDay(2), day + MonthEnd(1), day - Week(weekday=0), day + pd.DateOffset(years=1, months=1), day + 3 * BDay())
holidays = USFederalHolidayCalendar().holidays("2024-01-01", "2024-12-31")
print(holidays.strftime("%m-%d").tolist())
print(len(pd.date_range("2024-07-01", "2024-07-31", freq=CustomBusinessDay(holidays=holidays))))
dates = pd.Series(pd.to_datetime(["2024-02-29", "2023-12-31", "2024-07-04"]))
print(pd.DataFrame({
    "quarter": dates.dt.quarter, "week": dates.dt.isocalendar().week, "day": dates.dt.day_name(),
    "end": dates.dt.is_month_end, "leap": dates.dt.is_leap_year, "of year": dates.dt.day_of_year,
}))
print((dates.max() - dates).dt.days.tolist(), dates.dt.floor("D").equals(dates), dates.dt.to_period("Q").astype(str).tolist())
print(pd.period_range("2024Q1", periods=3, freq="Q").to_timestamp().tolist(), pd.Period("2024-02").days_in_month)
print(pd.to_timedelta(["1 days 02:00:00", "90min"]).total_seconds().tolist(), pd.Timedelta("1.5h") / pd.Timedelta("30min"))
print(pd.to_datetime("31/01/2024", dayfirst=True), pd.to_datetime(["2024-13-01", "x"], format="%Y-%m-%d", errors="coerce").isna().tolist())
