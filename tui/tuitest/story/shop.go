package story

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/wording"
)

// CashNumber is the number of the first cash sale in a shop of [shoptest].
const CashNumber = "T1-GT-C-000001"

// Verdicts maps the words that stories use for outcomes to the verdicts of an order.
func Verdicts() map[string]payments.Verdict {
	return map[string]payments.Verdict{
		"waiting": payments.VerdictWaiting, "paid": payments.VerdictPaid, "unpaid": payments.VerdictNotPaid, "check": payments.VerdictCheck,
		"over": payments.VerdictTimeOver, "unsent": payments.VerdictNotSent, "refused": payments.VerdictRejected, "unknown": payments.VerdictUnknown,
	}
}

// Amount parses the number at the beginning of the rest of a story's line.
func Amount(t testing.TB, rest string) money.Ariary {
	t.Helper()
	first, _, _ := strings.Cut(rest, " ")
	number, err := strconv.ParseInt(first, 10, 64)
	tuitest.Must(t, err)
	return money.Ariary(number)
}

// Account returns the money in the till's cash drawer, and the money that the payment service holds
// for the shop.
func Account(t testing.TB, store drawer.Store) string {
	t.Helper()
	var cash, links money.Ariary
	err := store.View(t.Context(), func(tx drawer.Tx) error {
		transfers, err := tx.Transfers(ledger.Query{})
		for _, transfer := range transfers {
			cash += transfer.Into(ledger.Drawer(shoptest.Till))
			links += transfer.Into(ledger.Service)
		}
		return err
	})
	tuitest.Must(t, err)
	return fmt.Sprintf("drawer %d, links %d", cash, links)
}

// Owes fails the test unless a customer owes an amount. rest contains the customer's name and the
// amount.
func Owes(t testing.TB, shop *shoptest.Counter, rest string) {
	t.Helper()
	name, amount, _ := strings.Cut(rest, " ")
	all, err := shop.Debtors(t.Context())
	tuitest.Must(t, err)
	debtor, _ := drawer.FindDebtor(all, name)
	if want := Amount(t, amount); debtor.Owed != want {
		t.Errorf("%s owes %d, want %d", name, debtor.Owed, want)
	}
}

// Tenders returns the ways to pay at the counter that stories can name.
func Tenders() []drawer.Tender {
	return []drawer.Tender{drawer.TenderCash, drawer.TenderAccount, drawer.TenderCard}
}

// Question returns the text of a question about an amount and an order. kind is a [counter.Kind],
// or "instead" for cash while the customer can still pay with the code.
func Question(texts i18n.Texts, kind string, amount money.Ariary, order payments.Order, now time.Time) string {
	tender := drawer.Tender("")
	if kind == "instead" {
		kind, tender = string(counter.AskAgain), drawer.TenderCash
	}
	terms := payments.Terms{Items: []payments.Item{{UnitPrice: amount, Quantity: 1}}, Despite: []payments.ObjectionKind{payments.SalePayable}}
	return wording.Question(texts, shoptest.Zone(), counter.Question{
		Kind: counter.Kind(kind), Terms: terms, Tender: tender, Order: order, Ended: !order.Live(now),
	})
}

// Part returns the text of a question about a part of a sale. rest contains the part and the total.
func Part(t testing.TB, texts i18n.Texts, kind counter.Kind, rest string) string {
	t.Helper()
	part, total, _ := strings.Cut(rest, " ")
	terms := payments.Terms{Items: []payments.Item{{UnitPrice: Amount(t, total), Quantity: 1}}}
	return wording.Question(texts, shoptest.Zone(), counter.Question{Kind: kind, Terms: terms, Part: Amount(t, part)})
}

// Shown returns the states that the sale and the payment screen show. sees waits until the screen
// contains all texts, and code until it contains a QR code. newest returns the newest order.
func Shown(t testing.TB, texts i18n.Texts, sees func(texts ...string), code func(), newest func() payments.Order) map[string]func(string) {
	sum := func(rest string) string { return i18n.Money(Amount(t, rest)) }
	states := map[string]func(rest string){
		"sees":  func(text string) { sees(text) },
		"empty": func(string) { sees(texts.Sale.Empty) },
		"weighs": func(rest string) {
			label, unit, _ := strings.Cut(rest, " ")
			sees(texts.Hints.HowMany.With(label, unit, "g"))
		},
		"total": func(rest string) { sees(texts.Keys.Charges.With(i18n.Number(int64(Amount(t, rest))))) },
		"board": func(rest string) { // The last row contains the number of awaited payments.
			sees("F4" + texts.Bar.WaitingShort + strings.TrimPrefix(rest, "0") + " ")
		},
		"change": func(rest string) {
			_, change, _ := strings.Cut(rest, " ")
			sees(texts.TenderWords["cash"], sum(rest), sum(change))
		},
		"news": func(rest string) {
			word, amount, _ := strings.Cut(rest, " ")
			sees(badge.Of(texts, newest(), Verdicts()[word]).Name, sum(amount), "F2  "+texts.Bar.News)
		},
	}
	for word, verdict := range Verdicts() {
		states[word] = func(rest string) {
			sees(badge.Of(texts, newest(), verdict).Name, sum(rest))
			if verdict == payments.VerdictWaiting {
				code()
			}
		}
	}
	return states
}

// Event is the content of a story's line "event".
type Event struct {
	Kind   payments.EventKind
	Order  int          // Number of the order in the story; 0 for the newest.
	Amount money.Ariary // 0 means the order's own amount.
}

// ParseEvent parses a line such as "success", "failed 1" or "success amount 700".
func ParseEvent(t testing.TB, rest string) Event {
	t.Helper()
	words := strings.Fields(rest)
	event := Event{Kind: payments.EventKind("payment." + words[0])}
	for i, word := range words[1:] {
		switch number, err := strconv.Atoi(word); {
		case word == "amount":
			event.Amount = Amount(t, words[i+2])
			return event
		case err != nil:
			t.Fatalf("event %s: %v", rest, err)
		default:
			event.Order = number
		}
	}
	return event
}

// Article parses the label, price, code and unit of an article, such as "Coca 2000 5449000054227"
// or "Tomate 4000 2040000000014 kg".
func Article(t testing.TB, rest string) payments.Article {
	t.Helper()
	words := append(strings.Fields(rest), "")
	return payments.Article{Label: words[0], UnitPrice: Amount(t, words[1]), Code: words[2], Unit: words[3]}
}

// Sellers returns the names of the cashiers in today's journal, the oldest entry first.
func Sellers(t testing.TB, shop *shoptest.Counter) string {
	t.Helper()
	entries, err := shop.Journal(t.Context(), money.Day(shop.Now(), 0))
	tuitest.Must(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.By)
	}
	return strings.Join(names, " ")
}

// Printer returns a printer that writes into a file, and a function that counts its receipts and
// copies, as in "1 2".
func Printer(t testing.TB, texts i18n.Texts) (receipt.Config, func() string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "paper")
	tuitest.Must(t, os.WriteFile(path, nil, 0o600))
	return receipt.Config{Columns: 32, Printer: receipt.Printer{Address: path}}, func() string {
		paper, err := os.ReadFile(path)
		tuitest.Must(t, err)
		copies := strings.Count(string(paper), texts.Receipt.Copy)
		return fmt.Sprint(strings.Count(string(paper), texts.Receipt.Total)-copies, " ", copies)
	}
}

// World returns the acts outside the console, such as "event" or "breaks". after moves the clock of
// the stage; wake reports a change of the store.
func World(t testing.TB, shop *shoptest.Counter, after func(time.Duration), wake func()) map[string]func(string) {
	return map[string]func(string){
		"event": func(rest string) {
			event, orders := ParseEvent(t, rest), shop.All()
			order := orders[0]
			if event.Order > 0 {
				order = orders[len(orders)-event.Order]
			}
			heard := shoptest.Event(order, event.Kind, "")
			if event.Amount > 0 {
				heard.Amount = payments.AmountValue(event.Amount)
			}
			shop.Hear(heard)
			wake()
		},
		"answers": func(rest string) {
			shop.Reply(map[string]shoptest.Answer{
				"accepted": shop.Accept, "refused": shoptest.Refuse("Compte suspendu"), "lost": shoptest.Lose("cut"), "away": shoptest.Unreachable(),
			}[rest])
		},
		"after": func(rest string) {
			pause, err := time.ParseDuration(rest)
			tuitest.Must(t, err)
			after(pause)
		},
		"stocks": func(rest string) {
			article := Article(t, rest)
			tuitest.Must(t, shop.AddArticles(t.Context(), []payments.Article{article}))
			wake()
			after(10 * time.Second) // A console reads changed articles with a delay.
		},
		"hires": func(string) { shop.Hire() },
		"breaks": func(string) {
			shop.Break()
			wake()
		},
		"mends": func(string) {
			shop.Mend()
			after(time.Second)
			wake()
		},
	}
}
