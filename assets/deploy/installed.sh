#!/bin/sh
# After the package is installed or upgraded: the user of the console, its home, the
# units. Listeners are restarted: their sockets keep the port open meanwhile. A console
# may be in the middle of a sale, so it has the new version when it is opened again.
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers till.conf
  systemd-tmpfiles --create till.conf
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart 'till-listen@*.service' till-relay.service
fi
