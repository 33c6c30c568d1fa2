package sandbox

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"checkout/till/payments"
)

// labView is what goes wrong, and what else can.
type labView struct {
	Now       []string // What is set for all orders, in words.
	Scenario  string   // Its name; empty when the faults are those of none.
	Summary   string
	Scenarios []scenarioRow
	Call      []control
	Event     []control
	Own       []control // Of the one order that is shown.
}

type scenarioRow struct {
	Name, Summary string
	Current       bool
}

// control is the field of a form that sets a fault.
type control struct {
	ID      string // On the page.
	Name    string // As in the form and, after the point, in JSON.
	Label   string
	Kind    string // "flag", "choice", "number" or "text".
	Hint    string
	Value   string
	Choices []option
}

type option struct {
	Value   string
	Current bool
}

// labView returns the faults of all orders, and those of one order when it is
// named.
func (s *Sandbox) labView(one string) labView {
	faults := s.Faults()
	view := labView{
		Now:   append(inWords("call", faults.Call.settings()), inWords("event", faults.Event.settings())...),
		Call:  controls("all-", "call", faults.Call.settings()),
		Event: controls("all-", "event", faults.Event.settings()),
	}
	for _, scenario := range Scenarios() {
		row := scenarioRow{scenario.Name, scenario.Summary, scenario.Faults == faults}
		if row.Current {
			view.Scenario, view.Summary = row.Name, row.Summary
		}
		view.Scenarios = append(view.Scenarios, row)
	}
	if own, err := s.OrderFaults(one); err == nil {
		view.Own = controls("own-", "event", own.settings())
	}
	return view
}

// controls returns the form's fields for settings, as they are set. The prefix
// parts two such forms on one page.
func controls(prefix, section string, settings []setting) []control {
	var all []control
	labelled := labels(section)
	for _, set := range settings {
		name := section + "." + set.name
		shown := labelled(name)
		shown.ID = prefix + section + "-" + set.name
		shown.Name, shown.Value = name, formText(set, shown.Kind)
		for i, choice := range shown.Choices {
			shown.Choices[i].Current = choice.Value == shown.Value
		}
		all = append(all, shown)
	}
	return all
}

// inWords returns those of settings that are set, in words.
func inWords(section string, settings []setting) []string {
	const longest = 60
	var words []string
	for _, shown := range controls("", section, settings) {
		switch {
		case shown.Value == "":
		case shown.Kind == "flag":
			words = append(words, shown.Label)
		default:
			text := []rune(shown.Value)
			if len(text) > longest {
				text = append(text[:longest:longest], '…')
			}
			words = append(words, shown.Label+": "+string(text))
		}
	}
	return words
}

// labels returns what finds the field of a setting in a section, without its
// value. A setting that has no words yet stands under its name.
func labels(section string) func(name string) control {
	all := callControls
	if section == "event" {
		all = eventControls
	}
	known := all()
	return func(name string) control {
		at := slices.IndexFunc(known, func(one control) bool { return one.Name == name })
		if at < 0 {
			return control{Label: name, Kind: "text"}
		}
		return known[at]
	}
}

func callControls() []control {
	return []control{
		{Name: "call.break", Kind: "flag", Label: "Answer 500, make no order"},
		{Name: "call.refuse", Kind: "text", Label: "Refuse with 422 and this message", Hint: "Compte suspendu"},
		{Name: "call.event_first", Kind: "choice", Label: "Send this event before the answer", Choices: options(payments.EventKinds())},
		{Name: "call.slow", Kind: "text", Label: "Make the order, answer only after", Hint: "30s"},
		{Name: "call.cut", Kind: "flag", Label: "Make the order, cut the connection"},
		{Name: "call.break_after", Kind: "flag", Label: "Make the order, answer 500"},
		{Name: "call.reply", Kind: "choice", Label: "Spoil the answer", Choices: options(
			[]ReplyFault{ReplyEmpty, ReplyHTML, ReplyCutJSON, ReplyWrongFields},
		)},
		{Name: "call.checkout_url", Kind: "text", Label: "Answer this link", Hint: "javascript:alert(1)"},
	}
}

func eventControls() []control {
	return []control{
		{Name: "event.drop", Kind: "flag", Label: "Send nothing"},
		{Name: "event.delay", Kind: "text", Label: "Send after", Hint: "30s"},
		{Name: "event.copies", Kind: "number", Label: "Send so many copies too", Hint: "2"},
		{Name: "event.reorder", Kind: "flag", Label: "Hold failed tries back, then send the last event first"},
		{Name: "event.then", Kind: "choice", Label: "After the last event, send this one too", Choices: options(payments.EventKinds())},
		{Name: "event.signature", Kind: "choice", Label: "Signature", Choices: options(
			[]SignatureFault{SignatureWrong, SignatureMissing, SignatureDoubled, SignatureStatic, SignatureBody},
		)},
		{Name: "event.amount_off", Kind: "number", Label: "Add to the amount", Hint: "-500"},
		{Name: "event.currency", Kind: "text", Label: "Currency instead of Ar", Hint: "MGA"},
		{Name: "event.shape", Kind: "choice", Label: "Spoil the fields", Choices: options([]ShapeFault{
			ShapeAmountText, ShapeAmountDecimal, ShapeAmountMissing, ShapeCurrencyMissing, ShapeCurrencyMisspelt, ShapeUnknownKind,
		})},
		{Name: "event.reason", Kind: "text", Label: "Text of the error", Hint: `as in JSON: \u001b[2J`},
		{Name: "event.padding", Kind: "number", Label: "Bytes of white space after the body", Hint: "1048576"},
		{Name: "event.slow", Kind: "text", Label: "Spread the body over", Hint: "30s"},
	}
}

func options[T ~string](values []T) []option {
	choices := []option{{}}
	for _, value := range values {
		choices = append(choices, option{Value: string(value)})
	}
	return choices
}

// formText returns what a setting is set to as the form shows it, "" for no
// fault.
func formText(set setting, kind string) string {
	switch value := set.write().(type) {
	case nil:
		return ""
	case string:
		if kind == "text" {
			return escape(value)
		}
		return value
	default:
		return fmt.Sprint(value)
	}
}

// readForm sets settings to what a form says; what is empty there is no fault.
// Its errors are those of JSON.
func readForm(form url.Values, section string, settings []setting) error {
	labelled := labels(section)
	for _, set := range settings {
		name := section + "." + set.name
		text := strings.TrimSpace(form.Get(name))
		if text == "" {
			continue
		}
		if err := set.read(formValue(labelled(name).Kind, text), name); err != nil {
			return err
		}
	}
	return nil
}

// formValue returns a form's text as JSON has it.
func formValue(kind, text string) json.RawMessage {
	switch kind {
	case "flag":
		return json.RawMessage("true")
	case "number":
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return json.RawMessage(strings.TrimPrefix(text, "+"))
		}
	case "text":
		if raw := unescape(text); json.Valid(raw) {
			return raw
		}
	}
	raw, err := json.Marshal(text)
	if err != nil {
		return nil // Which is no value, and refused as such.
	}
	return raw
}

// escape writes a text so that a person sees all of it in one line: as JSON
// does, but for quotation marks.
func escape(text string) string { return visible(strings.ReplaceAll(text, `\`, `\\`)) }

// visible writes every sign that cannot be seen as JSON can, as \uXXXX: a page
// would obey those that turn the direction of writing.
func visible(text string) string {
	var shown strings.Builder
	for _, sign := range text {
		if unicode.IsPrint(sign) {
			shown.WriteRune(sign)
			continue
		}
		for _, unit := range utf16.Encode([]rune{sign}) {
			fmt.Fprintf(&shown, `\u%04x`, unit)
		}
	}
	return shown.String()
}

// unescape returns the JSON of a text that escape wrote, or a person.
func unescape(text string) json.RawMessage {
	return json.RawMessage(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
}
