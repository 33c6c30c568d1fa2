package tui_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
	"checkout/till/tui"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// spoil gives the service the faults of two random scenarios at the same time.
func (l *lab) spoil(random *rand.Rand) {
	l.t.Helper()
	var faults sandbox.Faults
	for range 2 {
		text, err := json.Marshal(pick(random, sandbox.Scenarios()...).Faults, sandbox.JSON())
		if err == nil {
			err = json.Unmarshal(text, &faults, sandbox.JSON()) // This adds to the faults of the first scenario.
		}
		tuitest.Must(l.t, err)
	}
	// Shorten the faults that take real time.
	faults.Call.Slow, faults.Event.Slow = min(faults.Call.Slow, time.Millisecond), min(faults.Event.Slow, time.Millisecond)
	l.service.SetFaults(faults)
}

// pick returns a random choice.
func pick[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }

// actAtRandom logs and performs a random act: one of [lab.do], or one of this test alone.
func (l *lab) actAtRandom(random *rand.Rand) {
	customer := func(kinds ...string) string { return fmt.Sprint(pick(random, kinds...), " ", random.IntN(3)) }
	key := func() string {
		return "press " + pick(random, "enter", "enter", "enter", "esc", "esc", "f2", "f2", "f3", "f4", "f5", "f6", "f8", "f9", "f1", "?", "n", "n",
			"tab", "up", "down", "m", "y", "u", "s", "l", "c", "+", "-", "home", "left", "delete", "ctrl+z", "ctrl+c", "ctrl+u")
	}
	anyKey := func() string {
		return "press " + pick(random, "f10", "f10", "f7", "f12", "x", "x", "z", "p", "r", "v", "b", "t", "k", "f", "i", "o", "d", "e", "a", "w", "g", "1", "5", "/", "*",
			"end", "right", "pgup", "pgdown", "shift+tab", "insert", "backspace", "ctrl+n", "ctrl+a", "ctrl+w", "ctrl+left", "alt+1", "alt+3", "alt+9", "alt+x", "alt+enter", "f20")
	}
	const wide, high = 300, 100 // The largest window.
	act := pick(random,
		"spoil", "mend", "sell", "deaf", customer("success", "failed"), customer("success", "canceled"), customer("failed", "expired"),
		fmt.Sprint("again ", max(1, len(l.service.Deliveries())-random.IntN(5))),
		"pass "+pick(random, "1s", "5s", "1m", "9m", "13m", "11h59m59s", "15h", "24h", "900h"),
		"type "+pick(random, "Vary 3500 x2", pick(random, storagetest.HostileTexts()...).Raw, "1500", "vary", "2*Savony 1 200", "e\u0301\u202e中文 77", strings.Repeat("long", 60)+" 5"),
		pick(random, "enter Vary 3500", "enter Savony 1200", "enter 2000", "cash 1000", "cash"),
		"write "+pick(random, shoptest.HasinasPIN, shoptest.SoasPIN, "Hasina", debtor, "5000", "10%", "6111000000017", "a"),
		pick(random, "resize 80 24", "resize 120 40", fmt.Sprint("resize ", 1+random.IntN(130), " ", 1+random.IntN(45))),
		pick(random, "resize 80 24", "resize 120 40", "resize 160 45", fmt.Sprint("resize ", 1+random.IntN(wide), " ", 1+random.IntN(high))),
		"break", "repair", "repair", "late", "release", "release", "other", "other", "other",
		key(), key(), key(), key(), anyKey(), anyKey(), anyKey(),
	)
	l.t.Log(act)
	switch act {
	case "spoil":
		l.spoil(random)
		l.t.Logf("the faults are %+v", l.service.Faults())
	case "late":
		l.delays(random)
	case "release":
		l.gate.Shuffle(random)
		l.do(act)
	case "other":
		l.other(random)
	default:
		l.do(act)
	}
}

// anySettings returns random settings of a console.
func anySettings(random *rand.Rand) []setting {
	charset := pick(random, theme.Unicode, theme.Unicode, theme.Console, theme.Lines, theme.ASCII)
	bare := func(*console) {}
	return []setting{
		in(pick(random, i18n.Languages()...)),
		pick(random, bare, colourful),
		pick(random, bare, demo, plays),
		func(c *console) { c.config.Theme.Charset = charset },
		pick(random, bare, lending, lending),
		pick(random, bare, func(c *console) { c.config.Motion = true }),
		pick(random, bare, func(c *console) { c.config.Receipts = receipt.Config{Columns: 32} }, func(c *console) {
			c.config.Receipts = receipt.Config{Columns: 48, When: receipt.Always, Printer: receipt.Printer{Address: "127.0.0.1:1"}}
		}),
	}
}

// FuzzConsole performs random acts on a console, with up to two faults of the service at a time,
// and checks the invariants after each act. Other people change the shop at the same time.
func FuzzConsole(f *testing.F) {
	for seed := range uint64(storagetest.Size(3, 10)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		t.Parallel()
		random := rand.New(rand.NewPCG(seed, 3))
		settings := anySettings(random)
		l := openLab(t, labSetup{scheme: pick(random, gateway.Static, gateway.Body)}, sandbox.Faults{}, settings...)
		if l.staffed = random.IntN(3) == 0; l.staffed {
			l.Hire()
		}
		l.Updated = l.drawn(random)
		for range 40 {
			l.actAtRandom(random)
			if l.honest(); t.Failed() {
				return
			}
			if l.Quit() {
				health := l.config.Health
				l.console = at(t, l.Counter, append(settings, func(c *console) { c.config.Health = health })...)
				l.Resize(120, 40)
				l.late = false
				l.Updated = l.drawn(random)
			}
		}
		// End the faults and send every event again.
		l.do("release")
		l.do("repair")
		l.do("mend")
		for _, sent := range l.service.Deliveries() {
			l.do(fmt.Sprint("again ", sent.ID))
		}
		l.honest()
		l.leaves(random)
	})
}

// drawn returns a function that draws one of four frames, because the terminal does not draw every
// frame either.
func (l *lab) drawn(random *rand.Rand) func() {
	return func() {
		if random.IntN(4) == 0 {
			l.Fits()
		}
	}
}

// leaves fails the test unless some keys lead from the open screen to the sale.
func (l *lab) leaves(random *rand.Rand) {
	l.t.Helper()
	l.Resize(120, 40)
	for range 60 {
		if l.Quit() || tui.Selling(l.Model().(shoptest.Gate).Model) {
			return
		}
		l.pass(counter.Grace).Press(pick(random, "esc", "esc", "enter"))
	}
	l.t.Errorf("no key leads to the sale:\n%s", l.View())
}

// others is what people do in the shop without this console: at another till, at the command line,
// or as the owner. The shop may refuse each act.
var others = []func(ctx context.Context, l *lab, random *rand.Rand) error{
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Charges a sale of this till.
		terms := l.terms(ctx, random)
		terms.Despite = []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable}
		_, err := l.Checkout(ctx, terms)
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Takes a sale of this till, or a part of it.
		terms := l.terms(ctx, random)
		if due := terms.Due(); random.IntN(2) == 0 && due > 1 {
			terms.Part.Amount = 1 + money.Ariary(random.Int64N(int64(due)-1))
		}
		paying := drawer.Paying{Tender: pick(random, drawer.TenderCash, drawer.TenderCard, drawer.TenderAccount)}
		if paying.Tender == drawer.TenderAccount {
			paying.Customer, paying.New = debtor, true
		}
		_, err := l.Take(ctx, terms, paying)
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Ends a sale of this till.
		terms := l.terms(ctx, random)
		_, err := l.VoidParts(ctx, "T2", payments.Sale{ID: terms.Sale, Taken: terms.Part.Taken}, "mistake", l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		finding := payments.Finding{
			Kind: pick(random, payments.FoundPaid, payments.FoundUnpaid), Note: "found",
			Seen: order.Verdict(payments.Conditions{}, l.Now()), Net: order.Net(),
		}
		_, err := l.Service.Resolve(ctx, order.Reference, finding, l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		_, err := l.Acknowledge(ctx, order.Reference, l.verdict(order), l.reach().Conditions())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		given := drawer.Given{Ref: order.Reference, InCash: random.IntN(2) == 0, Amount: 1, All: random.IntN(2) == 0, Net: order.Net(), Note: "broken"}
		return l.Service.Refund(ctx, "T2", given, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		sales, _ := l.CounterSales(ctx, l.DayOf(l.Now())) // After an error, the shop refuses the act.
		sale := pick(random, append(sales, drawer.CounterSale{})...)
		given := drawer.Given{Ref: sale.Number, InCash: true, Amount: 1, All: random.IntN(2) == 0, Net: sale.Left(), Note: "broken"}
		if random.IntN(2) == 0 {
			_, err := l.VoidSale(ctx, "T2", sale.Number, "mistake", l.owner())
			return err
		}
		return l.Service.Refund(ctx, "T2", given, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Decides about an event without an order.
		events, err := l.Unmatched(ctx, 10)
		if len(events) == 0 {
			return err
		}
		event := pick(random, events...)
		if random.IntN(2) == 0 {
			return l.Service.Review(ctx, event, l.owner())
		}
		return l.Match(ctx, pick(random, append(l.All(), payments.Order{})...).Reference, event.Event.OrderReference, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		_, err := l.Service.Close(ctx, pick(random, shoptest.Till, "T2"), "owner", 20, l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		_, err := l.Move(ctx, pick(random, shoptest.Till, "T2"), pick(random, drawer.Float, drawer.In, drawer.Out, drawer.Count), 5000, "change", l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		article := payments.Article{
			Label: pick(random, "Vary", "Savony", strings.Repeat("中文", 100), "x"), UnitPrice: 1200,
			Code: pick(random, "", "12", "6111000000017"), Favourite: random.IntN(4), Unit: pick(random, payments.Units()...),
		}
		return l.AddArticles(ctx, []payments.Article{article})
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		articles, err := l.Articles(ctx)
		if len(articles) == 0 {
			return err
		}
		if random.IntN(3) == 0 {
			for _, article := range articles {
				err = l.DropArticle(ctx, article.ID)
			}
			return err
		}
		return l.DropArticle(ctx, pick(random, articles...).ID)
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		switch random.IntN(3) {
		case 0:
			return l.Rename(ctx, "T2", debtor, pick(random, "rabe", strings.Repeat("中文", 100)), l.owner())
		case 1:
			return l.WriteOff(ctx, "T2", debtor, 1, "lost", l.owner())
		}
		return l.Forget(ctx, debtor, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		if random.IntN(2) == 0 {
			_, err := l.AddCashier(ctx, "Soa", "", secret.New(shoptest.SoasPIN), l.owner())
			return err
		}
		return l.DropCashier(ctx, pick(random, "Soa", "Soa", "Hasina"), l.owner())
	},
}

const debtor = "Rabe"

func (l *lab) owner() staff.Identity {
	if !l.staffed {
		return staff.Identity{}
	}
	return staff.Identity{Name: "Hasina", PIN: secret.New(shoptest.HasinasPIN)}
}

// terms returns the terms of a random sale of this till for another till, or of a new sale.
func (l *lab) terms(ctx context.Context, random *rand.Rand) payments.Terms {
	sales, _ := l.Sales(ctx, shoptest.Till) // An error gives a new sale.
	terms := shoptest.Terms(fmt.Sprint("S", random.IntN(5)))
	for _, order := range l.All() {
		if random.IntN(3) == 0 {
			terms = payments.Terms{Sale: order.Sale, Items: order.Items}
		}
	}
	sales = slices.DeleteFunc(sales, func(sale payments.Sale) bool { return len(sale.Items) == 0 })
	if len(sales) > 0 && random.IntN(3) > 0 {
		terms = cart.TermsOf(pick(random, sales...))
	}
	terms.Till = "T2"
	return terms
}

// other performs a random act of others. The console sees the change at once or later.
func (l *lab) other(random *rand.Rand) {
	if l.broken {
		return
	}
	at := random.IntN(len(others))
	l.t.Logf("act %d of others: %v", at, others[at](l.t.Context(), l, random))
	if random.IntN(2) == 0 {
		l.look()
	}
}

// delays makes the results of some commands of the console late, or lets some commands begin late.
func (l *lab) delays(random *rand.Rand) {
	l.late = true
	some := func(msg tea.Msg) bool {
		switch msg.(type) {
		case tea.KeyMsg, tea.WindowSizeMsg:
			return false
		}
		return random.IntN(2) == 0
	}
	if random.IntN(2) == 0 {
		l.gate.HoldCommands(some)
	} else {
		l.gate.HoldMessages(some)
	}
}
