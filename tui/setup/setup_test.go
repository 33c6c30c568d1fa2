package setup_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/setup"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

const secret = "whsec_demo_0123456789abcdef"

// ask starts the form with initial answers. kept contains the names of the secrets that are already
// stored.
func ask(t *testing.T, language string, styles theme.Theme, began map[string]string, kept ...string) *tuitest.Driver {
	t.Helper()
	texts := i18n.Load(language)
	clock := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	config := setup.Config{
		Texts: texts, Load: i18n.Load, Theme: styles, File: "~/.config/till/config.toml",
		Answers: map[string]string{"language": language, "till": "T1", setup.Way: setup.ByProxy, "listen": "127.0.0.1:8788", "webhook_path": "/webhook/kx4f", "signature_header": "x-svc-signature"},
		Secrets: map[string]bool{"access_token": false, "webhook_secret": false},
		Now:     func() time.Time { return clock },
		Check: func(name, answer string) error {
			if name == setup.Catalogue && answer == "lost.csv" {
				return errors.New("there is no file lost.csv")
			}
			blank := []string{"shop", "public_url", setup.Catalogue, setup.RelayRecovery}
			if name == "webhook_secret" && len(answer) < 16 || answer == "" && !slices.Contains(blank, name) {
				return errors.New(texts.Rules["secret"])
			}
			return nil
		},
	}
	maps.Copy(config.Answers, began)
	for _, name := range kept {
		config.Secrets[name] = true
	}
	driver := tuitest.Drive(t, setup.New(config), 80, 24)
	driver.Tap = func(keys ...tea.KeyMsg) {
		for _, key := range keys {
			driver.Send(key)
			clock = clock.Add(keyboard.Repeat)
			driver.Send(keyboard.Quiet{}, keyboard.Quiet{}) // After this, the key was handled, and the form shows the next step.
		}
	}
	return driver
}

func english(t *testing.T, began map[string]string, kept ...string) *tuitest.Driver {
	t.Helper()
	return ask(t, "en", theme.Plain(), began, kept...)
}

// account answers the steps that come before the question [setup.Way].
func account(d *tuitest.Driver) *tuitest.Driver {
	d.Press("enter").Sees("The shop's name").Type("Chez Rado").Press("enter", "enter")
	return d.Sees("base URL").Type("https://pay.example.mg").Press("enter").Type("TGP_fake").Press("enter")
}

func confirmed(t *testing.T, d *tuitest.Driver) map[string]string {
	t.Helper()
	form, ok := d.Model().(setup.Model)
	if !ok || !d.Quit() || !form.Confirmed {
		t.Fatalf("the form was not confirmed\n%s", d.Screen())
	}
	return form.Answers
}

func TestTheFirstStepShowsWhatEachLanguageChanges(t *testing.T) {
	d := english(t, nil).Sees("The language of till", "the customer sees", "Ticket T1-000001").Fits()
	d.Press("down").Sees("The language of till", "le client voit").Fits()
}

func TestTheQuestionsDependOnTheWayIn(t *testing.T) {
	const way, events, address, server, articles = "Not yet", "Webhook secret", "Public address", "Address of the database", "Table of articles"
	const relay = "Pairing code"
	for _, tt := range []struct {
		name string
		down int
		asks []string
		of   string
	}{
		{setup.ByRelay, -1, []string{events, relay, articles}, "of 8"},
		{setup.ByProxy, 0, []string{events, address, articles}, "of 8"},
		{setup.ByTunnel, 1, []string{events, address, articles}, "of 8"},
		{setup.ByServer, 2, []string{server, articles}, "of 7"},
		{setup.ByNone, 3, []string{events, articles}, "of 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := account(english(t, nil)).Sees(way)
			if tt.down < 0 {
				d.Press("up")
			}
			d.Press(slices.Repeat([]string{"down"}, max(0, tt.down))...).Press("enter")
			for _, asked := range tt.asks {
				d.Sees(asked, tt.of)
				switch asked {
				case events:
					d.Type(secret).Press("enter", "enter", "enter")
				case relay:
					d.Type("relay.example.mg").Press("enter").Type("ABCDE23456").Press("enter", "enter")
				case address:
					d.Press("enter", "enter", "enter")
				case server:
					d.Type("postgres://till@server/shop").Press("enter")
				case articles:
					d.Press("enter")
				}
			}
			d.Sees("Enter writes ~/.config/till/config.toml").Lacks(secret, "TGP_fake").Press("enter")
			tuitest.Equal(t, confirmed(t, d)[setup.Way], tt.name, "the way")
		})
	}
}

func TestTheUsualNameOfATillIsNotAppendedTo(t *testing.T) {
	named := func(d *tuitest.Driver) string {
		account(d).Press("down", "down", "down", "enter").Sees("Webhook secret").Type(secret).Press("enter", "enter", "enter", "enter", "enter")
		return confirmed(t, d)["till"]
	}
	tuitest.Equal(t, named(english(t, nil)), "T1", "the till's name after Enter alone")
	d := english(t, nil).Press("enter").Type("Chez Rado").Press("enter").Sees("T1").Type("K2").Lacks("T1K2").Sees("K2").Press("enter").Sees("base URL")
	d.Press("esc").Sees("Chez Rado", "K2").Lacks("T1K2").Press("esc")
	form, _ := d.Model().(setup.Model)
	tuitest.Equal(t, form.Answers["till"], "K2", "the typed name")
}

func TestAnswersOfAnAbandonedWayAreDropped(t *testing.T) {
	d := account(english(t, nil)).Press("down", "down", "enter").Sees("Address of the database").Type(secret).Press("esc")
	d.Sees("Not yet").Press("down", "enter").Sees("Webhook secret").Type(secret).Press("enter").Sees("header").Press("enter", "enter").Sees("Table of articles").Press("enter", "enter")
	tuitest.Equal(t, confirmed(t, d)["database"], "", "the database")
}

func TestCtrlCDiscardsAnswersOnlyTheSecondTime(t *testing.T) {
	const asks = "your answers are lost"
	d := account(english(t, nil)).Press("ctrl+c").Sees("Not yet", asks).Press("down").Sees("Not yet").Lacks(asks)
	d.Press("ctrl+c").Sees(asks).Press("up").Press("ctrl+c", "ctrl+c")
	if !d.Quit() || d.Model().(setup.Model).Confirmed {
		t.Error("the form did not end, or was confirmed")
	}
	if d = english(t, nil).Press("ctrl+c"); !d.Quit() {
		t.Error("Ctrl+C asks although no answer was given")
	}
}

func TestEscGoesBackAndLeavesAtTheFirstStep(t *testing.T) {
	d := account(english(t, nil)).Sees("Not yet").Press("esc").Sees("base URL", "https://pay.example.mg", "********").Lacks("TGP_fake")
	d.Press("ctrl+u", "esc").Sees("Chez Rado").Press("esc").Sees("Français") // Esc also leaves a step with an invalid answer.
	if d.Press("esc", "esc"); !d.Quit() || d.Model().(setup.Model).Confirmed {
		t.Error("the form did not end, or was confirmed")
	}
}

func TestTheFormUsesTheChosenLanguage(t *testing.T) {
	d := english(t, nil).Press("down", "enter").Sees("Nom de la boutique", "Étape 2 sur 8")
	d.Press("esc", "down", "enter").Sees("Anaran'ny fivarotana")
}

func TestTheStepsAreARail(t *testing.T) {
	d := account(english(t, nil)).Sees("✓ Your shop", "› The way in", "○ Ready to write").Press("esc", "esc")
	d.Sees("› Your shop", "the customer sees", "CHEZ RADO", "Ticket T1-000001")
	d.Resize(50, 24).Sees("Your shop", "the customer sees", "Ticket T1-000001").Lacks("Ready to write").Fits()
}

// A receipt has the letters and digits of the till's name, so the receipt in the form has them, too.
func TestTheReceiptInTheFormHasTheNumberOfARealOne(t *testing.T) {
	english(t, map[string]string{"shop": "Rado", "till": "Caisse 1!"}).Press("enter").Sees("› Caisse 1!", "Ticket CAISSE1-000001").Lacks("Caisse 1!-000001")
}

func TestTheFormIsInTheMiddleOfALargeWindow(t *testing.T) {
	rows := strings.Split(english(t, nil).Resize(200, 60).Fits().View(), "\n")
	above := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Set up till") })
	tuitest.Equal(t, [2]int{above, strings.Index(rows[above], "╭")}, [2]int{22, 44}, "the row and column of the form")
}

func TestEnterKeepsExistingValues(t *testing.T) {
	d := english(t, map[string]string{"base_url": "https://pay.example.mg", "shop": "Chez Rado"}, "access_token", "webhook_secret")
	d.Press("enter").Sees("Chez Rado", "T1").Press("enter", "ctrl+u").Type("T2").Press("enter")
	d.Sees("https://pay.example.mg", "unchanged: Enter keeps it").Press("enter", "enter", "enter")
	d.Sees("unchanged: Enter keeps it", "proves").Press("enter", "enter", "enter").Press("enter", "enter", "enter").Press("enter", "enter")
	if got := confirmed(t, d); got["till"] != "T2" || got["access_token"] != "" || got["webhook_secret"] != "" || got["shop"] != "Chez Rado" {
		t.Errorf("got the answers %v", got)
	}
}

// A person who types fast presses the next key before the form has moved to the next field.
func TestTextTypedRightAfterEnterIsInTheNextField(t *testing.T) {
	d := english(t, nil).Press("enter").Type("Chez Rado")
	d.Send(tea.KeyMsg{Type: tea.KeyEnter}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("7")}, keyboard.Quiet{})
	d.Sees("Chez Rado", "Ticket 7-").Lacks("Rado7")
}

func TestAnInvalidAnswerStaysOnItsStep(t *testing.T) {
	d := account(english(t, nil)).Press("enter", "enter").Sees("16 characters or more", "Step 5").Lacks("Public address")
	d.Paste(secret+"\n").Lacks("16 characters", secret).Press("enter", "enter", "enter").Sees("Public address")
}

// The field hides its text. If it kept a wrong secret, a person would type the right secret after
// it.
func TestAnInvalidSecretClearsItsField(t *testing.T) {
	d := account(english(t, nil)).Press("enter").Type("secret").Sees("******").Press("enter").Sees("16 characters or more").Lacks("*")
	d.Paste(secret).Press("enter", "enter", "enter").Sees("Public address").Press("enter", "enter", "enter").Press("enter", "enter")
	tuitest.Equal(t, confirmed(t, d)["webhook_secret"], secret, "the secret")
}

// Esc opens the step again, with the secret that was typed before. The secret is hidden, so a
// person who corrects it types the whole secret again.
func TestTypingIntoAFilledSecretReplacesIt(t *testing.T) {
	d := account(english(t, nil)).Press("enter").Type("whsec_demo_with_a_mistake").Press("enter", "enter", "enter").Sees("Public address")
	d.Press("esc").Sees("*****").Type(secret).Press("enter", "enter", "enter").Sees("Public address")
	d.Press("enter", "enter", "enter").Press("enter", "enter")
	tuitest.Equal(t, confirmed(t, d)["webhook_secret"], secret, "the secret")
}

func TestAMissingFileStaysOnItsStepUntilCorrected(t *testing.T) {
	d := account(english(t, nil)).Sees("Not yet").Press("down", "down", "down", "enter").Type(secret).Press("enter", "enter", "enter")
	d.Sees("Table of articles").Type("lost.csv").Press("enter").Sees("! there is no file lost.csv", "› lost.csv")
	d.Press("ctrl+u").Lacks("there is no file").Press("enter").Sees("Enter writes")
}

func TestTheFormTakesThePaletteOfTheTerminal(t *testing.T) {
	styles := theme.Full(theme.Auto)
	styles.Colours = 1 << 24
	d := ask(t, "en", styles, nil).Send(keyboard.Colours{Background: 1}).Press("enter")
	if want := ask(t, "en", theme.Full(theme.Light), nil).Press("enter").View(); d.Sees("The shop's name").View() != want {
		t.Errorf("got\n%q\nwant\n%q", d.View(), want)
	}
}

func TestTheFormLooksAsItDid(t *testing.T) {
	events := func(d *tuitest.Driver) *tuitest.Driver { return d.Press("enter", "enter") }
	states := map[string]func(d *tuitest.Driver){
		"account": func(d *tuitest.Driver) { d.Press("esc", "up") },
		"way":     func(*tuitest.Driver) {},
		"wrong":   func(d *tuitest.Driver) { events(d) },
		"address": func(d *tuitest.Driver) { d.Press("enter").Type(secret).Press("enter", "enter", "enter") },
		"review": func(d *tuitest.Driver) {
			d.Press("enter").Type(secret).Press("enter", "enter", "enter").Press("enter", "enter", "enter").Press("enter")
		},
	}
	tuitest.Gallery{
		Yields: []string{
			"setup.step", "setup.back",
			// The names of the steps stand between the rows of a sentence that wraps. The test would take parts
			// of such a sentence for other texts.
			"checks.public", "detail.lines", "doctor.private", "office.written", "code.until", "reach.relay", "customer.more", "printed.event", "path.event",
		},
		States: slices.Sorted(maps.Keys(states)),
		Data:   []string{"Chez Rado", strings.Repeat("*", len("TGP_fake"))},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			d := ask(t, language, styles, map[string]string{"base_url": "https://pay.example.mg", "shop": "Chez Rado"})
			d.Press("enter", "enter", "enter").Press("enter").Type("TGP_fake").Press("enter")
			states[state](d)
			return d
		},
	}.Test(t)
}

// TestAHeldEnterAnswersNoStep holds Enter down, like a person who wants to get to the end. Each
// step must be answered with a separate key press, because the last step writes the settings.
func TestAHeldEnterAnswersNoStep(t *testing.T) {
	d := english(t, nil)
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for range 40 {
		now = now.Add(33 * time.Millisecond)
		d.Send(keyboard.Stroke{Key: tea.KeyMsg{Type: tea.KeyEnter}, At: now})
	}
	d.Sees("Step 1 of 8").Press("enter").Sees("Step 2 of 8")
}

// TestAScanAnswersAFieldAndWritesNoSettings scans a code into a field. A person could scan a
// pairing code in this way.
func TestAScanAnswersAFieldAndWritesNoSettings(t *testing.T) {
	d := english(t, nil).Press("enter").Sees("The shop's name")
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, char := range "RELAY-4711-KX" {
		now = now.Add(8 * time.Millisecond)
		d.Send(keyboard.Stroke{Key: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{char}}, At: now})
	}
	d.Send(keyboard.Stroke{Key: tea.KeyMsg{Type: tea.KeyEnter}, At: now.Add(8 * time.Millisecond)})
	d.Sees("RELAY-4711-KX", "┃ This till's name")
}
