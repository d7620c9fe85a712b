"""Rules for `isolette.toml`, and for what must fit to it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pods

# For the program itself, its images, and what connections need: docs/kubernetes.md.
OF_SERVER = 512 << 20

# What a container may open where nothing was set, what the program itself has open, and what each guest has.
OPEN_FILES, FILES_OF_SERVER, FILES_OF_GUEST = 1024, 100, 4


def known_keys(root: Path) -> set[str]:
    """The keys of `[service]`, from the type that they are read into."""
    source = (root / "cli/src/config/service.rs").read_text()
    body = re.search(r"pub\(crate\) struct ServiceConfig \{(.*?)\n\}", source, re.S)
    assert body, "the type is there"
    keys = set(re.findall(r"^    pub\(crate\) (\w+):", body[1], re.M))
    assert {"http", "state", "drain"} <= keys, keys
    return keys


def guests(service: dict) -> int:
    return service.get("guests", 2048)


def seconds(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(s|m|h)", text).groups()
    return int(number) * {"s": 1, "m": 60, "h": 3600}[unit]


def violations(text: str, pod: dict, keys: set[str]) -> Iterator[str]:
    """What the settings of a server are not, in these pods."""
    config = tomllib.loads(text)
    service, sandbox = config["service"], config["sandbox"]
    unknown = sorted(service.keys() - keys)
    if unknown:
        yield from (f"`{key}` is no key of [service]" for key in unknown)
        return
    container = pod["containers"][0]
    ports = [port["containerPort"] for port in container["ports"]]
    if [int(service["http"].rsplit(":", 1)[1])] != ports:
        yield "`http` has another port than the container"
    sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    # Saving takes time, too.
    if sleep + 2 * seconds(service["drain"]) > pod["terminationGracePeriodSeconds"]:
        yield "terminationGracePeriodSeconds is not twice as long as `drain`, and the time before it"
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    mounts = {mount["mountPath"]: volumes.get(mount["name"], {}) for mount in container["volumeMounts"]}
    of_state = volume_of(service["state"], mounts)
    if "emptyDir" not in of_state:
        yield "`state` is in no temporary volume"
    elif pods.size(service["stored_bytes"]) >= pods.size(of_state["emptyDir"].get("sizeLimit", "0")):
        yield "`stored_bytes` is more than the volume of the state has"
    for key, place in {"snapshot_key": service["snapshot_key"], **service["tokens"]}.items():
        if not place.startswith("file:") or "secret" not in volume_of(place[5:], mounts):
            yield f"the secret `{key}` is in no Secret"
    memory, running = pods.size(sandbox["memory"]), service["concurrent_runs"]
    if OF_SERVER + running * memory + (guests(service) << 20) > pods.size(pods.limits(container).get("memory", "0")):
        yield "programs that run, and idle guests with a MiB each, exceed the limit of memory"
    if FILES_OF_SERVER + service["connections"] + FILES_OF_GUEST * guests(service) > OPEN_FILES:
        yield "guests and connections need more open files than a container has"
    stores = [variable["value"] for variable in container["env"] if variable["name"] == "SHARED_STORE"]
    if len(stores) != 1 or not stores[0].startswith(("s3://", "file:///")):
        yield "there is no shared store"
    elif stores[0].startswith("file://") and not volume_of(stores[0][7:], mounts):
        yield "the shared store is in no volume"


def volume_of(path: str, mounts: dict) -> dict:
    """The volume that has a path."""
    return next((volume for place, volume in mounts.items() if path.startswith(place.rstrip("/") + "/")), {})
