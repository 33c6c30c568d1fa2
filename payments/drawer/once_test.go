package drawer_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

var errAway = errors.New("the database is away")

// losing is a store that can lose the answer to its next commit, and then be unavailable.
type losing struct {
	drawer.Store
	lost   string // What happens to the next commit: "stored" or "not stored"; "" if the answer arrives.
	errors int    // How many of the following calls fail.
}

func (s *losing) Update(ctx context.Context, change func(payments.Tx) error) error {
	lost := s.lost
	s.lost = ""
	switch {
	case lost == "" && s.errors > 0:
		s.errors--
		return errAway
	case lost == "":
		return s.Store.Update(ctx, change)
	case lost == "not stored":
		storagetest.Rehearse(ctx, s.Store, change)
	default:
		if err := s.Store.Update(ctx, change); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w (connection reset)", payments.ErrCommitUnknown)
}

// losingTill is a till with a paid order and a cash sale. It has another cash sale and another
// order, each with a refund of 500.
type losingTill struct {
	*till
	store         *losing
	order         payments.Order
	sale          drawer.CounterSale
	orderRefunded ledger.Transfer
	saleRefunded  ledger.Transfer
}

func newLosing(t *testing.T) losingTill {
	t.Helper()
	store := &losing{Store: openStore(t)}
	made := losingTill{till: newTill(store), store: store}
	made.order = made.till.order(t, "S1")
	made.pay(t, made.order)
	made.sale = made.cash(t, "S2")
	made.orderRefunded = made.refund(t, "T1", made.till.order(t, "S8").Reference, false, 500)
	made.saleRefunded = made.refund(t, "T1", made.cash(t, "S9").Number, true, 500)
	return made
}

// state returns the stored data that the acts change.
func (s losingTill) state(t *testing.T) string {
	t.Helper()
	sales, err := s.CounterSales(t.Context(), s.today())
	must(t, err)
	for i := range sales {
		sales[i].Sale = "" // The ID of a sale is random.
		if sale := sales[i]; sale.Voided() && sale.Reason() != "mistake" {
			t.Errorf("voided because of %q", sale.Reason())
		}
	}
	closings := s.closings(t, s.today())
	account, order := s.account(t, "T1"), s.find(t, s.order.Reference)
	return fmt.Sprintf("%+v %+v %+v %+v %+v", account, sales, closings, order.Findings, s.find(t, s.orderRefunded.Payment.Ref).Transfers)
}

// act makes a change of the drawer with a service, and returns the result of the change.
type act func(ctx context.Context, s losingTill, service *drawer.Service) (any, error)

func move(kind drawer.Kind) act {
	return func(ctx context.Context, _ losingTill, service *drawer.Service) (any, error) {
		return service.Move(ctx, "T1", kind, 500, "why", staff.Identity{})
	}
}

// acts returns every kind of change that must not be made twice.
func acts() map[string]act {
	return map[string]act{
		"a float": move(drawer.Float), "money in": move(drawer.In), "money out": move(drawer.Out), "a count": move(drawer.Count),
		"a cash sale": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			sale, err := service.Take(ctx, by("Soa", terms(s.NewSale("T1").ID)), drawer.Paying{Tender: drawer.TenderCash, Given: 10_000})
			sale.Sale = "" // It is random.
			return sale, err
		},
		"a void": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			sale, err := service.VoidSale(ctx, "T1", s.sale.Number, "mistake", staff.Identity{})
			return sale.Voided(), err
		},
		"a refund of a cash sale": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			return nil, service.Refund(ctx, "T1", drawer.Given{Ref: s.sale.Number, InCash: true, Amount: 1000, Net: 7000, Note: "broken"}, staff.Identity{})
		},
		"a refund of an order": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			return nil, service.Refund(ctx, "T1", drawer.Given{Ref: s.order.Reference, Amount: 1000, Net: 7000, Note: "broken"}, staff.Identity{})
		},
		"a refund of an order that is taken back": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			return nil, service.TakeBack(ctx, "T1", s.orderRefunded.Payment.Ref, s.orderRefunded.ID, "a mistake", staff.Identity{})
		},
		"a refund of a cash sale that is taken back": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			return nil, service.TakeBack(ctx, "T1", s.saleRefunded.Payment.Ref, s.saleRefunded.ID, "a mistake", staff.Identity{})
		},
		"a finding": func(ctx context.Context, s losingTill, service *drawer.Service) (any, error) {
			found, err := service.Resolve(ctx, s.order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: "looked", Seen: payments.VerdictPaid, Net: 7000}, staff.Identity{})
			if err != nil {
				return nil, err
			}
			return *found.Finding, nil
		},
		"a closing": func(ctx context.Context, _ losingTill, service *drawer.Service) (any, error) {
			closing, err := service.Close(ctx, "T1", "Soa", 0, staff.Identity{})
			return closing.Number, err
		},
	}
}

func TestAChangeIsMadeOnceWhenTheAnswerToItsCommitIsLost(t *testing.T) {
	for name, do := range acts() {
		plain := newLosing(t)
		want, err := do(t.Context(), plain, plain.Service)
		must(t, err)
		state := plain.state(t)
		check := func(t *testing.T, s losingTill, got any, err error) {
			t.Helper()
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || s.state(t) != state {
				t.Errorf("got %v, %v, want %v; state\n%s\nwant\n%s", got, err, want, s.state(t), state)
			}
		}
		for _, lost := range []string{"stored", "not stored"} {
			t.Run(fmt.Sprint(name, ", ", lost, ", the database comes back"), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newLosing(t)
					s.store.lost, s.store.errors = lost, 3
					once := s.Once("1")
					got, err := do(t.Context(), s, once)
					if check(t, s, got, err); once.Repeated() {
						t.Error("the change counts as a repeated one")
					}
				})
			})
			t.Run(fmt.Sprint(name, ", ", lost, ", the database stays away"), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newLosing(t)
					s.store.lost, s.store.errors = lost, 1000
					began := time.Now()
					ctx := t.Context()
					if lost == "stored" { // The caller does not wait so long.
						limited, cancel := context.WithTimeout(ctx, time.Second)
						defer cancel()
						ctx = limited
					}
					_, err := do(ctx, s, s.Service)
					unknown, is := errors.AsType[*drawer.UnknownError](err)
					if !is || !errors.Is(err, payments.ErrCommitUnknown) || time.Since(began) > 11*time.Second {
						t.Fatalf("error %v after %v", err, time.Since(began))
					}
					s.store.errors = 0
					for i := range 2 {
						again := s.Once(unknown.ID)
						got, err := do(t.Context(), s, again)
						check(t, s, got, err)
						if want := i > 0 || lost == "stored"; again.Repeated() != want {
							t.Errorf("call %d is a repeated one: %v, want %v", i, again.Repeated(), want)
						}
					}
				})
			})
		}
	}
}

func TestACashSaleIsFoundByItsID(t *testing.T) {
	s := newLosing(t)
	sale, err := s.Once("a").Take(t.Context(), terms("S3"), inCash())
	must(t, err)
	if found, err := s.CashOf(t.Context(), "a"); err != nil || found.Number != sale.Number {
		t.Errorf("got %+v, %v", found, err)
	}
	mustFail(t, failure(s.CashOf(t.Context(), "b")), drawer.ErrNotFound)
}

func TestAnIDIsOfOneChange(t *testing.T) {
	s := newLosing(t)
	once := s.Once("evening")
	must(t, failure(move(drawer.Count)(t.Context(), s, once)))
	mustFail(t, failure(once.Move(t.Context(), "T1", drawer.Count, 501, "why", staff.Identity{})), drawer.ErrIDTaken)
	mustFail(t, failure(move(drawer.Float)(t.Context(), s, once)), drawer.ErrIDTaken)
	mustFail(t, failure(once.Close(t.Context(), "T1", "Soa", 0, staff.Identity{})), drawer.ErrIDTaken)
	must(t, failure(move(drawer.Count)(t.Context(), s, s.Service))) // A change without an ID is another change.
	if moves := s.account(t, "T1").Moves; moves[drawer.Float].Count != 0 {
		t.Errorf("got %v", moves)
	}
}

// A change may be repeated after an upgrade, so a later version must compute the same digest.
func TestTheDigestOfAChangeIsAlwaysTheSame(t *testing.T) {
	store := openStore(t)
	s := newTill(store)
	sale := terms("S1")
	measured, err := payments.NewMeasured(payments.Measure{Article: "Vary", Thousandths: 1200, Unit: "kg", Price: 2500}, "Vary 1,2 kg")
	must(t, err)
	sale.Items = append(sale.Items, measured)
	must(t, failure(s.Once("sale").Take(t.Context(), by("Soa", sale), drawer.Paying{Tender: drawer.TenderCash, Given: 20_000})))
	must(t, failure(s.Once("out").Move(t.Context(), "T1", drawer.Out, 500, "bread", staff.Identity{})))
	given := drawer.Given{Ref: "T1-GT-C-000001", InCash: true, Amount: 1000, Net: 10_000, Note: "broken"}
	must(t, s.Once("refund").Refund(t.Context(), "T1", given, staff.Identity{}))
	must(t, failure(s.Once("closing").Close(t.Context(), "T1", "Soa", 20, staff.Identity{})))
	for id, want := range map[string]string{
		"sale":    "bfefef329368c71244a53bfcc716b9d578701f0c5c04a290827da435ad483159",
		"out":     "1abaa0e97c0ecefdd60e6ec950f88891ec1a688926cded5f256447faf53fddbe",
		"refund":  "659740ef559949a2b519c3765518bdd087f9b47b554d7750060cf699aa7f6aca",
		"closing": "4de622aa7920008b2431ca6760c1e958b6a1e88228bc2027c6d2a520436ba6e8",
	} {
		must(t, store.Update(t.Context(), func(tx payments.Tx) error {
			request, err := tx.(drawer.Tx).Request(id)
			if got := hex.EncodeToString(request.Digest[:]); got != want {
				t.Errorf("the digest of %s is %s, want %s", id, got, want)
			}
			return err
		}))
	}
}

func TestARefusalAfterALostAnswerIsNoUnknownChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLosing(t)
		s.store.lost, s.store.errors = "not stored", 3
		time.AfterFunc(100*time.Millisecond, func() { // Another till, whose connection works, voids the sale first.
			must(t, failure(newTill(s.store.Store).VoidSale(t.Context(), "T2", s.sale.Number, "mistake", staff.Identity{})))
		})
		mustFail(t, failure(s.VoidSale(t.Context(), "T1", s.sale.Number, "mistake", staff.Identity{})), drawer.ErrVoided)
	})
}

// A wrong PIN is counted once, even if the answer to its commit is lost.
func TestALostAnswerToAWrongPINIsNoUnknownChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLosing(t)
		owner, _ := s.hire(t)
		s.store.lost, s.store.errors = "stored", 2
		wrong := staff.Identity{Name: owner.Name, PIN: secret.New("2580")}
		mustFail(t, failure(s.Move(t.Context(), "T1", drawer.Float, 500, "", wrong)), staff.ErrWrongPIN)
		must(t, failure(s.Move(t.Context(), "T1", drawer.Float, 500, "", owner)))
	})
}
