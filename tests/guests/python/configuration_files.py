"""`configparser`, `tomllib`, `shlex`, `argparse`, `getopt`."""

import argparse
import configparser
import getopt
import io
import shlex
import tomllib

config = configparser.ConfigParser()
config.read_string("[DEFAULT]\nroot = /srv\n[web]\nport = 8080\ndebug = yes\npath = %(root)s/www\n; comment\n")
print(
    config.sections(),
    config["web"].getint("port"),
    config.getboolean("web", "debug"),
    config["web"]["path"],
    config.get("web", "none", fallback="-"),
)
config["new"] = {"a": "1"}
out = io.StringIO()
config.write(out)
print("[new]" in out.getvalue())
try:
    config["nowhere"]
except KeyError as error:
    print("KeyError", error)
document = tomllib.loads("""
title = "T"
[owner]
born = 1979-05-27T07:32:00Z
ports = [8000, 8001]
ratio = 1e-2
nested = { x = true }
[[items]]
n = 1
[[items]]
n = 2
""")
print(
    document["title"],
    document["owner"]["born"].year,
    document["owner"]["ports"],
    document["items"],
    document["owner"]["nested"],
)
try:
    tomllib.loads("a = ")
except tomllib.TOMLDecodeError as error:
    print("TOMLDecodeError")
print(shlex.split("cp 'a file' \"b c\" d\\ e # note", comments=True), shlex.quote("it's"), shlex.join(["a b", "c"]))
parser = argparse.ArgumentParser(prog="tool", description="Does things.")
parser.add_argument("files", nargs="+")
parser.add_argument("-n", "--count", type=int, default=1)
parser.add_argument("--mode", choices=["fast", "slow"], required=True)
parser.add_argument("-v", action="count", default=0)
print(parser.parse_args(["a", "b", "-n", "3", "--mode=fast", "-vv"]))
sub = argparse.ArgumentParser(prog="git", exit_on_error=False)
commands = sub.add_subparsers(dest="command")
commands.add_parser("add").add_argument("path")
print(sub.parse_args(["add", "x"]))
print(getopt.getopt(["-a", "1", "--long", "rest"], "a:", ["long"]))
