package today_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/today"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func (s *till) cash(item payments.Item) drawer.CounterSale {
	return s.Sell(shoptest.Terms("", item), shoptest.Cash())
}

func (s *till) types(text string) *till { return s.Keys(strings.Split(text, "")...) }

func (s *till) closings(t *testing.T) []drawer.Closing {
	t.Helper()
	found, err := s.Closings(t.Context(), money.Period{To: s.Now().AddDate(1, 0, 0)})
	tuitest.Must(t, err)
	return found
}

// fates makes sales with every outcome on one day: paid, cash, voided, refunded from the drawer and
// by the service, refused, waiting. It returns the takings to expect by mobile money and in cash.
func fates(s *till) (mobile, cash money.Ariary) {
	s.Pay(s.Charge("", shoptest.Vary())) // 7 000.
	s.cash(payments.Item{Label: "Savony", UnitPrice: 1200, Quantity: 2})
	wrong := s.cash(payments.Item{Label: "Menaka 1 L", UnitPrice: 9500, Quantity: 1})
	s.Fail(s.Charge(""), "Solde insuffisant")
	s.Charge("")
	fromDrawer, byService := s.Pay(s.Charge("", shoptest.Coca())), s.Pay(s.Charge("", shoptest.Vary()))
	s.Refund(fromDrawer.Reference, 500, true)
	s.Refund(byService.Reference, 0, false)
	s.Void(wrong.Number)
	return 7000 + 2000 - 500, 2400
}

// After a closing, the screen suggests the last float. The movement counts for the day that began
// at 04:00.
func TestTheLastFloatIsProposedAfterAClosing(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.Enter().Keys("f").Lacks("as last time")
	s.Keys("enter").Sees("How much")
	s.types("50000").Keys("enter", "c", "enter")
	s.Keys("x", "f").Sees("Enter alone: 50 000 Ar, as last time")
	s.Keys("enter").Sees("50 000")
	open, err := s.Account(t.Context(), "T1")
	tuitest.Must(t, err)
	if open.Moves[drawer.Float] != (money.Sum{Count: 1, Amount: 50000}) || open.LastFloat != 0 {
		t.Errorf("got %+v", open)
	}
}

// Where days begin at 04:00, the sales of the evening still belong to today at 01:30. This must
// hold for all sums of a day.
func TestTheDayMayEndAfterMidnight(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.DayBegins = 4 * time.Hour
	s.Pay(s.Charge("", shoptest.Vary()))
	s.After(13*time.Hour + 30*time.Minute) // From 12:00 to 01:30.
	s.cash(payments.Item{Label: "Savony", UnitPrice: 1200, Quantity: 1})
	s.Enter().Sees("8 200")
	day, err := s.Day(t.Context(), s.DayOf(s.Now().In(shoptest.Zone())))
	tuitest.Must(t, err)
	tuitest.Equal(t, day.Taken().Amount, 8200, "the takings of the day")
}

func TestABlindCountHidesTheExpectedCash(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.BlindCount = true
	s.cash(payments.Item{Label: "Savony", UnitPrice: 1200, Quantity: 2})
	s.Enter().Keys("f")
	s.types("50000").Keys("enter").Sees("after the count").Lacks("52 400")
	s.Keys("x").Sees("after the count").Lacks("52 400", "2 400")
	s.Keys("x", "c").Sees("the sums are shown after the count").Lacks("52 400")
	s.Keys("esc", "m")
	s.types("52400").Keys("enter").Sees("52 400").Lacks("after the count")
}

func TestADayWithEveryFateIsClosed(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	mobile, cash := fates(s)
	s.Enter().Keys("f").Sees("How much is put in the drawer")
	s.types("50 000").Keys("enter", "f").Sees("The float is 50 000 Ar. How much is added to it?")
	s.Keys("esc", "i").types("20000").Keys("enter").Sees("Add the reason after the amount.")
	s.types(" change from the bank").Keys("enter").Lacks("Add the reason")
	s.Keys("o").types("bread 5000").Keys("enter").Sees("Begin with an amount")
	s.Keys("esc", "o").types("5 000 bread").Keys("enter")
	// 66 900 = 50 000 + 20 000 - 5 000 + 2 400 + 9 500 - 9 500 - 500.
	s.Sees("Expected 66 900", "Put in +20 000", "Paid out −5 000", "Refunds −500", "Voids −9 500", "Cash in, 2 sales +11 900")
	s.Keys("c").Sees("Close the day for till T1?", "Drawer: 66 900 expected, not counted yet", "1 WAITING").Press("esc")
	s.Advance(5 * time.Hour)
	s.Keys("m").types("66400").Keys("enter").Sees("Counted, 17:00 T1 66 400", "Difference ! −500").Lacks("are missing").Fits()
	s.Keys("m").Resize(120, 34).Sees("─ Count the drawer ─").Press("esc")
	s.Keys("c").Sees("─ Close the till ─", "not yet").Resize(80, 22).Sees("4 sales so far: 10 900 Ar.", "Mobile money 9 000 (3), cash 1 900 (1).", "66 400 of 66 900, 500 Ar are missing").Fits()
	for _, size := range [][2]int{{80, 22}, {40, 12}, {120, 34}} {
		s.Resize(size[0], size[1]).Sees("Close the day for till T1?", "Enter   closes and shows the Z").Fits()
	}
	s.Keys("enter").Sees("Z T1-GT-0001 · till T1", "closed by T1", "21/11/2026 17:00", "Paid out -5 000", "21/11 12:00 T1: bread", "Grand total 10 900", "Seal ", "Expected 66 900").Lacks("Close the day", "X: not closed yet")
	s.Keys("esc").Sees("Expected 0").Lacks("Counted")
	made := s.closings(t)
	if len(made) != 1 || made[0].Taken() != (money.Sum{Count: 4, Amount: mobile + cash}) || made[0].Expected() != 66_900 {
		t.Errorf("got the closings %+v", made)
	}
	s.Keys("c").Lacks("Close the day") // An empty account cannot be closed.
	s.cash(shoptest.Coca())
	s.Advance(24 * time.Hour)
	s.Enter().Sees("Cash in, 1 sale +2 000").Lacks("Z T1-GT-0001")
	s.Keys("left").Sees("Closings", "Z T1-GT-0001 · 17:00 · T1 10 900").Lacks("Expected")
	s.Keys("x").Sees("Expected 66 900")
}

func TestMoneyOfAnOrderToCheckIsInThisClosing(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	trade(s)
	s.Enter().Sees("9 000 Ar of it to check")
	s.Keys("c").Sees("7 sales so far: 64 500 Ar", "next closing", "1 WAITING").Lacks("1 CHECK")
}

func TestTheTakingsAndTheLastOutcomesIncludeCash(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	fates(s)
	s.After(time.Second)
	pane := s.Harness().Screen.Report().Pane(42, 25)
	tuitest.Contains(t, pane, "4 sales", "¤ CASH", "2 400", "¤ VOIDED")
	sales, err := s.CounterSales(t.Context(), money.Period{To: s.Now().AddDate(1, 0, 0)})
	tuitest.Must(t, err)
	says, hours := s.Harness().Screen.Report().RaisedBy(sales[0].Number, 2400)
	if says != "taken today 8 500 ──▸ 10 900 Ar · 4 sales" || !strings.Contains(strings.Join(hours, "\n"), "12") {
		t.Errorf("the takings with a cash sale: %q, by hour\n%s", says, strings.Join(hours, "\n"))
	}
	s.Enter().Sees("4 sales · 2 725 Ar a sale", "¤ CASH 2", "11 900", "¤ VOIDED 1", "−9 500")
}

func TestAClosingIsPrinted(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	fates(s)
	s.Enter().Keys("p").Lacks("No printer is set")
	shop := receipt.Shop{Name: "Soa", NIF: "1000000001", STAT: "47111 11 2026", VAT: 20}
	s.Send(func(m today.Model) today.Model {
		m.Receipts.Shop = shop
		return m
	})
	s.Keys("c", "enter").Sees("Z T1-GT-0001", "p print")
	s.Keys("p").Sees("No printer is set: till guide shop shows how")
	paper := filepath.Join(t.TempDir(), "paper")
	tuitest.Must(t, os.WriteFile(paper, nil, 0o600))
	s.Send(func(m today.Model) today.Model {
		m.Receipts = receipt.Config{Printer: receipt.Printer{Address: paper}, Columns: 32, Shop: shop}
		return m
	})
	s.Keys("p").Sees("Sent to the printer.")
	printed, err := os.ReadFile(paper)
	tuitest.Must(t, err)
	tuitest.Contains(t, string(printed), "SOA", "NIF 1000000001", "STAT 47111", "Z T1-GT-0001", "/2026", "Expected", "1 900", "Takings", "20 %", "Grand total", "Seal")
	tuitest.Must(t, os.Remove(paper))
	s.Keys("p").Sees("Switch it on").Lacks("Sent to the printer.")
}

func TestAWriteErrorLeavesTheAccountOpen(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	fates(s)
	s.Enter().Keys("c").Sees("Close the day")
	s.Break()
	s.Keys("enter").Sees("could not be written").Lacks("Close the day")
}

func TestTheDayIsReadAgainAfterAFailedRead(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.Enter().Sees("Nothing was sold.")
	s.Pay(s.Charge("S1", shoptest.Vary()))
	s.Hold().After(2 * time.Second)
	s.Break()
	s.Release().Sees("Nothing was sold.")
	s.Mend()
	s.Advance(2 * time.Second)
	s.Send(counter.Picture{Now: s.Now()}) // The console sends it every second, although nothing has changed.
	s.Lacks("Nothing was sold.")
}

func TestTheDrawerNeedsAPINInAShopWithCashiers(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.Hire()
	s.Enter().Keys("f").types("50000").Keys("enter", "down").Sees("Who answers for this?", "› Soa")
	s.types(shoptest.SoasPIN).Keys("enter").Sees("Expected 50 000")
	s.Advance(24 * time.Hour)
	s.Enter().Keys("c", "enter", "down").types(shoptest.SoasPIN).Keys("enter").Sees("This account began on an earlier day", "› Soa")
	s.Keys("up").types("4712").Keys("enter").Sees("The name or the PIN is wrong.")
	if !s.Harness().Screen.Meaning().Typing {
		t.Error("a character is not text at the PIN question")
	}
	s.types(shoptest.HasinasPIN).Keys("enter").Sees("Z T1-GT-0001 · till T1", "closed by Hasina", "▟▙", "Seal")
	if got := s.closings(t); len(got) != 1 || got[0].Moves[drawer.Float].Amount != 50_000 {
		t.Errorf("got the closings %+v", got)
	}
}

func TestTheSalesOfTheMonthAreExported(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	s := dressed(t, "fr", theme.Plain())
	fates(s)
	s.Enter().Keys("e").Sees("Les ventes du mois sont dans", "till-2026-11.csv").Fits()
	table, err := os.ReadFile(filepath.Join(home, "till-2026-11.csv"))
	tuitest.Must(t, err)
	want := "2026-11-21;12:00;;T1;;T1-GT-C-000002;Menaka 1 L;Espèces;9500;9500;annulée;0\r\n"
	if !strings.HasPrefix(string(table), "\ufeffJour;Heure;") || !strings.Contains(string(table), want) {
		t.Errorf("got\n%s", table)
	}
	tuitest.Must(t, os.Mkdir(filepath.Join(home, "till-2026-11.csv.new"), 0o700))
	s.Keys("e").Sees("Les ventes n'ont pas été exportées").Fits()
	if earlier, err := os.ReadFile(filepath.Join(home, "till-2026-11.csv")); err != nil || !bytes.Equal(earlier, table) {
		t.Errorf("a failed export changed the earlier file: %v", err)
	}
}

func TestTheDemoExportsIntoAFileOfItsOwn(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	s := &till{}
	s.Counter = shoptest.Open(t)
	s.Put(s, today.New(live.Console{
		Service: s.Service, Run: s.Run, Receipts: receipt.Config{Shop: receipt.Shop{Demo: true}}, Zone: shoptest.Zone(), Theme: theme.Plain(), Texts: i18n.Load("en"),
	}), 120, 34).Look()
	s.Enter().Keys("e").Sees("till-demo-2026-11.csv")
	if _, err := os.Stat(filepath.Join(home, "till-2026-11.csv")); err == nil {
		t.Error("the demo wrote the file of a real shop")
	}
}

func TestASoldWeightIsShownInItsUnit(t *testing.T) {
	s := dressed(t, "fr", theme.Plain())
	rice, err := payments.NewMeasured(payments.Measure{Article: "Vary mena", Thousandths: 1250, Unit: "kg", Price: 2500}, "Vary mena 1,25 kg")
	tuitest.Must(t, err)
	s.cash(rice)
	s.Enter().Sees("Vary mena  1,25 kg  ━", "━  3 125").Fits()
}

// The drawer opens after each movement of cash, before a count, and by a key, which is recorded. In
// a shop with cashiers, the key needs a PIN, and a count does not open the drawer.
func TestTheDrawerOpens(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	paper := filepath.Join(t.TempDir(), "paper")
	tuitest.Must(t, os.WriteFile(paper, nil, 0o600))
	s.Send(func(m today.Model) today.Model {
		m.Receipts = receipt.Config{Printer: receipt.Printer{Address: paper}, Columns: 32}
		return m
	})
	pulses := 0
	opens := func(what string, times int) {
		t.Helper()
		printed, err := os.ReadFile(paper)
		tuitest.Must(t, err)
		tuitest.Equal(t, strings.Count(string(printed), "\x1bp\x00")-pulses, times, "%s: times that the drawer opened", what)
		pulses += times
	}
	s.Enter().Keys("f").Type("50000").Press("enter")
	opens("a float", 1)
	s.Keys("o").Type("500 bread").Press("enter")
	opens("money out", 1)
	s.Keys("i").Type("700 change").Press("enter")
	opens("money in", 1)
	s.Keys("m")
	opens("before a count", 1)
	s.Type("50200").Press("enter")
	opens("after a count", 0)
	s.Keys("k").Sees("Open the drawer?")
	opens("a question", 0)
	s.Keys("enter")
	opens("the key", 1)
	s.After(time.Second)
	s.Keys("x").Sees("Drawer opened 2 ×")
	s.Keys("esc")
	s.Hire()
	s.Keys("m").Keys("esc", "k").Keys("enter")
	opens("without a PIN", 0)
}

// The newest count must be in view, also in a window where the day is one text that scrolls.
func TestTheLastCountIsInView(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	fates(s)
	s.Enter().Resize(50, 28)
	s.Keys("f").types("50000").Keys("enter", "m").types("51400").Keys("enter", "m").types("100").Keys("enter")
	s.Sees("Counted, 12:00 T1", "−51 800").Lacks("51 400")
	for _, question := range []string{"m", "c"} {
		s.Keys(question).Sees("Expected", "Counted, 12:00 T1", "−51 800").Lacks("By outcome").Fits()
		s.Keys("esc").Sees("By outcome ─────")
	}
	for height := 28; height < 44; height++ {
		_, below, shown := strings.Cut(s.Resize(50, height).View(), "Last outcomes ─")
		if shown && strings.Count(strings.TrimSpace(below), "\n") < 2 {
			t.Errorf("%d rows show the title of a part, and nearly nothing of the part\n%s", height, s.View())
		}
	}
	s.Resize(50, 28)
	if rows := strings.Split(s.View(), "\n"); strings.TrimSpace(rows[1]) != "" || !strings.HasPrefix(rows[2], " ▄█  █▀▀█") || !strings.HasPrefix(rows[6], " 4 sales") {
		t.Errorf("no blank row is below the title, or the parts do not begin in the same column\n%s", strings.Join(rows, "\n"))
	}
}

// When the shop's day ends, the slip is open until the new day is read.
func TestTheDayEndsWhileTheSlipIsOpen(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	s.Enter().Keys("x").Sees("X: not closed yet")
	screen, _ := s.Harness().Screen.Update(counter.Picture{Now: s.Now().Add(24 * time.Hour), Changed: true})
	tuitest.Lacks(t, screen.View(), "X: not closed yet")
	s.Keys("esc").Left(0).Lacks("X: not closed yet")
}

// A debt of 7 000 is written off. Later its sale is voided, so the debt never was.
func TestAWrittenOffDebtIsALoss(t *testing.T) {
	s := dressed(t, "en", theme.Plain())
	sale := s.Lend("Rabe", 7000)
	tuitest.Must(t, s.WriteOff(t.Context(), shoptest.Till, "Rabe", sale.Amount, "moved away", staff.Identity{}))
	s.After(time.Second)
	s.Enter().Sees("written off", "−7 000")
	s.Keys("esc")
	s.Void(sale.Number)
	s.After(time.Second)
	s.Enter().Sees("VOIDED").Lacks("written off")
}
