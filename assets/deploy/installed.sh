#!/bin/sh
# After the package is installed: the user of the console, its home, the units.
set -e
command -v systemd-sysusers >/dev/null || exit 0
systemd-sysusers till.conf
systemd-tmpfiles --create till.conf
[ ! -d /run/systemd/system ] || systemctl daemon-reload
