package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"checkout/till/assets"
)

type versionJSON struct {
	Version string `json:"version"` // Usually contains the commit, unless the program is a release.
	Go      string `json:"go"`
	System  string `json:"system"`
}

// Version returns the program's version from the build information, or "(devel)" if it has none.
func Version() string {
	const unreleased = "(devel)"
	build, known := debug.ReadBuildInfo()
	if !known {
		return unreleased
	}
	return cmp.Or(build.Main.Version, unreleased)
}

func newVersionJSON() versionJSON {
	return versionJSON{Version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func (v versionJSON) text() string { return fmt.Sprintf("till %s (%s, %s)", v.Version, v.Go, v.System) }

func (a *App) versionCommand() *cobra.Command {
	var licenses bool
	command := a.JSON(&cobra.Command{Use: "version"})
	command.RunE = func(*cobra.Command, []string) error {
		if !licenses {
			version := newVersionJSON()
			return a.Print(version, version.text())
		}
		text, err := assets.Files.ReadFile("notices.txt")
		if err == nil {
			_, err = a.Out.Write(text)
		}
		return err
	}
	command.Flags().BoolVar(&licenses, "licenses", false, "")
	return command
}

func (a *App) printManual(command *cobra.Command, _ []string) error {
	page, err := mango.NewManPage(1, command.Root()) // Section 1 of the manual is for user commands.
	if err != nil {
		return fmt.Errorf("make the manual page: %w", err)
	}
	page.WithSection(a.Texts.Shell.ExitHead, a.Texts.Shell.ExitCodes)
	a.Tell("%s", page.Build(roff.NewDocument()))
	return nil
}
