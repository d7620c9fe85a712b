"""Tables of pandas as values: lists of records, and series as lists or dictionaries.

An index that is not just the numbers of the rows becomes columns, as `reset_index()` makes them. Missing cells are None.
"""

import datetime


def is_table(pandas, value):
    return isinstance(
        value, (pandas.DataFrame, pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)
    )


def items(pandas, value):
    """Returns lists and dictionaries for a table, and whether they lose nothing."""
    if isinstance(value, pandas.DataFrame):
        return _records(pandas, value)
    if not isinstance(value, pandas.Series):
        return _cells(pandas, pandas.Series(value))
    if _has_plain_index(pandas, value):
        return _cells(pandas, value)
    labels = value.index
    if labels.nlevels == 1 and labels.is_unique and all(type(label) is str for label in labels):
        cells, exact = _cells(pandas, value)
        return dict(zip(labels, cells)), exact
    name = "value" if value.name is None else value.name
    return _records(pandas, value.to_frame(name))


def _records(pandas, frame):
    if not _has_plain_index(pandas, frame):
        frame = frame.reset_index()
    labels = [label if type(label) is str else str(label) for label in frame.columns]
    if len(set(labels)) < len(labels):
        raise ValueError("two columns have the same name")
    columns = [_cells(pandas, frame.iloc[:, number]) for number in range(len(labels))]
    exact = all(type(label) is str for label in frame.columns) and all(exact for _, exact in columns)
    rows = zip(*(cells for cells, _ in columns))
    return [dict(zip(labels, row)) for row in rows], exact


def _has_plain_index(pandas, value):
    index = value.index
    is_plain = type(index) is pandas.RangeIndex and index.start == 0 and index.step == 1
    return is_plain and index.name is None


def _cells(pandas, series):
    cells = series.astype(object)
    missing = cells.isna()
    if missing.any():
        cells = cells.where(~missing, None)
    cells = cells.tolist()
    exact = True
    for number, cell in enumerate(cells):
        text = _text(pandas, cell)
        if text is not None:
            cells[number] = text
            exact = False
    return cells, exact


def _text(pandas, cell):
    """The text of a cell that JSON has no type for."""
    if isinstance(cell, (datetime.date, datetime.time, pandas.Timedelta)):
        return cell.isoformat()
    if isinstance(cell, (pandas.Period, pandas.Interval, datetime.timedelta)):
        return str(cell)
    return None
