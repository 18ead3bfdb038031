"""Read /sys and the places where daemons keep their state."""

import os

PLACES = (
    *("/sys", "/sys/class/net", "/sys/fs/cgroup", "/sys/kernel/security", "/sys/devices/system/cpu/online"),
    *("/run", "/var/run", "/var/log", "/var/lib/dpkg/status", "/boot", "/etc/machine-id", "/etc/hostname"),
)


def attack():
    for path in PLACES:
        try:
            return f"listed {path}: {os.listdir(path)[:3]}"
        except OSError:
            pass
        try:
            return f"read {path}: {open(path, 'rb').read(40)!r}"
        except OSError:
            continue
