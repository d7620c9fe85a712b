import sqlite3

db = sqlite3.connect(":memory:")
db.row_factory = sqlite3.Row
db.executescript("""
create table customers (id integer primary key, name text not null unique);
create table orders (id integer primary key, customer integer references customers, amount real, day text);
insert into customers (name) values ('Ann'), ('Bob'), ('Cid');
""")
db.executemany("insert into orders (customer, amount, day) values (?, ?, ?)", [(1, 10.5, "2024-01-01"), (1, 4, "2024-02-01"), (2, 7.25, "2024-02-10")])
db.commit()
for row in db.execute("select name, count(o.id) n, coalesce(sum(amount), 0) total from customers c left join orders o on o.customer = c.id group by c.id order by total desc"):
    print(dict(row), row["n"], tuple(row))
try:
    with db:
        db.execute("insert into customers (name) values ('Dan')")
        db.execute("insert into customers (name) values ('Ann')")
except sqlite3.IntegrityError as error:
    print(error)
print(db.execute("select count(*) from customers").fetchone()[0], db.execute("select strftime('%Y-%m', day) m, sum(amount) from orders group by m").fetchall()[0]["m"])
db.create_function("double", 1, lambda x: x * 2)
print([tuple(r) for r in db.execute("with recursive n(x) as (select 1 union all select x + 1 from n where x < 5) select x, double(x), sum(x) over (order by x) from n")])
print(tuple(db.execute("select json_extract('{\"a\":[1,2]}', '$.a[1]'), upper('x'), date('2024-01-31', '+1 month'), typeof(1.0), 5 / 2, 5 % 3, 'a' || 'b', null is null, round(2.5), instr('abc', 'c'), printf('%05d', 42), total(1)").fetchone()))
cur = db.execute("update orders set amount = amount + 1 where customer = :c", {"c": 1})
print(cur.rowcount, cur.lastrowid is None, [d[0] for d in db.execute("select * from orders").description], db.total_changes)
for bad in ["select * from nope", "selec", "insert into orders values (1)"]:
    try:
        db.execute(bad)
    except sqlite3.Error as error:
        print(type(error).__name__, error)
class Std:
    def __init__(self): self.v = []
    def step(self, x): self.v.append(x)
    def finalize(self): return max(self.v) - min(self.v)
db.create_aggregate("spread", 1, Std)
print(db.execute("select spread(amount) from orders").fetchone()[0], len(list(db.iterdump())), db.in_transaction)
