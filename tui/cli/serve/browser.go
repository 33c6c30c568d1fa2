package serve

import "os/exec"

// browser returns what opens a page in this machine's browser; nil where nobody
// would see it: over SSH, or without a display. The link is one argument of a
// program, and no shell reads it.
func browser(system string, env func(string) string) func(link string) error {
	var command []string
	switch {
	case env("SSH_CONNECTION") != "" || env("SSH_TTY") != "":
		return nil
	case system == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		command = []string{"open"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		command = []string{"xdg-open"}
	default:
		return nil
	}
	return func(link string) error {
		opened := exec.Command(command[0], append(command[1:], link)...) //nolint:gosec,noctx // A checked link; the page outlives the console.
		if err := opened.Start(); err != nil {
			return err
		}
		go func() { _ = opened.Wait() }() // The browser tells nobody how it ended.
		return nil
	}
}
