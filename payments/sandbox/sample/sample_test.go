package sample_test

import (
	"maps"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/sample"
	"checkout/till/payments/secret"
	"checkout/till/storage/storagetest/sqlitetest"
)

// fill stores the sample day in a new database. It returns the shop's service and the sandbox.
func fill(t testing.TB, settled bool) (*drawer.Service, *sandbox.Sandbox) {
	t.Helper()
	now := sample.Now(time.Date(2026, 11, 21, 23, 59, 0, 0, time.FixedZone("EAT", 3*3600)))
	clock := func() time.Time { return now }
	store := sqlitetest.Open(t)
	service := drawer.New(store, payments.New(store, nil, clock))
	must(t, service.AddArticles(t.Context(), sample.Articles()))
	box, err := sandbox.New(sandbox.Config{
		Token: secret.New("TGP_test_not_a_real_token"), WebhookSecret: secret.New("whsec_demo_0123456789abcdef"), Now: clock,
	})
	must(t, err)
	day := sample.Day{Till: "T1", Reached: now, Sandbox: box, Address: "http://127.0.0.1:8791", Settled: settled}
	must(t, day.Fill(t.Context(), store))
	return service, box
}

func orders(t testing.TB, service *drawer.Service) []payments.Order {
	t.Helper()
	orders, err := service.Orders(t.Context(), payments.Query{Limit: 1000})
	must(t, err)
	return orders
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheSampleDayHasEveryOutcome(t *testing.T) {
	service, _ := fill(t, false)
	got := map[payments.Verdict]int{}
	for _, order := range orders(t, service) {
		got[order.Verdict(payments.Conditions{}, service.Now())]++
	}
	want := map[payments.Verdict]int{
		payments.VerdictPaid: 25, payments.VerdictNotPaid: 6, payments.VerdictWaiting: 2, payments.VerdictCheck: 1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	sales, err := service.Sales(t.Context(), "T1")
	if err != nil || len(sales) != 1 || sales[0].Name != "11:37" {
		t.Errorf("got the held sales %v, %v", sales, err)
	}
}

func TestTheSampleDayHasACallForEachOrder(t *testing.T) {
	service, _ := fill(t, false)
	calls := sample.Calls(service.Now())
	if got := orders(t, service); len(calls) != len(got) || !calls[0].At.Equal(got[len(got)-1].CreatedAt) || !calls[len(calls)-1].At.Equal(got[0].CreatedAt) {
		t.Errorf("got %d calls for %d orders", len(calls), len(got))
	}
}

// The question whether to close counts since the last closing, and F10 counts the day: both show the
// same sales.
func TestTheSampleMorningBeginsAfterAClosing(t *testing.T) {
	service, _ := fill(t, false)
	account, err := service.Account(t.Context(), "T1")
	must(t, err)
	if taken := account.Taken(); account.Since.IsZero() || taken.Count != 34 {
		t.Errorf("got %d sales since %v", taken.Count, account.Since)
	}
}

func TestASettledDayHasNothingToDo(t *testing.T) {
	service, _ := fill(t, true)
	for _, order := range orders(t, service) {
		verdict := order.Verdict(payments.Conditions{}, service.Now())
		if verdict != payments.VerdictPaid && verdict != payments.VerdictNotPaid {
			t.Errorf("%s is %s", order.Reference, verdict)
		}
	}
	if sales, err := service.Sales(t.Context(), "T1"); err != nil || len(sales) > 0 {
		t.Errorf("got the held sales %v, %v", sales, err)
	}
}

func TestTheSampleDayIsTheSameEachTime(t *testing.T) {
	one, _ := fill(t, false)
	other, _ := fill(t, false)
	again := orders(t, other)
	for n, order := range orders(t, one) {
		if got := again[n]; got.Reference != order.Reference || got.Amount != order.Amount || got.Status != order.Status ||
			!got.CreatedAt.Equal(order.CreatedAt) || !got.CountedAt().Equal(order.CountedAt()) {
			t.Errorf("order %d is\n%+v, and then\n%+v", n, order, got)
		}
	}
}

func TestTheWaitingPaymentsOfTheSampleDayCanBePaid(t *testing.T) {
	service, box := fill(t, false)
	waiting := box.Orders()
	if len(waiting) != 2 {
		t.Fatalf("the sandbox has %d orders, want 2", len(waiting))
	}
	for _, order := range waiting {
		known, _, err := service.Order(t.Context(), order.OrderReference)
		if err != nil || known.Link.URL != "http://127.0.0.1:8791/c/"+order.Link || !known.Link.ExpiresAt.Equal(order.ExpiresAt) {
			t.Errorf("the shop has %+v, %v for %+v", known, err, order)
		}
		must(t, box.Act(t.Context(), order.OrderReference, payments.PaymentSuccess))
	}
}
