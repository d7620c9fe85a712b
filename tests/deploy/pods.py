"""Rules for pods, wherever they are described."""

import re
from collections.abc import Iterator


def of(document: dict) -> dict | None:
    """The description of the pods of a document."""
    spec = document.get("spec", {})
    template = {"Deployment": "template", "SandboxTemplate": "podTemplate"}.get(document.get("kind", ""))
    return spec.get(template, {}).get("spec") if template else None


def violations(document: dict) -> Iterator[str]:
    """What the pods of a document are not."""
    pod = of(document)
    if pod is None:
        return
    if pod.get("automountServiceAccountToken") is not False:
        yield "pods get a token of Kubernetes"
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(key):
            yield f"{key} is set"
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    for claim in document["spec"].get("volumeClaimTemplates", []):
        volumes[claim["metadata"]["name"]] = {"persistentVolumeClaim": {}}
    containers = pod.get("containers", []) + pod.get("initContainers", [])
    for container in containers:
        for violation in of_container(pod, container, volumes):
            yield f"container {container.get('name')}: {violation}"
    used = {mount["name"] for container in containers for mount in container.get("volumeMounts", [])}
    for name, volume in volumes.items():
        if name not in used:
            yield f"volume {name} is not mounted"
        if "hostPath" in volume:
            yield f"volume {name} is a folder of the node"
        if "emptyDir" in volume and "sizeLimit" not in volume["emptyDir"]:
            yield f"volume {name} has no limit"
    temporary = sum(size(v["emptyDir"].get("sizeLimit", "0")) for v in volumes.values() if "emptyDir" in v)
    allowed = sum(size(limits(container).get("ephemeral-storage", "0")) for container in containers)
    if temporary > allowed:
        yield "the limits of temporary volumes exceed that of ephemeral-storage"


def of_container(pod: dict, container: dict, volumes: dict) -> Iterator[str]:
    security = pod.get("securityContext", {}) | container.get("securityContext", {})
    for key in ("runAsNonRoot", "readOnlyRootFilesystem"):
        if security.get(key) is not True:
            yield f"{key} is not true"
    for key in ("runAsUser", "runAsGroup"):
        if not isinstance(security.get(key), int) or security[key] < 10000:
            yield f"{key} is no number above those of the system"
    if security.get("allowPrivilegeEscalation") is not False:
        yield "allowPrivilegeEscalation is not false"
    if security.get("privileged"):
        yield "it is privileged"
    capabilities = security.get("capabilities", {})
    if capabilities.get("drop") != ["ALL"] or capabilities.get("add"):
        yield "it has capabilities"
    if security.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
        yield "it has no seccomp profile"
    image = container.get("image", "")
    if not re.search(r"(:[\w.-]+|@sha256:[0-9a-f]{64})$", image) or image.endswith(":latest"):
        yield f"image {image} has no fixed tag"
    for resource in ("cpu", "memory", "ephemeral-storage"):
        for kind in ("requests", "limits"):
            if resource not in container.get("resources", {}).get(kind, {}):
                yield f"{resource} is not in {kind}"
    yield from of_mounts(container, volumes)
    yield from of_variables(container)


def of_mounts(container: dict, volumes: dict) -> Iterator[str]:
    for mount in container.get("volumeMounts", []):
        volume = volumes.get(mount["name"])
        if volume is None:
            yield f"mount {mount['name']} has no volume"
        elif ("secret" in volume or "configMap" in volume) and not mount.get("readOnly"):
            yield f"mount {mount['name']} can be written to"


def of_variables(container: dict) -> Iterator[str]:
    known = {variable["name"]: variable for variable in container.get("env", [])}
    for argument in container.get("args", []):
        for name in re.findall(r"\$\((\w+)\)", argument):
            if name not in known:
                yield f"the variable {name} of {argument} is not set"
    for name, variable in known.items():
        if "BUCKET" in variable.get("value", ""):
            yield f"the variable {name} has a placeholder"
        if re.search(r"KEY|SECRET|TOKEN|PASSWORD", name) and "value" in variable:
            yield f"the variable {name} has a secret in it"


def limits(container: dict) -> dict:
    return container.get("resources", {}).get("limits", {})


def size(text: str | int) -> int:
    """A quantity of bytes: `4Gi`, `4GiB`."""
    number, unit = re.fullmatch(r"(\d+)(?:([KMGT])i)?B?", str(text)).groups()
    return int(number) << {None: 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]
