package sale

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/wording"
)

// inquiry is a question about a sale, as it is drawn. word is its title. amount is what the
// customer pays, for a question about a charge.
type inquiry struct {
	word, amount string
	drops        bool // Whether the answer yes drops a sale.
	question.Card
}

func (p painter) inquiry() inquiry {
	words := p.Texts.Sale
	about := p.counts()
	if name := p.Counter.Cart().Name; name != "" {
		about = append(about, name)
	}
	switch {
	case p.Over != nil:
		title, _ := p.Over(0, 0)
		return inquiry{word: p.Theme.Accent.Render(title)}
	case p.owners.Open():
		return inquiry{word: p.Theme.Danger.Render(p.owners.Title(p.Texts))}
	case !p.Counter.Asking().OfSale():
		return p.inquireName(about)
	}
	asked := *p.Counter.Question()
	asks := inquiry{word: p.Theme.Danger.Render(words.Dropping), drops: true}
	if asked.Kind != counter.AskDrop && asked.Kind != counter.AskDropHeld {
		asks = inquiry{word: p.Theme.Accent.Render(words.Charging), amount: i18n.Money(asked.Due())}
	}
	asks.Prompt = wording.Question(p.Texts, p.Zone, asked)
	asks.Notes = []string{strings.Join(about, between)}
	asks.Answers = question.YesNo(p.Texts, words.Drops, words.Keeps)
	reach := p.Counter.ReachNow()
	unsure := reach.Doubtful() || reach.Blind()
	switch asked.Kind {
	case counter.AskDrop:
		note := words.BringsBack
		if asked.Sale.Taken > 0 {
			note = p.Texts.Sale.LinesBack
		}
		asks.Notes = append(asks.Notes, note)
	case counter.AskDropHeld:
		asks.Notes = nil // The question names the held sale.
	case counter.AskTender:
		asks.Answers = p.tenderKeys()
		if p.way().Named {
			asks = p.inquireAccount(asks)
		}
		if p.way().Given && !p.line.Empty() { // A small window has no room for the pane with the change, so the question shows it.
			word, amount, _ := p.cash().change()
			asks.Prompt = p.Texts.Frame.Labelled.With(word, i18n.Money(amount))
		}
	case counter.AskRest:
		asks.word = p.Theme.Accent.Render(p.Texts.Cash.RestOf.With(i18n.Money(asked.Terms.Due()))) // The title says what the large amount is.
		asks.Answers = p.chargeKeys(p.Texts.Keys.Back)
	case counter.AskLess:
		asks.Answers = []keybar.Entry{p.keyEntry("enter", p.Texts.TenderTakes[string(asked.Tender)]), p.keyEntry("esc", p.Texts.Keys.Back)}
	case counter.AskCharge:
		asks.Answers = p.chargeKeys(words.GoesBack)
		if !unsure && p.Counter.Cart().Fixed() == nil {
			asks.Notes = append(asks.Notes, words.Joins)
		}
	}
	if unsure && (asked.Kind == counter.AskCharge || asked.Kind == counter.AskRest) {
		asks.Warning = p.Texts.Charging[reach]
	}
	return asks
}

func (p painter) inquireName(about []string) inquiry {
	words := p.Texts.Held
	name := cmp.Or(strings.TrimSpace(p.line.Value()), p.Counter.Cart().FreeName())
	asks := inquiry{word: p.Theme.Accent.Render(p.Texts.Bar.Hold)}
	asks.Prompt = words.Name
	asks.Notes = []string{strings.Join(about, between)}
	asks.Answers = []keybar.Entry{p.keyEntry("enter", words.As.With(name)), p.keyEntry("esc", p.Texts.Sale.GoesBack)}
	return asks
}

// ShortHelp returns the keys for the border of the entry line, the most important ones first.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch {
	case m.Counter.Asking().OfSale(), m.owners.Open():
		return nil
	case m.mode == choosing:
		count := keys.More // One entry for both keys leaves room for the others.
		count.SetHelp(keys.More.Help().Key+"/"+keys.Less.Help().Key, m.Texts.Keys.Count)
		return []key.Binding{keys.Edit, count, keys.Reduce, keys.Remove, keys.Back}
	case m.mode == resuming:
		resume := []key.Binding{keys.Resume, keys.DropHeld, m.held.current().Keys.Move, m.held.current().Keys.Page, keys.Back}
		if m.Counter.OnAccount() {
			resume = slices.Insert(resume, 1, keys.Debts)
		}
		return resume
	case m.mode == owing:
		return m.debts.help(keys, len(m.held.sales()) > 0)
	case m.mode != entering:
		return nil
	case m.choice.offered():
		return []key.Binding{keys.Next, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.Counter.Cart().Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	}
	if len(m.Counter.Shelf().Favourites()) > 0 {
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

// FullHelp returns the keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	all := m.keys
	when := m.Texts.WhenKeys
	for binding, does := range map[*key.Binding]string{
		&all.Charge: when.Charge, &all.Next: when.Pick, &all.Tab: when.Quick, &all.Back: when.Back, &all.Drop: when.Drop,
	} {
		binding.SetHelp(binding.Help().Key, does)
	}
	words := m.Texts.Guide
	groups := []screen.Keys{
		{Title: words.Sale, Keys: []key.Binding{all.Enter, all.Charge, all.Next, all.Tab, all.Favourite, all.Note, all.Undo, all.Back, all.Drop}},
		{Title: words.Line, Keys: []key.Binding{all.Up, all.Edit, all.More, all.Less, all.Reduce, all.Remove}, Rare: true},
		{Title: m.Texts.TenderTitles[string(drawer.TenderCash)], Keys: []key.Binding{all.Cash, all.Given, all.Usual}},
		{Title: words.Held, Keys: []key.Binding{all.Resume, all.DropHeld}, Rare: true},
	}
	if m.Counter.OnAccount() {
		groups = append(groups, screen.Keys{Title: m.Texts.Debts.Title, Keys: []key.Binding{all.Owed, all.Moves, all.WriteOff}, Rare: true})
	}
	return groups
}
