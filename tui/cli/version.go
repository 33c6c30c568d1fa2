package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionJSON is what the program says of itself.
type versionJSON struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func (a *App) versionCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use:  "version",
		Args: a.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			version := newVersion()
			return a.Print(version, fmt.Sprintf("till %s %s (%s, %s)", version.Version, version.Commit, version.Go, version.System))
		},
	})
}

// newVersion reads what the Go tool noted when it built the program.
func newVersion() versionJSON {
	version := versionJSON{
		Version: "(devel)", Commit: "unknown", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, known := debug.ReadBuildInfo()
	if !known {
		return version
	}
	if build.Main.Version != "" {
		version.Version = build.Main.Version
	}
	modified := ""
	for _, setting := range build.Settings {
		switch {
		case setting.Key == "vcs.revision":
			version.Commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = "+changes"
		}
	}
	version.Commit += modified
	return version
}
