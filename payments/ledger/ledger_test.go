package ledger_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func sold() ledger.Transfer {
	at := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	return ledger.Transfer{
		ID: 7, At: at, Booked: at, Kind: ledger.Sale, From: ledger.Sales, To: ledger.Drawer("T1"), Amount: 9000, Till: "T1", By: "Soa",
		Payment: ledger.Payment{Kind: ledger.AtCounter, Ref: "T1-GT-C-000001"}, Corrects: 3, Note: "why",
	}
}

func TestTheDigestDependsOnEachFieldAndOnTheDigestBefore(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*ledger.Transfer){
		"nothing":                     func(*ledger.Transfer) {},
		"ID":                          func(t *ledger.Transfer) { t.ID = 8 },
		"At":                          func(t *ledger.Transfer) { t.At = t.At.Add(time.Millisecond) },
		"Booked":                      func(t *ledger.Transfer) { t.Booked = t.Booked.Add(time.Millisecond) },
		"Kind":                        func(t *ledger.Transfer) { t.Kind = ledger.Void },
		"From":                        func(t *ledger.Transfer) { t.From = ledger.Owner },
		"To":                          func(t *ledger.Transfer) { t.To = ledger.Drawer("T1/2") },
		"Amount":                      func(t *ledger.Transfer) { t.Amount = 900 },
		"Till":                        func(t *ledger.Transfer) { t.Till = "T2" },
		"By":                          func(t *ledger.Transfer) { t.By = "" },
		"the payment's kind":          func(t *ledger.Transfer) { t.Payment.Kind = ledger.ByOrder },
		"the payment's ref":           func(t *ledger.Transfer) { t.Payment.Ref = "T1-GT-C-000002" },
		"Corrects":                    func(t *ledger.Transfer) { t.Corrects = 0 },
		"Note":                        func(t *ledger.Transfer) { t.Note = "" },
		"a character moves to a next": func(t *ledger.Transfer) { t.Till, t.By = "T1S", "oa" },
	} {
		transfer := sold()
		change(&transfer)
		for _, before := range [][]byte{nil, {1}} {
			digest := fmt.Sprintf("%x", transfer.Digest(before))
			if other, known := seen[digest]; known {
				t.Errorf("%s after %x has the digest of %s", name, before, other)
			}
			seen[digest] = name
		}
	}
	if !bytes.Equal(sold().Digest(nil), sold().Digest([]byte{})) {
		t.Error("an empty digest before is not as none")
	}
	if later := sold(); later.At.Nanosecond() != 0 {
		t.Fatal("the test needs a whole second")
	} else if later.At = later.At.Add(time.Microsecond).In(time.FixedZone("EAT", 3*60*60)); !bytes.Equal(later.Digest(nil), sold().Digest(nil)) {
		t.Error("the digest depends on what is not stored of a time")
	}
}

// Databases store the digests, so a later version must compute the same digest for a transfer.
func TestTheDigestIsTheOneThatIsStored(t *testing.T) {
	const want = "3a1a8cb0147cc2a834f0175a6962fb85c329ebe420ad0964a6f55cbad67f685c"
	if digest := fmt.Sprintf("%x", sold().Digest([]byte{1})); digest != want {
		t.Errorf("got %s, want %s", digest, want)
	}
}

func TestATransferLeavesOneAccountAndReachesAnother(t *testing.T) {
	for account, want := range map[ledger.Account]money.Ariary{ledger.Sales: -9000, ledger.Drawer("T1"): 9000, ledger.Drawer("T1/2"): 0, ledger.Owner: 0} {
		if got := sold().Into(account); got != want {
			t.Errorf("%s gets %d, want %d", account, got, want)
		}
	}
	count := sold()
	count.Kind, count.From = ledger.Count, count.To
	if got := count.Into(count.To); got != 0 {
		t.Errorf("a count moves %d", got)
	}
}

func TestATransferThatUndoesOthersGoesBack(t *testing.T) {
	drawer := ledger.Drawer("T1")
	for _, test := range []struct {
		kind     ledger.Kind
		from, to ledger.Account
		want     bool
	}{
		{ledger.Sale, ledger.Sales, ledger.Service, false},
		{ledger.Sale, ledger.Service, ledger.Sales, true},
		{ledger.Refund, ledger.Service, ledger.Sales, false},
		{ledger.Refund, drawer, ledger.Sales, false},
		{ledger.Refund, ledger.Sales, drawer, true},
		{ledger.Void, drawer, ledger.Sales, false},
		{ledger.Void, ledger.Sales, drawer, true},
		{ledger.Float, ledger.Owner, drawer, false},
		{ledger.Closing, drawer, ledger.Owner, false},
	} {
		if got := (ledger.Transfer{Kind: test.kind, From: test.from, To: test.to}).Back(); got != test.want {
			t.Errorf("%s from %s to %s: back is %t", test.kind, test.from, test.to, got)
		}
	}
	if ledger.Service.IsDrawer() || !drawer.IsDrawer() {
		t.Error("only the drawers of tills are drawers")
	}
}

func TestARefundStandsUntilItIsTakenBack(t *testing.T) {
	transfers := []ledger.Transfer{
		{ID: 1, Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service, Amount: 9000},
		{ID: 2, Kind: ledger.Refund, From: ledger.Service, To: ledger.Sales, Amount: 1000},
		{ID: 3, Kind: ledger.Refund, From: ledger.Drawer("T1"), To: ledger.Sales, Amount: 500},
		{ID: 4, Kind: ledger.Refund, From: ledger.Sales, To: ledger.Service, Amount: 1000, Corrects: 2},
	}
	standing := ledger.Standing(transfers)
	if len(standing) != 1 || standing[0].ID != 3 || standing[0].AtService() || !transfers[3].AtService() || len(ledger.Standing(nil)) != 0 {
		t.Errorf("got %+v", standing)
	}
}
