package serve

// BrowserCommand lets tests see the command that opens a page.
func BrowserCommand(system string, env func(string) string) []string {
	return browserCommand(system, env)
}
