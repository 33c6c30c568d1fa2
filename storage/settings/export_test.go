package settings

// Places lets tests see the default paths on other systems.
func Places(system string, env func(string) string) Files { return places(system, env) }
