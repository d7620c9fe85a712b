"""Wrong changes to an overlay, each of which a rule has to notice."""

import copy
import re
from collections.abc import Callable
from pathlib import Path

import overlays

Kinds = dict[str, dict]


def pod(kinds: Kinds) -> dict:
    return kinds["Deployment"]["spec"]["template"]["spec"]


def container(kinds: Kinds) -> dict:
    return pod(kinds)["containers"][0]


def in_config(before: str, after: str) -> Callable[[Kinds], None]:
    def change(kinds: Kinds) -> None:
        data = kinds["ConfigMap"]["data"]
        assert before in data["isolette.toml"], before
        data["isolette.toml"] = data["isolette.toml"].replace(before, after)

    return change


def policy(kinds: Kinds) -> dict:
    return kinds["NetworkPolicy"]["spec"]


def scaler(kinds: Kinds) -> dict:
    return kinds["HorizontalPodAutoscaler"]["spec"]


# What is changed, and a part of the message about it.
CHANGES: list[tuple[str, Callable[[Kinds], object]]] = [
    ("unexpected", lambda kinds: container(kinds).update(imagePullPolice="Always")),
    ("unexpected", lambda kinds: kinds["Service"]["spec"].update(selectors={})),
    ("is not of type", lambda kinds: pod(kinds).update(enableServiceLinks="no")),
    ("runAsNonRoot", lambda kinds: pod(kinds)["securityContext"].pop("runAsNonRoot")),
    ("runAsUser", lambda kinds: container(kinds)["securityContext"].update(runAsUser=0)),
    ("seccomp", lambda kinds: pod(kinds)["securityContext"].pop("seccompProfile")),
    ("seccomp", lambda kinds: container(kinds)["securityContext"].update(seccompProfile={"type": "Unconfined"})),
    ("readOnlyRootFilesystem", lambda kinds: container(kinds)["securityContext"].pop("readOnlyRootFilesystem")),
    ("Escalation", lambda kinds: container(kinds)["securityContext"].update(allowPrivilegeEscalation=True)),
    ("privileged", lambda kinds: container(kinds)["securityContext"].update(privileged=True)),
    ("capabilities", lambda kinds: container(kinds)["securityContext"].pop("capabilities")),
    ("capabilities", lambda kinds: container(kinds)["securityContext"]["capabilities"].update(add=["SYS_PTRACE"])),
    ("token of Kubernetes", lambda kinds: pod(kinds).pop("automountServiceAccountToken")),
    ("hostNetwork", lambda kinds: pod(kinds).update(hostNetwork=True)),
    ("folder of the node", lambda kinds: pod(kinds)["volumes"][3].update(hostPath={"path": "/dev/kvm"})),
    ("no fixed tag", lambda kinds: container(kinds).update(image="isolette:latest")),
    ("no fixed tag", lambda kinds: container(kinds).update(image="registry.example.com:5000/isolette")),
    ("memory is not in limits", lambda kinds: container(kinds)["resources"]["limits"].pop("memory")),
    ("has no limit", lambda kinds: pod(kinds)["volumes"][3]["emptyDir"].clear()),
    ("ephemeral-storage", lambda kinds: pod(kinds)["volumes"][3]["emptyDir"].update(sizeLimit="1Ti")),
    ("can be written", lambda kinds: container(kinds)["volumeMounts"][1].update(readOnly=False)),
    ("has no volume", lambda kinds: container(kinds)["volumeMounts"][4].update(name="stat")),
    ("POD_IP", lambda kinds: container(kinds)["env"].remove(container(kinds)["env"][1])),
    ("placeholder", lambda kinds: container(kinds)["env"][0].update(value="s3://BUCKET/PREFIX")),
    ("secret in it", lambda kinds: container(kinds)["env"].append({"name": "AWS_SECRET_ACCESS_KEY", "value": "x"})),
    ("terminationGrace", lambda kinds: pod(kinds).update(terminationGracePeriodSeconds=60)),
    ("terminationGrace", in_config('"30s"', '"5m"')),
    ("no key of", in_config("guests", "guest")),
    ("another port", in_config(":7070", ":8080")),
    ("no temporary volume", in_config("/var/lib/isolette/state", "/srv/isolette")),
    ("stored_bytes", in_config("8GiB", "64GiB")),
    ("in no Secret", in_config("file:/run/isolette/tokens/agent", "env:AGENT")),
    ("limit of memory", in_config("128MiB", "1GiB")),
    ("open files", in_config("guests = 128", "guests = 200")),
    ("shared store", lambda kinds: container(kinds)["env"][0].update(value="bucket")),
    ("in no volume", lambda kinds: container(kinds)["env"][0].update(value="file:///store")),
    ("not about both", lambda kinds: policy(kinds).update(policyTypes=["Ingress"])),
    ("does not select", lambda kinds: policy(kinds)["podSelector"].update(matchLabels={"app": "isolette"})),
    ("permits all", lambda kinds: policy(kinds)["egress"].append({})),
    ("another pod reaches", lambda kinds: policy(kinds)["ingress"][0]["from"].append({"podSelector": {}})),
    ("namespace reaches", lambda kinds: policy(kinds)["ingress"][0]["from"].append({"namespaceSelector": {}})),
    ("replica does not reach", lambda kinds: policy(kinds)["ingress"][0]["from"].pop()),
    ("not reach another replica", lambda kinds: policy(kinds)["egress"].pop(0)),
    ("not reach name servers", lambda kinds: policy(kinds)["egress"].pop(1)),
    ("169.254.169.254", lambda kinds: policy(kinds)["egress"][2]["to"][0]["ipBlock"].pop("except")),
    ("Service does not select", lambda kinds: kinds["Service"]["spec"]["selector"].update(role="server")),
    ("PodDisruptionBudget does not", lambda kinds: kinds["PodDisruptionBudget"]["spec"].update(selector={"matchLabels": {}})),
    ("both set", lambda kinds: kinds["Deployment"]["spec"].update(replicas=3)),
    ("no metric", lambda kinds: scaler(kinds)["metrics"][0]["pods"]["metric"].update(name="isolette_queue_length")),
    ("never reaches", lambda kinds: scaler(kinds)["metrics"][0]["pods"]["target"].update(averageValue="8")),
    ("another Deployment", lambda kinds: scaler(kinds)["scaleTargetRef"].update(name="other")),
    ("no namespace", lambda kinds: kinds["Service"]["metadata"].pop("namespace")),
    ("another ConfigMap", lambda kinds: kinds["ConfigMap"]["metadata"].update(name="isolette-config")),
]


def unnoticed(documents: list[dict], root: Path) -> tuple[list[str], int]:
    """The changes that no rule notices, and how many were made."""
    found = []
    for number, (expected, change) in enumerate(CHANGES):
        changed = copy.deepcopy(documents)
        change({document["kind"]: document for document in changed})
        messages = list(overlays.violations(changed, root))
        if not any(expected in message for message in messages):
            found.append(f"change {number} ({expected}); the messages are {messages}")
    return found, len(CHANGES)


def matches(query: str, metric: str) -> bool:
    """Whether a query for series selects a metric by its name."""
    pattern = re.search(r'__name__=~"([^"]*)"', query)
    return pattern is not None and re.fullmatch(pattern[1], metric) is not None
