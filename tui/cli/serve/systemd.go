package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"checkout/till/tui/cli"
)

// handedSocket returns the socket that systemd bound and handed over
// (LISTEN_FDS), nil when there is none. Between two runs of the program nobody
// else can listen there then.
func (a *app) handedSocket() (net.Listener, error) {
	const first = 3 // After standard error.
	if a.Env("LISTEN_PID") != strconv.Itoa(os.Getpid()) || a.Env("LISTEN_FDS") != "1" {
		return nil, nil
	}
	file := os.NewFile(first, "LISTEN_FDS")
	defer func() { _ = file.Close() }() // The listener has a descriptor of its own.
	return net.FileListener(file)
}

// notifySystemd returns a part that tells systemd (Type=notify) that the
// listener at url takes requests. A unit with WatchdogSec is told so again
// twice in that time, each time after the listener answered a request.
func notifySystemd(url string) cli.Part {
	return func(ctx context.Context) error {
		if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
			return fmt.Errorf("notify systemd: %w", err)
		}
		limit, err := daemon.SdWatchdogEnabled(false)
		if err != nil {
			return fmt.Errorf("read WATCHDOG_USEC: %w", err)
		}
		if limit == 0 {
			<-ctx.Done()
			return nil
		}
		beat := time.NewTicker(limit / 2)
		defer beat.Stop()
		for {
			if answers(ctx, url, limit/2) {
				_, _ = daemon.SdNotify(false, daemon.SdNotifyWatchdog)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-beat.C:
			}
		}
	}
}

// answers tells whether a server replies within a time, whatever it replies.
func answers(ctx context.Context, url string, within time.Duration) bool {
	client := http.Client{Timeout: within}
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
	if err != nil {
		return false
	}
	request.Close = true
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return true
}
