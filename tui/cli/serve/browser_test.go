package serve_test

import (
	"strings"
	"testing"

	"checkout/till/tui/cli/serve"
)

func TestAPageIsOpenedOnlyWithADesktop(t *testing.T) {
	for _, tt := range []struct{ name, system, set, want string }{
		{"a desktop", "linux", "DISPLAY", "xdg-open"},
		{"Wayland", "freebsd", "WAYLAND_DISPLAY", "xdg-open"},
		{"no display", "linux", "", ""},
		{"Windows", "windows", "", "rundll32 url.dll,FileProtocolHandler"},
		{"macOS", "darwin", "", "open"},
		{"over SSH", "darwin", "SSH_CONNECTION", ""},
		{"over SSH with a terminal", "windows", "SSH_TTY", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := func(name string) string { return map[string]string{tt.set: "set"}[name] }
			if got := strings.Join(serve.BrowserCommand(tt.system, env), " "); got != tt.want {
				t.Errorf("got command %q, want %q", got, tt.want)
			}
		})
	}
}
