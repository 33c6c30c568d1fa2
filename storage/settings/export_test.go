package settings

// Places returns the default paths on a system, such as windows.
func Places(system string, env func(string) string) Files { return places(system, env) }
