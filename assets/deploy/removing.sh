#!/bin/sh
# Before the package is removed: nothing of it runs any more. Debian calls it with
# "remove", rpm with 0; an upgrade, which stops nothing, has "upgrade" or 1.
set -e
case $1 in
  remove | 0)
    if [ -d /run/systemd/system ]; then
      systemctl --quiet disable till-console.service till-backup.timer till-backup-file.timer \
        till-relay.service till-listen@.service till-listen@.socket
      systemctl stop till-console.service till-relay.service 'till-*.timer' 'till-listen@*.socket' 'till-listen@*.service'
    fi
    ;;
esac
