// Package admin contains the commands for a shop's owner or operator, such as those for settings,
// reports, closings, cashiers, articles and databases.
package admin

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments/catalog"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/relay"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/setup"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/errortext"
)

type app struct{ *cli.App }

// Commands returns the commands of this package, for [cli.Execute].
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	return []*cobra.Command{
		{Use: "setup", RunE: made.setUp},
		made.reportCommand(), made.closeCommand(), made.exportCommand(), made.receiptCommand(), made.cashierCommand(),
		a.Group(&cobra.Command{Use: "catalog"}, made.catalogImportCommand(),
			a.JSON(&cobra.Command{Use: "export [FILE]", RunE: a.InShop(made.exportCatalog)})),
		made.reconcileCommand(), made.backupCommand(), made.restoreCommand(), made.verifyCommand(), made.databaseCommand(), made.guideCommand(),
	}
}

func (a *app) setUp(command *cobra.Command, _ []string) error {
	file, err := a.SettingsFile()
	if err != nil {
		return err
	}
	if !cli.IsTerminal(a.In) || !cli.IsTerminal(a.Out) || a.Env("TERM") == "dumb" {
		return cli.Misused("%s", a.Texts.Setup.Terminal.With(a.UnderHome(file.Path)))
	}
	former := file.List(webhookSecret)
	answers, err := a.askSettings(command.Context(), file)
	if err != nil {
		return err
	}
	if answers[setup.Way] == setup.ByServer && file.Get(webhookPath) == "" {
		delete(answers, webhookPath) // The suggested path is for a listener on this machine.
	}
	// A secret or the database keeps its value if the answer is blank.
	for _, key := range settings.Keys() {
		value, asked := answers[key.Name]
		value = strings.TrimSpace(value)
		hidden := key.Secret || key.Name == "database"
		if asked && (value != "" || !hidden) && (value != key.Default || file.Get(key.Name) != "") {
			file.Set(key.Name, value)
		}
	}
	if answers[setup.Way] == setup.ByServer {
		file.Set("listen", "") // Another server receives the webhooks.
	}
	if answers[setup.Way] != setup.ByRelay {
		file.Set("relay", "")
		file.Set("relay_key", "")
	}
	kept, err := a.keepSecret(command.Context(), file, former)
	if err != nil {
		return err
	}
	if err := file.Save(); err != nil {
		return err
	}
	a.Advise(a.Texts.Setup.Written.With(a.UnderHome(file.Path)))
	if kept {
		a.Advise("\n" + a.Texts.Setup.ComeBack.With(i18n.Clock(a.Now().Add(time.Hour).Local())))
	}
	return a.afterSetup(command, answers)
}

const (
	webhookSecret = "webhook_secret"
	webhookPath   = "webhook_path"
	shopName      = "shop"
)

// keepSecret asks whether to remove the earlier webhook secret. With both secrets, no webhook is
// refused while the merchant area still has the old one.
func (a *app) keepSecret(ctx context.Context, file *settings.File, former []string) (kept bool, err error) {
	words := a.Texts.Setup
	current := file.Get(webhookSecret)
	question := words.DropOld
	switch {
	case len(former) > 0 && current != "" && current != former[0]:
		question = words.DropFormer
		file.SetList(webhookSecret, current, former[0])
	case len(former) < 2:
		return false, nil
	}
	drop, err := a.Agrees(ctx, "\n"+question)
	if err == nil && drop {
		file.SetList(webhookSecret, current)
	}
	return !drop, err
}

func (a *app) askSettings(ctx context.Context, file *settings.File) (map[string]string, error) {
	config := setup.Config{
		Texts: a.Texts, Theme: theme.ForTerminal(a.Out, a.Env, theme.Mode(cmp.Or(a.Env("TILL_THEME"), file.Get("theme")))),
		File: a.UnderHome(file.Path), Answers: map[string]string{}, Secrets: map[string]bool{}, Check: a.checkAnswer, Load: a.useLanguage, Now: a.Now,
	}
	for _, key := range settings.Keys() {
		value := file.Get(key.Name)
		if key.Secret || storage.CheckVisible(value) != nil {
			config.Secrets[key.Name] = value != "" || a.Env(key.Env()) != "" || a.Env(key.Env()+"_FILE") != ""
			continue
		}
		config.Answers[key.Name] = cmp.Or(value, key.Default)
	}
	if file.Get("base_url") == "" && file.Get(webhookPath) == "" { // A new shop gets a secret path.
		config.Answers[webhookPath] += "/" + strings.ToLower(rand.Text())[:16] // 16 characters of base32: 80 random bits.
	}
	config.Answers["language"] = a.Language
	config.Answers[setup.RelayAddress] = file.Get("relay")
	if file.Get("base_url") != "" && file.Get("relay") == "" && file.Get("relay_key") == "" { // A failed pairing leaves only the key.
		config.Answers[setup.Way] = setup.ByProxy
	}
	if storage.IsPostgres(file.Get("database")) && file.Get("listen") == "" {
		config.Answers[setup.Way] = setup.ByServer
	}
	config.Prepare = keyboard.Prepare(a.Out, config.Theme.Adapts())
	config.Keyboard = keyboard.NewReader(a.In, a.Now)
	program := tea.NewProgram(setup.New(config), tea.WithAltScreen(), tea.WithContext(ctx), tea.WithInput(keyboard.Raw(a.In)), tea.WithOutput(a.Out))
	last, err := config.Keyboard.Drive(ctx, program)
	if form, ok := last.(setup.Model); err == nil && ok && form.Confirmed {
		return form.Answers, nil
	}
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("show the form: %w", err)
	}
	return nil, errors.New(a.Texts.Setup.NotWritten)
}

func (a *app) useLanguage(code string) i18n.Texts {
	a.Texts, a.Language = i18n.Load(code), code
	return a.Texts
}

func (a *app) checkAnswer(name, answer string) error {
	var err error
	switch {
	case answer == "" && name == shopName && a.Env("TILL_SHOP") == "":
		err = errors.New(a.Texts.Setup.NoShop)
	case answer == "" && slices.Contains([]string{"public_url", setup.Catalogue, setup.RelayAddress, setup.RelayRecovery}, name):
		return nil
	case name == setup.RelayCode:
		return nil // The code works only once, so do not try it here.
	case name == setup.RelayRecovery:
		_, err = relay.KeyOf(answer)
	case name == setup.RelayAddress:
		err = settings.Check("base_url", cli.RelayURL(answer))
	case name == setup.Catalogue && answer == "-": // "-" would mean standard input.
		err = errors.New(a.Texts.Shell.NoFile.With(answer))
	case name == setup.Catalogue:
		var table catalog.Table
		if table, err = a.readTable(settings.ExpandHome(answer, a.Env)); err == nil && len(table.Plan(nil).Faults) > 0 {
			err = errors.New(a.lineText(table.Plan(nil).Faults[0]))
		}
	case name == "database" && (!storage.IsPostgres(answer) || storage.CheckVisible(answer) != nil):
		_, about, _ := strings.Cut(a.Texts.Asked[name], "\n")
		err = errors.New(about)
	default:
		err = settings.Check(name, answer)
	}
	if err == nil {
		return nil
	}
	return errors.New(errortext.Sentence(clean.Text(a.Problem(err), cli.MaxMessage)))
}

func (a *app) afterSetup(command *cobra.Command, answers map[string]string) error {
	loaded, err := a.Settings()
	if err != nil {
		return err
	}
	run := func(arguments ...string) error {
		root := command.Root()
		root.SetArgs(arguments)
		return root.ExecuteContext(command.Context())
	}
	if path := strings.TrimSpace(answers[setup.Catalogue]); path != "" {
		if err := run("catalog", "import", "--", settings.ExpandHome(path, a.Env)); err != nil {
			return err
		}
	}
	words, webhook := a.Texts.Setup, loaded.Webhook
	address := cmp.Or(webhook.PublicURL, "https://…")
	switch way := answers[setup.Way]; way {
	case setup.ByRelay:
		if err := a.joinRelay(command.Context(), loaded, answers); err != nil {
			return err
		}
	case setup.ByNone:
		a.Advise("\n" + words.DoNone)
		return nil
	case setup.ByServer:
		a.Advise("\n" + words.DoServer)
	default:
		does, chapter := words.DoProxy, "**A web server"
		if way == setup.ByTunnel {
			does, chapter = words.DoTunnel, "**A tunnel"
		}
		a.Advise(fmt.Sprintf("\n%s\n\n%s", does, wayIn(chapter, address, webhook)))
		a.Tell("\n%s\n\n    %s", words.Merchant, address+webhook.Path)
		a.Tell("\n%s\n\n    %s/success\n    %[2]s/canceled\n    %[2]s/failed", words.Returns, address)
	}
	for {
		agreed, err := a.Agrees(command.Context(), "\n"+words.Check)
		if err != nil || !agreed {
			a.Advise("\n" + words.Doctor)
			return err
		}
		if err = run("doctor"); err == nil {
			break
		}
		a.Tell("\n%s", err)
	}
	const firstAmount money.Ariary = 100
	agreed, err := a.Agrees(command.Context(), "\n"+words.FirstOne.With(i18n.Money(firstAmount)))
	if err != nil || !agreed {
		return err
	}
	err = run("order", "create", "--item", fmt.Sprintf("%s:%d", words.Item, firstAmount), "--qr", "--wait")
	if err == nil {
		a.Advise(fmt.Sprintf("\n%s\n\n%s", words.Ready, words.Owners))
	}
	return err
}

// joinRelay pairs the till with the relay that the answers name. A till that is already paired with
// this relay needs no pairing code.
func (a *app) joinRelay(ctx context.Context, loaded settings.Settings, answers map[string]string) error {
	address, code := strings.TrimSpace(answers[setup.RelayAddress]), strings.TrimSpace(answers[setup.RelayCode])
	if paired := loaded.Webhook.Relay; code == "" && paired != "" && (address == "" || address == paired) {
		return nil
	}
	recovery := strings.TrimSpace(answers[setup.RelayRecovery])
	err := a.JoinRelay(ctx, loaded, address, code, recovery)
	if err != nil {
		later := a.Texts.Setup.JoinLater.With(address)
		if recovery != "" {
			later += " --recover" // The recovery code is not stored, so the suggested command asks for it again.
		}
		a.Tell("\n%s", later) // Not wrapped: a command is copied whole.
	}
	return err
}

// wayIn returns the commands of a chapter of the operator's guide, with the shop's addresses.
func wayIn(chapter, address string, webhook settings.Webhook) string {
	guide, _ := assets.Files.ReadFile("docs/en/operator.md") // Cannot fail: the guide is embedded.
	_, text, _ := strings.Cut(string(guide), chapter)
	_, text, _ = strings.Cut(text, "```\n")
	text, _, _ = strings.Cut(text, "\n```")
	return "    " + strings.NewReplacer("shop.example.mg", strings.TrimPrefix(address, "https://"), "/webhook", webhook.Path,
		"127.0.0.1:8788", webhook.Listen, "\n", "\n    ").Replace(text)
}
