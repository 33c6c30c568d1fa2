package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"checkout/till/storage/settings"
)

// prepare makes a command the root of all others.
func (a *app) prepare(root *cobra.Command) {
	// An empty text lets a double click open the console on Windows.
	cobra.MousetrapHelpText = ""
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRun = func(*cobra.Command, []string) { a.started = true }
	root.SetGlobalNormalizationFunc(normalized)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.Contains(err.Error(), "--access-token") || strings.Contains(err.Error(), "--webhook-secret") {
			return misused("secrets have no flag, for a command line is visible to every user of the machine: " +
				"use the environment or the settings file")
		}
		return err
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "", "settings file (default: config.toml in the folder till of the user's settings)")
	for _, key := range settings.Keys() {
		if key.Secret {
			continue
		}
		usage := key.Usage
		if key.Default != "" {
			usage += " (default " + key.Default + ")"
		}
		flags.String(key.Flag(), "", usage)
		if key.Switch {
			flags.Lookup(key.Flag()).NoOptDefVal = "on"
		}
	}
	root.AddCommand(
		a.demoCommand(), a.displayCommand(), a.listenCommand(), a.sandboxCommand(), a.triggerCommand(),
		a.orderCommand(), a.reportCommand(), a.cashierCommand(), a.closeCommand(), a.catalogCommand(), a.backupCommand(), a.verifyCommand(), a.databaseCommand(), a.versionCommand(),
	)
}

// normalized lets a flag be written with underscores, as in the settings file,
// and --language be short.
func normalized(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "lang" {
		name = "language"
	}
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// given tells whether a setting stands on the command line.
func (a *app) given(flag string) bool { return a.root.PersistentFlags().Changed(flag) }

// settings loads the settings.
func (a *app) settings() (settings.Settings, error) {
	flags := make(map[string]string)
	for _, key := range settings.Keys() {
		if !key.Secret && a.given(key.Flag()) {
			flags[key.Name] = a.root.PersistentFlags().Lookup(key.Flag()).Value.String()
		}
	}
	loaded, err := settings.Load(settings.Sources{Path: a.config, Env: a.Env, Flags: flags})
	if unknown, ok := errors.AsType[*settings.UnknownKeyError](err); ok {
		if meant := nearestKey(unknown.Name); meant != "" {
			return loaded, fmt.Errorf("%w: did you mean %s?", err, meant)
		}
	}
	return loaded, err
}

// nearestKey returns the settings that may have been meant by a name.
func nearestKey(name string) string {
	keys := &cobra.Command{SuggestionsMinimumDistance: 3}
	for _, key := range settings.Keys() {
		keys.AddCommand(&cobra.Command{Use: key.Name, Run: func(*cobra.Command, []string) {}})
	}
	return strings.Join(keys.SuggestionsFor(strings.ReplaceAll(name, "-", "_")), " or ")
}

// noArguments refuses arguments that are no flags, and says which command may
// have been meant.
func noArguments(command *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	command.SuggestionsMinimumDistance = 2
	if meant := command.SuggestionsFor(arguments[0]); len(meant) > 0 {
		return misused("there is no command %q: did you mean %s?", shown(arguments[0]), strings.Join(meant, " or "))
	}
	return misused("unknown argument %q", shown(arguments[0]))
}

// oneArgument demands one argument, which is called name.
func oneArgument(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, arguments []string) error {
		switch {
		case len(arguments) == 0:
			return misused("%s is missing", name)
		case len(arguments) > 1:
			return misused("one %s is enough: what is %q?", name, shown(arguments[1]))
		}
		return nil
	}
}

// twoArguments demands two arguments, which are called by the names.
func twoArguments(first, second string) cobra.PositionalArgs {
	return func(_ *cobra.Command, arguments []string) error {
		switch len(arguments) {
		case 0:
			return misused("%s and %s are missing", first, second)
		case 1:
			return misused("%s is missing", second)
		case 2:
			return nil
		}
		return misused("%s and %s are enough: what is %q?", first, second, shown(arguments[2]))
	}
}
