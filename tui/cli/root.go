// Package cli is the command line: the console, the webhook listener, the
// sandbox, and the commands for scripts. It guarantees that a command that
// prints data puts one JSON value on standard output when it is asked for
// JSON, and nothing else there; that messages go to standard error; that text
// from outside is cleaned before it is printed; and that neither the access
// token nor a webhook secret nor a signature is ever printed or logged.
//
// # Exit codes
//
//   - 0: done. With --wait: the order is paid, or a person marked it as paid.
//   - 1: failed. With --wait also: a success was seen but a person must look at
//     the order, or no event came until two minutes after the link's end, for
//     then nobody knows that it is unpaid.
//   - 2: wrong usage; nothing was done.
//   - 3: the payment service refused the order.
//   - 4: nobody knows whether the payment service has the order.
//   - 5: with --wait, the order ended unpaid.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"checkout/till/payments"
	"checkout/till/storage/settings"
)

// Process is what a run of the program has of the world.
type Process struct {
	Args     []string            // Without the program's name.
	Env      func(string) string // Reads an environment variable.
	In       io.Reader
	Out, Err io.Writer
	Now      payments.Clock
}

// App is one run of the program.
type App struct {
	Process
	root    *cobra.Command
	config  string // --config.
	started bool   // The command line was understood.
}

// Commands makes some of the program's commands.
type Commands func(a *App) []*cobra.Command

// Execute runs the command that the arguments name until it is done or ctx
// ends, and returns the exit code. console makes the command of no name, groups
// make the others.
func Execute(ctx context.Context, process Process, console func(a *App) *cobra.Command, groups ...Commands) int {
	a := &App{Process: process}
	a.root = console(a)
	a.prepare(a.root)
	for _, group := range groups {
		a.root.AddCommand(group(a)...)
	}
	a.root.SetArgs(append([]string{}, process.Args...))
	a.root.SetIn(process.In)
	a.root.SetOut(process.Out)
	a.root.SetErr(process.Err)
	command, err := a.root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	code := a.exitCode(err)
	a.Say("till: %s", payments.Clean(err.Error(), MaxMessage))
	if code == exitUsage {
		a.Say("%s --help says how", command.CommandPath())
	}
	return code
}

// prepare makes a command the root of all others.
func (a *App) prepare(root *cobra.Command) {
	// An empty text lets a double click open the console on Windows.
	cobra.MousetrapHelpText = ""
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRun = func(*cobra.Command, []string) { a.started = true }
	root.SetGlobalNormalizationFunc(normalized)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.Contains(err.Error(), "--access-token") || strings.Contains(err.Error(), "--webhook-secret") {
			return Misused("secrets have no flag, for a command line is visible to every user of the machine: " +
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
	root.AddCommand(a.versionCommand())
}

// normalized lets a flag be written with underscores, as in the settings file,
// and --language be short.
func normalized(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "lang" {
		name = "language"
	}
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// Given tells whether a setting stands on the command line.
func (a *App) Given(flag string) bool { return a.root.PersistentFlags().Changed(flag) }

// Settings loads the settings.
func (a *App) Settings() (settings.Settings, error) {
	flags := make(map[string]string)
	for _, key := range settings.Keys() {
		if !key.Secret && a.Given(key.Flag()) {
			flags[key.Name] = a.root.PersistentFlags().Lookup(key.Flag()).Value.String()
		}
	}
	loaded, err := settings.Load(settings.Sources{Path: a.config, Env: a.Env, Flags: flags})
	if unknown, ok := errors.AsType[*settings.UnknownKeyError](err); ok {
		if meant := nearestKey(unknown.Name); meant != "" {
			return loaded, fmt.Errorf("%w: did you mean %s?", err, meant)
		}
	}
	return withLanguage(loaded), err
}

// nearestKey returns the settings that may have been meant by a name.
func nearestKey(name string) string {
	keys := &cobra.Command{SuggestionsMinimumDistance: 3}
	for _, key := range settings.Keys() {
		keys.AddCommand(&cobra.Command{Use: key.Name, Run: func(*cobra.Command, []string) {}})
	}
	return strings.Join(keys.SuggestionsFor(strings.ReplaceAll(name, "-", "_")), " or ")
}

// NoArguments refuses arguments that are no flags, and says which command may
// have been meant.
func NoArguments(command *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	command.SuggestionsMinimumDistance = 2
	if meant := command.SuggestionsFor(arguments[0]); len(meant) > 0 {
		return Misused("there is no command %q: did you mean %s?", Shown(arguments[0]), strings.Join(meant, " or "))
	}
	return Misused("unknown argument %q", Shown(arguments[0]))
}

// Arguments demands one argument for each of the names.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, arguments []string) error {
		switch missing := names[min(len(arguments), len(names)):]; {
		case len(missing) == 1:
			return Misused("%s is missing", missing[0])
		case len(missing) > 1:
			return Misused("%s are missing", strings.Join(missing, " and "))
		case len(arguments) > len(names):
			return Misused("%s will do: what is %q?", strings.Join(names, " and "), Shown(arguments[len(names)]))
		}
		return nil
	}
}

// Group makes a command that only has others below it.
func Group(command *cobra.Command, below ...*cobra.Command) *cobra.Command {
	command.Args = NoArguments
	command.RunE = func(command *cobra.Command, _ []string) error {
		var names []string
		for _, below := range command.Commands() {
			names = append(names, below.Name())
		}
		return Misused("say what to do: %s", strings.Join(names, ", "))
	}
	command.AddCommand(below...)
	return command
}

// Complete has the shell offer the choices of a flag.
func Complete(command *cobra.Command, flag string, choices ...cobra.Completion) {
	if err := command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error()) // The command has no such flag, or two.
	}
}
