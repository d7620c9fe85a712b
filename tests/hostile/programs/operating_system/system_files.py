# What Linux shows of itself.
# expect: contained

import os

paths = ["/proc/self/environ", "/proc/self/maps", "/proc/1/cmdline", "/dev/mem", "/dev/kvm", "/dev/zero", "/etc/passwd",
         "/etc/hostname", "/sys/kernel", "/root/.ssh/id_rsa", "/var/run/docker.sock", "/host", "//etc/passwd"]
seen = []
for path in paths:
    try:
        open(path, "rb").read(10)
        seen.append(path)
    except OSError:
        pass
result = "contained" if not seen and sorted(set(os.listdir("/")) - {"input", "output", "tmp"}) == [] else seen
