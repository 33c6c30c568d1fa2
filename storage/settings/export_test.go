package settings

// Places lets tests see where files lie on other systems.
func Places(system string, env func(string) string) Files { return places(system, env) }
