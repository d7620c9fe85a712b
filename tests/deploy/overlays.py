"""Rules for all documents of an overlay together."""

import re
from collections.abc import Iterator
from pathlib import Path

import networks
import pods
import settings
from schemas import errors, name


def known_metrics(root: Path) -> set[str]:
    """The metrics of the service, from the tables of the documents."""
    text = "".join((root / "docs" / page).read_text() for page in ("audit.md", "pools.md"))
    metrics = set(re.findall(r"^\| `(isolette_\w+)` \|", text, re.M))
    assert "isolette_runs_live" in metrics, metrics
    # Those of `isolette mcp` are not in the service.
    return {metric for metric in metrics if not metric.startswith("isolette_mcp_")}


def violations(documents: list[dict], root: Path) -> Iterator[str]:
    """What an overlay is not."""
    for document in documents:
        yield from errors(document)
        for violation in pods.violations(document):
            yield f"{name(document)}: {violation}"
        if document["kind"] == "Secret":
            yield f"{name(document)}: secrets are no part of an overlay"
        if document["metadata"].get("namespace") != "isolette":
            yield f"{name(document)}: it has no namespace"
    kinds = {document["kind"]: document for document in documents}
    deployment = kinds["Deployment"]
    template = deployment["spec"]["template"]
    labels, pod = template["metadata"]["labels"], template["spec"]
    container = pod["containers"][0]
    port = container["ports"][0]
    for kind, selector in (
        ("Deployment", deployment["spec"]["selector"]["matchLabels"]),
        ("Service", kinds["Service"]["spec"]["selector"]),
        ("PodDisruptionBudget", kinds.get("PodDisruptionBudget", deployment)["spec"]["selector"]["matchLabels"]),
        *(("topologySpreadConstraints", spread["labelSelector"]["matchLabels"])
          for spread in pod["topologySpreadConstraints"]),
    ):
        if not selector or not selector.items() <= labels.items():
            yield f"{kind} does not select the pods"
    if kinds["Service"]["spec"]["ports"][0]["targetPort"] != port["name"]:
        yield "Service has another port than the container"
    if "PodDisruptionBudget" not in kinds and deployment["spec"].get("replicas") != 1:
        yield "there is no PodDisruptionBudget"
    for violation in networks.violations(kinds["NetworkPolicy"], labels, port["containerPort"]):
        yield f"NetworkPolicy: {violation}"
    config = kinds["ConfigMap"]
    named = [volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume]
    if named != [config["metadata"]["name"]]:
        yield "the pods have another ConfigMap"
    text = config["data"]["isolette.toml"]
    yield from settings.violations(text, pod, settings.known_keys(root))
    if "HorizontalPodAutoscaler" in kinds:
        yield from of_autoscaler(kinds["HorizontalPodAutoscaler"]["spec"], deployment, text, known_metrics(root))


def of_autoscaler(scaler: dict, deployment: dict, text: str, metrics: set[str]) -> Iterator[str]:
    if "replicas" in deployment["spec"]:
        yield "the Deployment and the autoscaler both set the number of replicas"
    if scaler["scaleTargetRef"]["name"] != deployment["metadata"]["name"]:
        yield "the autoscaler is for another Deployment"
    service = settings.tomllib.loads(text)["service"]
    limit = {"isolette_runs_live": service.get("concurrent_runs", 16), "isolette_guests_live": settings.guests(service)}
    for entry in scaler["metrics"]:
        metric, target = entry["pods"]["metric"]["name"], entry["pods"]["target"]["averageValue"]
        if metric not in metrics:
            yield f"the service has no metric {metric}"
        elif metric in limit and int(target) >= limit[metric]:
            yield f"{metric} never reaches {target}"
