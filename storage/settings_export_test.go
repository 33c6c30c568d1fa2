package storage

// Places lets tests see where files lie on other systems.
func Places(system string, env func(string) string) Files { return places(system, env) }

// ReadText lets tests read the text of a settings file without a disk.
func ReadText(text string) (Settings, error) {
	var settings Settings
	err := settings.readText("config.toml", text)
	return settings, err
}
