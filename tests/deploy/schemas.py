"""Compares documents with the schemas of a version of Kubernetes: unknown fields are errors."""

import kubernetes_validate

# Versions whose schemas all documents must match: the oldest with everything that they use, and the newest that is known.
VERSIONS = ["1.30", "1.37"]

# Kinds of others, which Kubernetes has no schemas for: the fields of their specifications, read from agent-sandbox v0.5.6
# and from v1 of PodMonitor.
FIELDS = {
    "PodMonitor": {"selector", "podMetricsEndpoints"},
    "SandboxClaim": {"warmPoolRef", "lifecycle", "additionalPodMetadata", "env", "volumeClaimTemplates"},
    "SandboxTemplate": {
        "podTemplate",
        "volumeClaimTemplates",
        "service",
        "networkPolicy",
        "networkPolicyManagement",
        "envVarsInjectionPolicy",
        "volumeClaimTemplatesPolicy",
    },
    "SandboxWarmPool": {"replicas", "sandboxTemplateRef", "updateStrategy"},
}
VERSION_OF_OTHERS = {
    "PodMonitor": "monitoring.coreos.com/v1",
    "SandboxClaim": "extensions.agents.x-k8s.io/v1beta1",
    "SandboxTemplate": "extensions.agents.x-k8s.io/v1beta1",
    "SandboxWarmPool": "extensions.agents.x-k8s.io/v1beta1",
}


def errors(document: dict) -> list[str]:
    """What is wrong with a document."""
    kind = document.get("kind", "")
    if kind in FIELDS:
        return of_others(kind, document)
    return of_kubernetes(document)


def of_kubernetes(document: dict) -> list[str]:
    found = []
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except (
            kubernetes_validate.ValidationError,
            kubernetes_validate.SchemaNotFoundError,
            kubernetes_validate.InvalidSchemaError,
        ) as error:
            message = getattr(error, "message", error)
            found.append(f"{name(document)}: not of Kubernetes {version}: {message}")
    return found


def of_others(kind: str, document: dict) -> list[str]:
    found = []
    if document.get("apiVersion") != VERSION_OF_OTHERS[kind]:
        found.append(f"{name(document)}: apiVersion is not {VERSION_OF_OTHERS[kind]}")
    spec = document.get("spec", {})
    found += [f"{name(document)}: unknown field {field}" for field in sorted(spec.keys() - FIELDS[kind])]
    if "podTemplate" in spec:
        found += of_kubernetes({"apiVersion": "v1", "kind": "Pod"} | spec["podTemplate"])
    if "networkPolicy" in spec:
        policy = spec["networkPolicy"] | {"podSelector": {}}
        named = {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "spec": policy}
        found += of_kubernetes(named)
    for claim in spec.get("volumeClaimTemplates", []):
        found += of_kubernetes({"apiVersion": "v1", "kind": "PersistentVolumeClaim"} | claim)
    return found


def name(document: dict) -> str:
    """A document in messages."""
    return f"{document.get('kind')}/{document.get('metadata', {}).get('name')}"
