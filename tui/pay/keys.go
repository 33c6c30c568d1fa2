package pay

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/receipt"
)

// keyMap has the keys of the screen except those of the demo's customer.
type keyMap struct {
	Done, Leave, Again, Correct key.Binding
	Cash                        key.Binding
	Resend, Link, Copy, Turn    key.Binding
	Page, Says                  key.Binding
	Receipt, Close              key.Binding
}

func newKeyMap(texts i18n.Texts) keyMap {
	words := texts.PayKeys
	bind := func(name, word string) key.Binding { return screen.Bind(name, word, name) }
	return keyMap{
		Done:    bind("enter", words.Done),
		Leave:   bind("esc", words.Leave),
		Again:   bind("n", words.Again),
		Correct: bind("r", words.Correct),
		Cash:    bind("tab", texts.TenderKeys[string(drawer.TenderCash)]),
		Resend:  bind("s", words.Resend),
		Link:    bind("l", words.Link),
		Copy:    bind("c", words.Copy),
		Page:    bind("o", words.Page),
		Says:    bind("y", words.Says),
		Receipt: bind("p", texts.Receipt.Shows),
		Close:   bind("esc", texts.Receipt.Closes),
		Turn:    screen.Bind("F9", texts.PayKeys.Turn, "f9"),
	}
}

// keys returns the keys of the screen, and enables those that have an effect now. ready says
// whether an outcome accepts keys.
func (m Model) keys(ready bool) keyMap {
	keys := newKeyMap(m.Texts)
	words := m.Texts.Outcome
	shown := m.Counter.Shown()
	coded := shown.HasCode()
	again := shown.Current() && ready && m.Counter.Repeatable(shown.Order) && !shown.Order.Facts.NotSent
	cash := shown.Cash.Number != ""
	keys.Done.SetEnabled((shown.Final() || cash) && ready)
	keys.Leave.SetEnabled(ready && !cash)
	keys.Again.SetEnabled(again)
	keys.Correct.SetEnabled(again)
	if len(m.Tenders) > 0 {
		keys.Cash.SetHelp(keys.Cash.Help().Key, m.Texts.TenderKeys[string(m.Tenders[0])])
	}
	keys.Cash.SetEnabled(shown.Current() && ready && m.Counter.Tenderable(shown.Order))
	keys.Resend.SetEnabled(shown.Current() && shown.Order.Facts.NotSent && !shown.Order.Facts.Superseded)
	keys.Link.SetEnabled(coded)
	keys.Page.SetEnabled(coded)
	keys.Says.SetEnabled(coded)
	keys.Copy.SetEnabled(coded && m.Copy != nil)
	keys.Turn.SetEnabled(m.facing || coded)
	keys.Receipt.SetEnabled(ready && shown.HasReceipt() && !m.facing && m.Receipts.When != receipt.Never)
	keys.Close.SetEnabled(m.slip.Shown())
	if m.slip.Shown() {
		keys.Receipt.SetHelp(keys.Receipt.Help().Key, m.Texts.Receipt.Prints)
	}
	switch verdict := shown.Verdict(); {
	case cash, verdict == payments.VerdictPaid:
		keys.Done.SetHelp(keys.Done.Help().Key, words.NextSale)
	case verdict == payments.VerdictUnknown, verdict == payments.VerdictRejected:
		keys.Done.SetHelp(keys.Done.Help().Key, words.Back) // Done goes back to the sale, which still has the lines.
	}
	if !coded {
		keys.Again.SetHelp(keys.Again.Help().Key, words.SameLines)
	}
	return keys
}

// ShortHelp returns the keys to show now, the likeliest first.
func (m Model) ShortHelp() []key.Binding { return m.help(m.Counter.Ready()) }

// offered returns the keys for the border of a pane. Keys that the outcome does not accept yet are
// dimmed, so that no key moves later.
func (m Model) offered() []keybar.Entry {
	all := keybar.Of(m.Texts.KeyNames, m.help(true)...)
	now := keybar.Of(m.Texts.KeyNames, m.ShortHelp()...)
	for i, entry := range all {
		all[i].Waits = !slices.Contains(now, entry)
	}
	return all
}

// help returns the keys to show. ready says whether an outcome accepts keys. A final outcome
// without a QR code has no key Leave, because Leave would close most outcomes without acknowledging
// them.
func (m Model) help(ready bool) []key.Binding {
	keys := m.keys(ready)
	switch {
	case m.sending(): // The card names the only key.
		return nil
	case m.Counter.Shown().Cash.Number != "":
		return []key.Binding{keys.Done, keys.Receipt, keys.Close}
	case m.inquires():
		return nil
	case m.Counter.Shown().HasCode():
		return []key.Binding{keys.Leave, keys.Cash, keys.Done, keys.Correct, keys.Page, keys.Link, keys.Again, keys.Says, keys.Copy, keys.Turn}
	case m.Counter.Shown().Final():
		return []key.Binding{keys.Again, keys.Cash, keys.Correct, keys.Done, keys.Receipt, keys.Close}
	}
	return []key.Binding{keys.Resend, keys.Leave, keys.Cash, keys.Again, keys.Correct, keys.Turn}
}

// barred reports whether the console must show the keys of this screen in its last row.
func (m Model) barred() bool { return m.frame() != pane.FullBorder && !m.FullWindow() }

// FullHelp returns the keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	all := newKeyMap(m.Texts)
	when := m.Texts.WhenKeys
	for binding, does := range map[*key.Binding]string{
		&all.Again: when.Again, &all.Correct: when.Correct, &all.Link: when.Link, &all.Says: when.Says, &all.Page: when.Page,
		&all.Leave: when.Leave, &all.Cash: when.Cash,
	} {
		binding.SetHelp(binding.Help().Key, does)
	}
	words := m.Texts.Guide
	return []screen.Keys{
		{Title: words.Code, Keys: []key.Binding{all.Leave, all.Cash, all.Again, all.Correct, all.Says, all.Page, all.Link, all.Copy, all.Resend}},
		{Title: words.Demo, Keys: m.Customer.Keys(m.Texts)},
		{Title: m.Texts.Orders.Verdict, Keys: []key.Binding{all.Done, all.Receipt}},
	}
}

// letters returns the keys that type one character, as one string.
func letters(groups []screen.Keys) string {
	var letters strings.Builder
	for _, group := range groups {
		for _, binding := range group.Keys {
			for _, name := range binding.Keys() {
				if utf8.RuneCountInString(name) == 1 {
					letters.WriteString(name)
				}
			}
		}
	}
	return letters.String()
}

func (m Model) name(binding key.Binding) string { return m.Texts.KeyNames.Of(binding.Help().Key) }
