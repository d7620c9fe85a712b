"""What a NetworkPolicy permits, computed as a network would: who reaches the server, and what the server reaches."""

import ipaddress
from collections.abc import Iterator

NAMESPACE = {"kubernetes.io/metadata.name": "isolette"}
OTHER = {"kubernetes.io/metadata.name": "other"}
SYSTEM = {"kubernetes.io/metadata.name": "kube-system"}


def selects(selector: dict | None, labels: dict) -> bool:
    """Whether a selector with `matchLabels` alone selects something with these labels."""
    assert set(selector or {}) <= {"matchLabels"}, "other selectors are not computed"
    return (selector or {}).get("matchLabels", {}).items() <= labels.items()


def permits(rules: list[dict], peers: str, pod: dict, namespace: dict, port: int) -> bool:
    """Whether one of the rules permits a pod with these labels, in a namespace with these."""
    return any(
        any(number["port"] == port for number in rule["ports"])
        and any(
            "ipBlock" not in peer
            and selects(peer.get("podSelector"), pod)
            and ("namespaceSelector" in peer or namespace == NAMESPACE)
            and selects(peer.get("namespaceSelector"), namespace)
            for peer in rule[peers]
        )
        for rule in rules
    )


def permits_address(rules: list[dict], address: str, port: int) -> bool:
    """Whether one of the rules permits an address outside of the cluster."""
    wanted = ipaddress.ip_address(address)
    blocks = [
        peer["ipBlock"]
        for rule in rules
        if any(number["port"] == port for number in rule["ports"])
        for peer in rule["to"]
        if "ipBlock" in peer
    ]
    return any(
        wanted in ipaddress.ip_network(block["cidr"])
        and not any(wanted in ipaddress.ip_network(part) for part in block.get("except", []))
        for block in blocks
    )


def violations(policy: dict, labels: dict, port: int) -> Iterator[str]:
    """What a policy for pods with these labels, which listen on this port, is not."""
    spec = policy["spec"]
    if set(spec.get("policyTypes", [])) != {"Ingress", "Egress"}:
        yield "it is not about both directions"
    if not selects(spec["podSelector"], labels):
        yield "it does not select the pods"
    ingress, egress = spec.get("ingress", []), spec.get("egress", [])
    if not all(rule.get("from") and rule.get("ports") for rule in ingress):
        yield "a rule for ingress has no peers or ports, so it permits all"
        return
    if not all(rule.get("to") and rule.get("ports") for rule in egress):
        yield "a rule for egress has no peers or ports, so it permits all"
        return
    caller, monitor = {"app": "agent", "isolette-caller": "true"}, {"app": "prometheus"}
    for who, pod, namespace, expected in (
        ("a caller", caller, NAMESPACE, True),
        ("a pod of a namespace of callers", monitor, OTHER | {"isolette-callers": "true"}, True),
        ("another replica", labels, NAMESPACE, True),
        ("another pod", {"app": "agent"}, NAMESPACE, False),
        ("a pod of another namespace", caller, OTHER, False),
    ):
        if permits(ingress, "from", pod, namespace, port) != expected:
            yield f"{who} {'does not reach' if expected else 'reaches'} the server"
    for what, pod, namespace, number, expected in (
        ("another replica", labels, NAMESPACE, port, True),
        ("name servers", {"k8s-app": "kube-dns"}, SYSTEM, 53, True),
        ("pods of the system", {"k8s-app": "metrics-server"}, SYSTEM, 443, False),
        ("other pods", {"app": "agent"}, NAMESPACE, port, False),
    ):
        if permits(egress, "to", pod, namespace, number) != expected:
            yield f"the server {'does not reach' if expected else 'reaches'} {what}"
    for address in ("169.254.169.254", "10.0.0.1", "172.20.0.1", "192.168.1.1", "100.100.100.200"):
        if permits_address(egress, address, 443) or permits_address(egress, address, 80):
            yield f"the server reaches {address}"
