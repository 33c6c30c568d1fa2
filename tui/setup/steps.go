package setup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/huh"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// step is a page of the form. The last step has no questions.
type step struct {
	name string
	asks []string
	ways []string // Answers to [Way] that need this step; nil for all.
}

func (m Model) steps() []step {
	all := []step{
		{name: "language", asks: []string{"language"}},
		{name: "shop", asks: []string{"shop", "till"}},
		{name: "account", asks: []string{"base_url", "access_token"}},
		{name: "way", asks: []string{Way}},
		// With ByServer, the server has the secret.
		{"events", []string{"webhook_secret", "signature_header", "signature_scheme"}, []string{ByRelay, ByProxy, ByTunnel, ByNone}},
		{"relay", []string{RelayAddress, RelayCode, RelayRecovery}, []string{ByRelay}},
		{"address", []string{"public_url", "listen", "webhook_path"}, []string{ByProxy, ByTunnel}},
		{"server", []string{"database"}, []string{ByServer}},
		{name: "articles", asks: []string{Catalogue}},
		{name: "review"},
	}
	return slices.DeleteFunc(all, func(s step) bool {
		return s.ways != nil && !slices.Contains(s.ways, m.Answers[Way])
	})
}

type answer struct {
	all   map[string]string
	name  string
	usual string // Answer that a blank field stands for; the field shows it as a placeholder.
}

func (a answer) Get() string {
	if value := a.all[a.name]; value != a.usual {
		return value
	}
	return ""
}

func (a answer) Set(value string) {
	if strings.TrimSpace(value) == "" {
		value = a.usual
	}
	a.all[a.name] = value
}

// field returns the field for a setting or question. Its check ignores blanks and line breaks
// around the answer.
func (m Model) field(name string) huh.Field {
	at := answer{all: m.Answers, name: name}
	if name == "till" { // In a field with T1, the user would append to T1.
		at.usual = m.began[name]
	}
	title, about, _ := strings.Cut(m.Texts.Asked[name], "\n")
	choices := map[string][]string{
		"language": i18n.Languages(), "signature_scheme": {"static", "body"},
		Way: {ByRelay, ByProxy, ByTunnel, ByServer, ByNone},
	}
	if known := choices[name]; known != nil {
		options := make([]huh.Option[string], 0, len(known))
		for _, value := range known {
			options = append(options, huh.NewOption(m.Texts.Asked[name+" "+value], value))
		}
		return huh.NewSelect[string]().Title(title).Description(about + "\n").Options(options...).Accessor(at)
	}
	kept, secret := m.Secrets[name]
	input := huh.NewInput()
	input.Key(name).Title(title).Description(about).Prompt("› ").CharLimit(4096).Accessor(at).Validate(func(value string) error {
		value = cmp.Or(strings.TrimSpace(value), at.usual)
		if value == "" && kept {
			return nil
		}
		err := m.Check(name, value)
		if err != nil && secret { // The text is hidden, so the user cannot correct it.
			at.Set("")
			input.Accessor(at)
		}
		return err
	})
	input.Placeholder(at.usual)
	if kept {
		input.Placeholder(m.Texts.Setup.Kept)
	}
	if secret {
		input.EchoMode(huh.EchoModePassword)
	}
	return input
}

func huhTheme(styles theme.Theme) *huh.Theme {
	focused := huh.FieldStyles{
		Base: styles.Text.Border(theme.Heavy(), false, false, false, true).
			BorderForeground(styles.Line.GetForeground()).PaddingLeft(1),
		Title: styles.Strong, Description: styles.Text,
		SelectSelector: styles.Accent.SetString("› "), SelectedOption: styles.Strong, UnselectedOption: styles.Text,
		TextInput: huh.TextInputStyles{
			Cursor: styles.Cursor, CursorText: styles.Strong, Placeholder: styles.Muted,
			Prompt: styles.Accent, Text: styles.Strong,
		},
	}
	blurred := focused
	blurred.Base = styles.Text.PaddingLeft(2) // A focused field has a border and padding of this width.
	return &huh.Theme{Focused: focused, Blurred: blurred, FieldSeparator: styles.Text.SetString("\n\n")}
}
