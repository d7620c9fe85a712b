"""Renders every overlay of `deploy/`, and checks it and the examples. Exits with status 77 where that is not possible.

    python check.py ROOT
"""

import sys
from pathlib import Path

import negative
import overlays
import pods
import rendering
import schemas

OVERLAYS = ["objects", "directory", "kvm", "local"]

# Values of a chart: no document of Kubernetes.
VALUES = {"prometheus-adapter.yaml"}


def main() -> int:
    root = Path(sys.argv[1])
    folder = root / "deploy"
    found = {path.parent.name for path in folder.glob("overlays/*/kustomization.yaml")}
    assert found == set(OVERLAYS), f"overlays that are not checked: {found ^ set(OVERLAYS)}"
    violations, count = [], 0
    for overlay in OVERLAYS:
        documents = rendering.render(folder / "overlays" / overlay)
        count += len(documents)
        violations += [f"{overlay}: {violation}" for violation in overlays.violations(documents, root)]
    for path in sorted(folder.glob("examples/*.yaml")):
        for document in [] if path.name in VALUES else rendering.read(path):
            count += 1
            broken = [*schemas.errors(document), *pods.violations(document)]
            violations += [f"examples/{path.name}: {violation}" for violation in broken]
    rules = rendering.read(folder / "examples/prometheus-adapter.yaml")[0]["rules"]["custom"]
    for metric in ("isolette_runs_live", "isolette_guests_live"):
        if not any(negative.matches(rule["seriesQuery"], metric) for rule in rules):
            violations.append(f"no rule of the adapter has {metric}")
    for violation in violations:
        print(violation)
    print(f"{count} documents, {len(violations)} violations")
    if violations:
        return 1
    # Changes of what is right: elsewhere they would prove nothing.
    unnoticed, tried = negative.unnoticed(rendering.render(folder / "overlays/objects"), root)
    for what in unnoticed:
        print(f"the rules do not notice: {what}")
    print(f"{tried - len(unnoticed)} of {tried} wrong changes noticed")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except rendering.Missing as missing:
        print(missing)
        sys.exit(77)
