// Package setup is the form that asks for the settings of a shop, step by step. A secret setting is
// never drawn. The form writes no file: the caller stores the answers if [Model.Confirmed] is true.
package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/huh"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
)

// Names of the questions that are not names of settings.
const (
	Way       = "way"       // How webhooks reach the listener; see [ByRelay].
	Catalogue = "catalogue" // Path of a file with articles; may be blank.
	// The address and the code come from the operator of the relay. The code is blank if the till
	// is already paired.
	RelayAddress  = "relay_address"
	RelayCode     = "relay_code"
	RelayRecovery = "relay_recovery" // Recovery code that the owner has on paper; blank for a new shop, or if the till keeps its code.
)

// The answers to [Way], in the order in which they are offered.
const (
	ByRelay  = "relay"  // The till fetches events from a relay.
	ByProxy  = "proxy"  // A reverse proxy passes webhooks to this machine.
	ByTunnel = "tunnel" // A tunnel passes webhooks to this machine.
	ByServer = "server" // A server runs the listener, and the till shares its database.
	ByNone   = "none"   // No webhooks reach this machine yet.
)

// Config is what the form needs from its caller.
type Config struct {
	Texts i18n.Texts
	Load  func(language string) i18n.Texts
	Theme theme.Theme
	File  string // Path of the settings file, to show.
	// Answers by the name of the setting. The caller sets the initial ones, without secrets; the
	// form replaces them by the user's answers.
	Answers map[string]string
	// Settings with hidden values. The value is true if the setting is set; a blank answer then
	// keeps it.
	Secrets map[string]bool
	// Returns an error in the form's language for an invalid answer. For [Catalogue], it reads the
	// file.
	Check func(name, answer string) error
	// Prepares the terminal; may be nil.
	Prepare  tea.Cmd
	Keyboard *keyboard.Reader // Reads the keys; may be nil.
	Now      func() time.Time
}

// Model is the Bubble Tea model of the form.
type Model struct {
	Config

	Confirmed bool // Whether the user has confirmed the answers.

	began         map[string]string
	filter        keyboard.Filter
	at            int
	form          *huh.Form // Nil for a step without questions.
	typed         string    // Name of the field into which the user is typing.
	leaving       bool      // Whether the user was warned that the answers will be lost.
	moving        bool      // Whether a key may have left the field: the form changes its field only at its next message.
	width, height int

	next, back, leave, paste key.Binding
}

// New returns the form at its first step. The default answer to [Way] is [ByRelay].
func New(config Config) Model {
	if config.Answers[Way] == "" {
		config.Answers[Way] = ByRelay
	}
	m, _ := Model{Config: config, began: maps.Clone(config.Answers)}.open(0)
	return m
}

// Init starts the form and prepares the terminal.
func (m Model) Init() tea.Cmd { return tea.Batch(m.form.Init(), m.Prepare) }

// Update implements [tea.Model].
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.Update(keyboard.Stroke{Key: msg, At: m.Now()})
	case keyboard.Stroke:
		m.filter.Press(msg)
		return m.filtered(msg.At)
	case keyboard.Quiet:
		if m.Keyboard.Waiting() {
			return m, keyboard.Wait(keyboard.Again)
		}
		m.moving = false
		return m.filtered(m.Now())
	case keyboard.Colours:
		m.Theme.Adapt(msg.Background, msg.Text)
		return m.open(m.at) // The step's form has copies of the styles.
	case tea.WindowSizeMsg:
		size := screen.SizeOf(msg)
		m.width = size.Width
		m.height = size.Height
		m.resize()
		return m, nil
	}
	return m.fill(msg)
}

// filtered handles the keys that the filter returns now. A key that is held down answers only one
// step. A scanned code, such as a pairing code, is an answer.
func (m Model) filtered(now time.Time) (tea.Model, tea.Cmd) {
	var cmds []tea.Cmd
	for {
		meaning := keyboard.Meaning{Keys: keyboard.Answer, Asked: fmt.Sprint("step ", m.at), Busy: m.moving}
		switch next := m.filter.Next(meaning, func(string) bool { return false }, now).(type) {
		case tea.KeyMsg:
			var cmd tea.Cmd
			m, cmd = m.press(next)
			cmds = append(cmds, cmd)
			if m.moving = !edits(next); m.moving {
				cmds = append(cmds, keyboard.Wait(keyboard.Again))
			}
		case keyboard.Scan:
			var cmd tea.Cmd
			if m.form != nil {
				m, cmd = m.press(tea.KeyMsg{Type: tea.KeyEnter})
			}
			cmds = append(cmds, cmd)
		case nil:
			return m, tea.Batch(append(cmds, keyboard.Wait(m.filter.Wait()))...)
		}
	}
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked := m.leaving
	m.leaving = false
	switch {
	case key.Matches(msg, m.leave), key.Matches(msg, m.back) && m.at == 0:
		if asked || maps.Equal(m.Answers, m.began) {
			return m, tea.Quit
		}
		m.leaving = true
		return m, nil
	case key.Matches(msg, m.back):
		return m.open(m.at - 1)
	case key.Matches(msg, m.paste): // huh would start a program to read the clipboard; the terminal itself can paste.
		return m, nil
	case key.Matches(msg, m.next) && m.form == nil:
		m.Confirmed = true
		m.restoreUnasked()
		return m, tea.Quit
	}
	return m.replaceSecret(msg).fill(msg)
}

// replaceSecret clears the field of a secret before its first change: the old text is hidden, and
// the user would append to it.
func (m Model) replaceSecret(msg tea.KeyMsg) Model {
	if m.form == nil {
		return m
	}
	input, is := m.form.GetFocusedField().(*huh.Input)
	if !is || !edits(msg) {
		m.typed = ""
		return m
	}
	name := input.GetKey()
	if _, secret := m.Secrets[name]; secret && m.typed != name {
		m.Answers[name] = ""
		input.Accessor(answer{all: m.Answers, name: name})
	}
	m.typed = name
	return m
}

func edits(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || msg.Type == tea.KeyBackspace
}

func (m Model) fill(msg tea.Msg) (Model, tea.Cmd) {
	if m.form == nil {
		return m, nil
	}
	_, cmd := m.form.Update(msg)
	m.explain()
	if m.form.State != huh.StateCompleted {
		return m, cmd
	}
	return m.open(m.at + 1)
}

// open opens the step with the index at, in the language that was chosen last.
func (m Model) open(at int) (Model, tea.Cmd) {
	if code := m.Answers["language"]; code != m.Texts.Language {
		m.Texts = m.Load(code)
	}
	m.at, m.form = at, nil
	var fields []huh.Field
	for _, name := range m.steps()[at].asks {
		fields = append(fields, m.field(name))
	}
	if fields != nil {
		keymap := huh.NewDefaultKeyMap()
		keymap.Select.Filter = key.NewBinding() // The lists are too short to search.
		keymap.Input.Prev.SetKeys("shift+tab", "up")
		keymap.Input.Next.SetKeys("enter", "tab", "down")
		m.form = huh.NewForm(huh.NewGroup(fields...)).
			WithTheme(huhTheme(m.Theme)).WithKeyMap(keymap).WithShowHelp(false).WithShowErrors(false)
	}
	words := m.Texts.Setup
	m.next, m.back = screen.Bind("enter", words.Next, "enter"), screen.Bind("esc", words.Back, "esc")
	m.leave, m.paste = screen.Bind("ctrl+c", m.Texts.Bar.Leaves, "ctrl+c"), screen.Bind("ctrl+v", "", "ctrl+v")
	if m.form == nil {
		m.next.SetHelp("enter", words.Write)
		return m, nil
	}
	m.resize()
	return m, m.form.Init()
}

func (m Model) explain() {
	input, is := m.form.GetFocusedField().(*huh.Input)
	if !is {
		return
	}
	_, about, _ := strings.Cut(m.Texts.Asked[input.GetKey()], "\n")
	if err := input.Error(); err != nil {
		about += "\n" + m.Theme.Danger.Render("! "+err.Error())
	}
	input.Description(about)
	m.form.Update(nil) // The form draws the new text after its next message.
}

// restoreUnasked restores the initial answers of settings that no step asks for, because the user
// may have changed them before choosing another [Way].
func (m Model) restoreUnasked() {
	var asked []string
	for _, step := range m.steps() {
		asked = append(asked, step.asks...)
	}
	maps.DeleteFunc(m.Answers, func(name, _ string) bool { return !slices.Contains(asked, name) })
	for name, value := range m.began {
		if _, kept := m.Answers[name]; !kept {
			m.Answers[name] = value
		}
	}
}

// box returns the size of the pane. In a large window it is smaller than the window, because a
// question has few rows.
func (m Model) box() (width, height int) {
	const widest, highest = 112, 26
	return min(m.width, widest), min(m.height, highest)
}

// inner returns the size of the form. The width is limited, because long lines are hard to read.
func (m Model) inner() (width, height int) {
	const widest = 90
	width, height = pane.FullBorder.Inner(m.box())
	return min(width-m.railWidth(), widest), height
}

func (m Model) resize() {
	if width, height := m.inner(); m.form != nil && width > 0 && height > 0 {
		m.form.WithWidth(width).WithHeight(height)
		m.form.Update(nil) // The form wraps its text after its next message.
	}
}

// View draws the current step and, if there is room, a preview of what its answers change.
func (m Model) View() string {
	if m.width == 0 {
		return "" // The size is not known yet.
	}
	words, steps := m.Texts.Setup, m.steps()
	width, height := m.inner()
	rows := theme.Paragraph(m.Theme.Text, words.Writes.With(m.File), width, 0)
	if m.form != nil {
		rows = strings.Split(strings.TrimRight(m.form.View(), " \n"), "\n")
	}
	rows = append(rows, "")
	if m.leaving {
		rows = append(rows, theme.Paragraph(m.Theme.Danger, words.Leaves, width, 0)...)
	}
	if shown := m.preview(width); len(rows)+len(shown) <= height {
		rows = append(rows, shown...)
	}
	title := m.title(steps[m.at])
	if len(rows) < height {
		rows = append([]string{""}, rows...)
	}
	if m.railWidth() > 0 {
		title = words.Title
		rows = m.beside(rows)
	}
	framed := pane.Pane{
		Title: title, Right: words.Step.With(m.at+1, len(steps)), Rows: rows, Keys: true,
		Offers: keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.next, m.back, m.leave)),
	}
	across, high := m.box()
	high = min(high, len(rows)+1+pane.Edges) // A blank row is below the rows, too.
	view := theme.Center(framed.Draw(m.Theme, across, high), m.width, m.height)
	return m.Theme.Encode(m.Theme.ColourText(view))
}
