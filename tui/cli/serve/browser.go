package serve

import "os/exec"

// browser returns what opens a page in this machine's browser; nil where nobody
// would see it.
func browser(system string, env func(string) string) func(link string) error {
	command := browserCommand(system, env)
	if command == nil {
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

// browserCommand is the program that opens a page, whose last argument is the link:
// no shell reads it. There is none over SSH or without a display.
func browserCommand(system string, env func(string) string) []string {
	switch {
	case env("SSH_CONNECTION") != "" || env("SSH_TTY") != "":
		return nil
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		return []string{"open"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open"}
	}
	return nil
}
