#!/bin/sh
# After the package is removed. The shop's data in /var/lib/till stays.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
