package plain_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/plain"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/tuitest/story"
)

func TestStories(t *testing.T) {
	for _, language := range tuitest.Languages() {
		t.Run(language, func(t *testing.T) {
			story.Play(t, "line", func(t *testing.T) story.Stage {
				t.Helper()
				stage := &stage{told: make(map[string]bool), tills: make(map[string]*talk)}
				stage.begin(t, shoptest.Open(t), i18n.Load(language))
				acts := story.World(t, stage.Counter, func(by time.Duration) { stage.after(by) }, func() { stage.tick() })
				maps.Copy(acts, stage.acts())
				return story.Stage{
					Acts: acts, States: stage.states(), Settle: func() { stage.tick() },
					Account: func() string { return story.Account(t, stage.Store()) },
				}
			})
		})
	}
}

// stage plays stories in the line mode. Each act types a line.
type stage struct {
	*talk
	told  map[string]bool  // The outcomes that the line mode has announced. It announces each of them once.
	tills map[string]*talk // The other tills, by name.
	paper func() string    // Returns what the printer has printed.
}

func (s *stage) begin(t *testing.T, shop *shoptest.Counter, texts i18n.Texts, settings ...func(*plain.Config)) {
	t.Helper()
	settings = append(settings, func(c *plain.Config) {
		c.Texts = texts
		c.Tenders = story.Tenders()
	})
	s.talk = begin(t, shop, settings...).sees(texts.Plain.Hello)
}

// use makes another till of the shop the current one. If that till's line mode was not started
// before, use starts it.
func (s *stage) use(till string) {
	s.tills[s.config.Till] = s.talk
	if other := s.tills[till]; other != nil {
		s.talk = other
	} else {
		s.begin(s.t, s.Counter, s.config.Texts, func(c *plain.Config) { c.Till = till })
	}
	s.tick()
}

func (s *stage) restart(settings ...func(*plain.Config)) {
	s.stop()
	<-s.ended
	clear(s.told)
	s.begin(s.t, s.Counter, s.config.Texts, settings...)
}

func (s *stage) acts() map[string]func(string) {
	verbs := s.config.Texts.Verbs
	types := func(says string) func(string) {
		return func(rest string) { s.types(strings.TrimSpace(word(says) + " " + rest)) }
	}
	nothing := func(string) {} // The line mode has no screens that could be left or opened.
	return map[string]func(string){
		"add":  func(entry string) { s.types(entry) },
		"scan": func(code string) { s.types(code) },
		"till": s.use,
		"printer": func(string) {
			var printer receipt.Config
			printer, s.paper = story.Printer(s.t, s.config.Texts)
			s.restart(func(c *plain.Config) { c.Receipts = printer })
		},
		"prints": func(string) { s.types(word(verbs.Print)).sees(s.config.Texts.Receipt.Sent) },
		"charge": types(verbs.Charge),
		"yes": func(tender string) {
			if tender != "" { // No order is made.
				s.types(s.config.Texts.Plain.Yes[0])
				return
			}
			s.yes()
		},
		"no":   types(s.config.Texts.Plain.No[0]),
		"cash": types(s.config.Texts.TenderVerbs["cash"]),
		"card": func(string) { s.types(word(s.config.Texts.TenderVerbs["card"])) },
		"bill": func(name string) {
			s.types(word(s.config.Texts.TenderVerbs["account"]) + " " + name).sees(s.config.Texts.Debts.Repeat.With(name))
			s.types(word(s.config.Texts.TenderVerbs["account"]) + " " + name)
		},
		"pays":   types(verbs.Debts),
		"hold":   types(verbs.Hold),
		"resume": types(verbs.Resume),
		"undo":   types(verbs.Undo),
		"again":  types(verbs.Again),
		"send": func(string) {
			s.types(word(verbs.Again))
			s.yes()
		},
		"leave": nothing,
		"back":  nothing,
		"open":  nothing,
		"next": func(string) {
			order := s.order()
			if order.Reference == "" || order.Facts.Acknowledged {
				return
			}
			if s.types(word(verbs.Done)); order.Payable(s.Now()) {
				s.types(s.config.Texts.Plain.Yes[0])
			}
		},
		"deaf": func(string) {
			s.health.Store(&payments.Health{})
			s.tick()
		},
		"restart": func(string) { s.restart() },
	}
}

// yes answers the question whether to create an order with yes, and waits for the order call. If
// the till cannot notice payments, the line mode does not ask this question.
func (s *stage) yes() {
	s.types(s.config.Texts.Plain.Yes[0])
	if s.health.Load().Listening {
		clear(s.told)
		s.sees(s.config.Texts.Pay.Sending)
	}
}

func (s *stage) states() map[string]func(string) {
	texts := s.config.Texts
	sum := func(rest string) string { return i18n.Money(story.Amount(s.t, rest)) }
	states := map[string]func(rest string){
		"empty": func(string) { s.types(word(texts.Verbs.Lines)).sees(texts.Plain.Empty) },
		"total": func(rest string) { s.types(word(texts.Verbs.Lines)).sees(texts.Plain.Total.With(sum(rest))) },
		"part": func(rest string) {
			part, total, _ := strings.Cut(rest, " ")
			s.sees(texts.Cash.RestByLink.With(i18n.Money(story.Amount(s.t, total) - story.Amount(s.t, part))))
		},
		"stays": func(rest string) { s.sees(story.Part(s.t, texts, counter.AskLess, rest)) },
		"owes":  func(rest string) { story.Owes(s.t, s.Counter, rest) },
		"owing": func(rest string) {
			name, amount, _ := strings.Cut(rest, " ")
			s.types(word(texts.Verbs.Debts) + " " + name).sees(texts.Debts.Owes.With(name, sum(amount)))
		},
		"weighs": func(rest string) {
			label, unit, _ := strings.Cut(rest, " ")
			s.sees(texts.Hints.HowMany.With(label, unit, "g"))
		},
		"paper": func(rest string) {
			tuitest.Equal(s.t, s.paper(), rest, "receipts and copies")
		},
		"orders": func(rest string) {
			tuitest.Equal(s.t, fmt.Sprint(len(s.All())), rest, "orders")
		},
		"seen": func(string) { s.types(word(texts.Verbs.Done)).sees(texts.Plain.NoNews) },
		"board": func(rest string) {
			if s.types(word(texts.Verbs.Waiting)); rest == "0" {
				s.sees(texts.Board.Empty)
				return
			}
			number, _, _ := strings.Cut(texts.Plain.Listed.With(story.Amount(s.t, rest), "|", "", ""), "|")
			s.sees("> " + number) // In every story, the list has only one order, which is also the last.
		},
		"carded": func(amount string) { s.sees(texts.TenderWords["card"], sum(amount)) },
		"change": func(rest string) {
			if s.told[rest] {
				return
			}
			s.told[rest] = true
			paid, change, _ := strings.Cut(rest, " ")
			given := story.Amount(s.t, paid) + story.Amount(s.t, change)
			said := texts.Cash.Said.With(sum(paid), i18n.Money(given), sum(change), "T1-")
			s.sees(strings.TrimSuffix(said, "."))
		},
		"asks": func(rest string) {
			kind, amount, _ := strings.Cut(rest, " ")
			asked := story.Question(texts, kind, story.Amount(s.t, amount), s.order(), s.Now())
			s.sees(strings.Join(strings.Fields(asked), " ")) // The line mode asks in one line.
		},
	}
	for word, verdict := range story.Verdicts() {
		states[word] = func(amount string) { s.tells(verdict, amount) }
	}
	states["news"] = func(rest string) {
		word, amount, _ := strings.Cut(rest, " ")
		s.tells(story.Verdicts()[word], amount)
	}
	return states
}

// tells waits until the line mode announces the verdict of an order. If the line mode has already
// announced it, tells asks for it again.
func (s *stage) tells(verdict payments.Verdict, amount string) {
	s.t.Helper()
	order := payments.Order{Status: payments.StatusPending}
	if verdict == payments.VerdictNotPaid {
		order = s.order() // The words for an unpaid order depend on its event, so read the order again.
	}
	said := s.config.Texts.Plain.Outcome.With(badge.Of(s.config.Texts, order, verdict).Name, i18n.Money(story.Amount(s.t, amount)), "|", "")
	said, _, _ = strings.Cut(said, ",")
	if s.told[said] {
		s.types(word(s.config.Texts.Verbs.Link) + " " + s.order().Reference)
	}
	s.told[said] = true
	s.sees(said)
}

func (s *stage) order() payments.Order { return append(s.All(), payments.Order{})[0] }

// word returns the first word of a command. says is the text of the help about the command.
func word(says string) string {
	return strings.FieldsFunc(says, func(r rune) bool { return strings.ContainsRune(",: ", r) })[0]
}
