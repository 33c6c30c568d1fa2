// Package cli is the base of the command line: its root command, and what the commands in the
// packages serve, order and admin share. The command line guarantees:
//
//   - With --json a command prints only JSON to standard output: one value, or for "till sandbox"
//     one value in each line.
//   - Messages go to standard error.
//   - Text from outside is cleaned before it is printed.
//   - The shop's access token, webhook secrets and signatures are never printed or logged.
//
// # Exit codes
//
//   - 0: done. With --wait: the order is paid, or a person marked it as paid.
//   - 1: failed. With --wait also: a success event came, but a person must check the order.
//     Or no event came until two minutes after the link's end; the order may still be paid.
//   - 2: wrong usage; the command did nothing.
//   - 3: the payment service refused the order.
//   - 4: it is unknown whether the payment service has the order, or whether the change is stored.
//   - 5: with --wait, the order ended unpaid.
package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/storage/settings"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/errortext"
)

// App is one run of the program. The caller sets the fields from Args to Now. [Execute] sets the
// other fields, except those that only tests set.
type App struct {
	Args     []string // Arguments without the program's name.
	Env      func(string) string
	Environ  []string // All environment variables, as "NAME=value".
	In       io.Reader
	Out, Err io.Writer
	Now      payments.Clock
	Texts    i18n.Texts
	Language string
	// Number of PBKDF2 rounds for new PINs, or 0 for the default. Only tests set it.
	PINRounds int
	// How often a relay stores what "relay list" shows, or 0 for the default. Only tests set it.
	RecordEvery time.Duration

	root    *cobra.Command
	lines   *bufio.Reader
	config  string
	asJSON  bool
	started bool // Whether the command line was parsed successfully.
}

// Execute runs the command in a.Args and returns the exit code. console returns the root command,
// which opens the console; groups return its subcommands.
func Execute(
	ctx context.Context, a *App, console func(a *App) *cobra.Command, groups ...func(a *App) []*cobra.Command,
) int {
	a.lines = bufio.NewReader(a.In)
	a.chooseLanguage()
	a.root = console(a)
	a.root.AddCommand(a.versionCommand(), &cobra.Command{Use: "man", Hidden: true, RunE: a.printManual}, a.doctorCommand())
	for _, group := range groups {
		a.root.AddCommand(group(a)...)
	}
	a.prepare()
	command, err := a.root.ExecuteContextC(ctx)
	if err == nil {
		return int(errortext.Done)
	}
	code := a.exitCode(err)
	a.Say("till: %s", clean.Text(a.Explain(err), MaxMessage))
	if code == errortext.Usage {
		_, _ = fmt.Fprintln(a.Err, wrapped(a.Err, a.Texts.Shell.SaysHow.With(command.CommandPath()))) // The help needs no --config.
	}
	return int(code)
}

func (a *App) prepare() {
	root := a.root
	root.SetArgs(append([]string{}, a.Args...))
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRun = a.noteStart
	root.SetFlagErrorFunc(a.flagError)
	root.SetGlobalNormalizationFunc(flagName)
	root.Version = Version() // Cobra prints it for the flag --version.
	root.SetVersionTemplate(newVersionJSON().text() + "\n")
	root.Flags().Bool("version", false, "")
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
		a.complete(root, key.Flag(), key.Choices()...)
	}
	topic := &cobra.Command{Use: "flags"} // A help topic: the command has no action.
	topic.SetHelpFunc(func(topic *cobra.Command, _ []string) {
		a.Tell("%s\n\n%s", topic.Long, strings.TrimRight(flags.FlagUsagesWrapped(a.Columns()), "\n"))
	})
	root.AddCommand(topic)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Long = "" // Cobra's text is in English.
	a.Group(completion)
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, arguments []string) error {
		if found, rest, err := root.Find(arguments); err != nil || found.HasSubCommands() {
			return cmp.Or(err, a.checkArguments(found, rest))
		}
		return nil
	}
	a.translate(root)
	a.groupCommands()
	root.SetUsageFunc(a.usage)
}

// groupCommands groups the commands in the help by the people who need them. A command that is not
// listed below belongs to the owner.
func (a *App) groupCommands() {
	words := a.Texts.Shell
	for _, group := range []*cobra.Group{
		{ID: "sell", Title: words.Sell}, {ID: "owner", Title: words.Owner}, {ID: "server", Title: words.Server}, {ID: "developer", Title: words.Developer},
	} {
		a.root.AddGroup(group)
	}
	groups := map[string]string{
		"sell":      "account cash demo display order receipt refund",
		"server":    "database health listen relay",
		"developer": "completion help man sandbox trigger version",
	}
	for _, command := range a.root.Commands() {
		command.GroupID = "owner"
		for id, names := range groups {
			if slices.Contains(strings.Fields(names), command.Name()) {
				command.GroupID = id
			}
		}
	}
}

// usage prints how to use a command: its commands and flags. Flags of settings are left out.
func (a *App) usage(command *cobra.Command) error {
	const names = 14 // Columns before the description of a command.
	words, styles := a.Texts.Shell, theme.ForTerminal(a.Out, a.Env, theme.Auto)
	rows := []string{styles.Strong.Render(words.Usage), "  " + command.UseLine() + " " + words.Options}
	if command.Example != "" {
		rows = append(rows, "", styles.Strong.Render(words.Examples), command.Example)
	}
	groups := command.Groups()
	if len(groups) == 0 && command.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: words.Commands}}
	}
	for _, group := range groups {
		rows = append(rows, "", styles.Strong.Render(group.Title))
		for _, found := range command.Commands() {
			if found.IsAvailableCommand() && found.GroupID == group.ID {
				name := theme.AlignLeft("  "+styles.Accent.Render(found.Name()), names)
				rows = append(rows, theme.Hang(name, found.Short, a.Columns())...)
			}
		}
	}
	if flags := command.LocalNonPersistentFlags().FlagUsagesWrapped(a.Columns()); flags != "" {
		rows = append(rows, "", styles.Strong.Render(words.Flags), strings.TrimRight(flags, "\n"))
	}
	rows = append(rows, "", words.Global+" till help flags")
	_, err := fmt.Fprintln(command.OutOrStderr(), strings.Join(rows, "\n"))
	return err
}

// noteStart records that the command line is valid, and warns about each unknown TILL_ variable.
func (a *App) noteStart(*cobra.Command, []string) {
	a.started = true
	unknown := settings.UnknownVariables(a.Environ)
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		a.Say("till: %s", a.meant(a.Texts.Shell.NoVariable.With(name), unknown[name]))
	}
}

// flagName accepts --base_url, the spelling of the settings file, and --lang for --language.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "lang" {
		name = "language"
	}
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// Given reports whether the command line has the flag of a setting.
func (a *App) Given(flag string) bool { return a.root.PersistentFlags().Changed(flag) }

// Settings loads the settings from the command line, the environment and the file.
func (a *App) Settings() (settings.Settings, error) {
	flags := map[string]string{}
	a.root.PersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Changed {
			flags[strings.ReplaceAll(flag.Name, "-", "_")] = flag.Value.String()
		}
	})
	return settings.Load(settings.Sources{Path: a.config, Env: a.Env, Flags: flags})
}

// SettingsFile opens the settings file for changes.
func (a *App) SettingsFile() (*settings.File, error) {
	return settings.Edit(settings.Sources{Path: a.config, Env: a.Env})
}

func (a *App) flagError(command *cobra.Command, err error) error {
	words := a.Texts.Shell
	if said, ok := errors.AsType[*codeError](err); ok {
		return said
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		if name == "access-token" || name == "webhook-secret" {
			return Misused("secrets have no flag, for a command line is visible to every user of the machine: " +
				"use the environment or the settings file")
		}
		if unknown.GetSpecifiedShortnames() != "" {
			return Misused("%s", words.UnknownFlag.With("-"+CleanLabel(name)))
		}
		var known []string
		command.Flags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Name) })
		meant := settings.Nearest(name, known)
		if meant != "" {
			meant = "--" + meant
		}
		return Misused("%s", a.meant(words.UnknownFlag.With("--"+CleanLabel(name)), meant))
	}
	if lone, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Misused("%s", words.NoValue.With("--"+lone.GetFlag().Name))
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := wrong.GetFlag()
		examples := map[string]string{"bool": "true", "duration": "90s", "durationSlice": "1s,5s", "float64": "0.5", "int": "50", "int64": "9000"}
		return Misused("%s", words.FlagValue.With("--"+flag.Name, CleanLabel(wrong.GetValue()), examples[flag.Value.Type()]))
	}
	return err
}

// checkArguments compares the arguments with the names in the command's usage line. A name in
// brackets is optional; a last name with three dots takes any number of arguments. A blank argument
// for a name is an error: it probably comes from an empty variable of a script.
func (a *App) checkArguments(command *cobra.Command, arguments []string) error {
	words, names := a.Texts.Shell, strings.Fields(command.Use)[1:]
	blank := slices.IndexFunc(arguments, func(argument string) bool { return CleanLabel(argument) == "" })
	switch {
	case blank >= 0 && blank < len(names):
		return Misused("%s", words.Missing.With(strings.Trim(names[blank], "[].")))
	case len(arguments) < len(names) && names[len(arguments)][0] != '[':
		missing := slices.DeleteFunc(names[len(arguments):], func(name string) bool { return name[0] == '[' })
		return Misused("%s", words.Missing.With(strings.Join(missing, ", ")))
	case len(arguments) <= len(names), strings.HasSuffix(command.Use, "...]"), a.endsWithAmount(names, arguments):
		return nil
	case len(names) > 0:
		return Misused("%s", words.TooMany.With(strings.Trim(strings.Join(names, ", "), "[]"), CleanLabel(arguments[len(names)])))
	}
	command.SuggestionsMinimumDistance = 2
	if meant := command.SuggestionsFor(arguments[0]); len(meant) > 0 {
		return Misused("%s", words.NoCommand.With(CleanLabel(arguments[0]), strings.Join(meant, ", ")))
	}
	return Misused("%s", words.Unknown.With(CleanLabel(arguments[0])))
}

// endsWithAmount reports whether the last argument that a command has is an amount, and was typed
// with blanks, such as 50 000.
func (a *App) endsWithAmount(names, arguments []string) bool {
	last := len(names) - 1
	if last < 0 || names[last] != a.Argument("AMOUNT") {
		return false
	}
	_, err := money.ParseAriary(strings.Join(arguments[last:], " "))
	return err == nil
}

// OneOf returns an error unless value is blank or one of the choices. name is the flag or the
// argument.
func (a *App) OneOf(name, value string, choices []string) error {
	if value == "" || slices.Contains(choices, value) {
		return nil
	}
	return Misused("%s", a.Texts.Shell.NoneOf.With(name, CleanLabel(value), strings.Join(choices, ", ")))
}

// Group adds subcommands to a command that has no action itself, and returns the command.
func (a *App) Group(command *cobra.Command, below ...*cobra.Command) *cobra.Command {
	command.Args = a.checkArguments
	command.RunE = a.sayCommands
	command.AddCommand(below...)
	return command
}

func (a *App) sayCommands(command *cobra.Command, _ []string) error {
	var names []string
	for _, below := range command.Commands() {
		names = append(names, below.Name())
	}
	return Misused("%s", a.Texts.Shell.WhatToDo.With(strings.Join(names, ", ")))
}

// Choice adds a flag that accepts only the choices and stores the chosen one in value. A choice may
// be "value\tdescription", for the shell's completion.
func (a *App) Choice(command *cobra.Command, value *string, flag, usage string, choices ...cobra.Completion) {
	names := make([]string, len(choices))
	for i, choice := range choices {
		names[i], _, _ = strings.Cut(choice, "\t")
	}
	command.Flags().Func(flag, cmp.Or(usage, strings.Join(names, ", ")), func(text string) error {
		*value = text
		return a.OneOf("--"+flag, text, names)
	})
	a.complete(command, flag, choices...)
}

// complete sets the shell's completion for the value of a flag. Without choices, the shell
// completes file names.
func (a *App) complete(command *cobra.Command, flag string, choices ...cobra.Completion) {
	if len(choices) == 0 {
		return
	}
	if err := command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error()) // Fails only for a missing flag or a second registration.
	}
}

// Argument returns the name of an argument in the till's language, as the help shows it.
func (a *App) Argument(name string) string { return cmp.Or(a.Texts.Help[name], name) }

// translate sets the texts of a command, its flags and its subcommands in the till's language.
func (a *App) translate(command *cobra.Command) {
	command.DisableFlagsInUseLine = true // The usage template adds "[flags]" in the till's language.
	if command.Args == nil {
		command.Args = a.checkArguments
	}
	name := strings.TrimPrefix(command.CommandPath(), "till ")
	for _, argument := range strings.Fields(command.Use)[1:] {
		argument = strings.Trim(argument, "[].")
		command.Use = strings.Replace(command.Use, argument, a.Argument(argument), 1)
	}
	if text := a.Texts.Help[name]; text != "" {
		command.Short, _, _ = strings.Cut(text, "\n")
		if command.Long == "" || command.Short != text {
			command.Long = text
		}
	}
	command.Long = reflowed(a.Out, command.Long)
	command.Flags().BoolP("help", "h", false, "") // Otherwise cobra would add this flag with an English text.
	// command.LocalFlags would copy the flags of all settings into each command.
	for _, flags := range []*pflag.FlagSet{command.Flags(), command.PersistentFlags()} {
		flags.VisitAll(func(flag *pflag.Flag) {
			if text := cmp.Or(a.Texts.Help[name+" --"+flag.Name], a.Texts.Help["--"+flag.Name]); text != "" {
				flag.Usage = strings.TrimSpace(text + " " + flag.Usage)
			}
			// pflag counts bytes, and would begin the text after an argument like RÔLE too far left.
			argument, _ := pflag.UnquoteUsage(flag)
			flag.Usage = strings.Repeat(" ", len(argument)-utf8.RuneCountInString(argument)) + flag.Usage
		})
	}
	for _, below := range command.Commands() {
		a.translate(below)
	}
}
