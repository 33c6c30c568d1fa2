package sandbox_test

import (
	"html"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// filledIn returns what a browser would send for the form of the dashboard in
// the details of an id, untouched.
func filledIn(t *testing.T, page, id string) url.Values {
	t.Helper()
	_, form, found := strings.Cut(page, `<details id="`+id+`">`)
	form, _, _ = strings.Cut(form, "</details>")
	if !found {
		t.Fatalf("there is no %s in %s", id, page)
	}
	sent := url.Values{}
	for _, tag := range regexp.MustCompile(`<input [^>]*>`).FindAllString(form, -1) {
		if strings.Contains(tag, `type="checkbox"`) && !strings.Contains(tag, " checked") {
			continue
		}
		sent.Set(attribute(tag, "name"), attribute(tag, "value"))
	}
	for _, choice := range regexp.MustCompile(`(?s)<select .*?</select>`).FindAllString(form, -1) {
		chosen := regexp.MustCompile(`<option [^>]* selected>`).FindString(choice)
		sent.Set(attribute(choice, "name"), attribute(chosen, "value"))
	}
	return sent
}

// attribute returns the first attribute of a name, and "" when there is none.
func attribute(text, name string) string {
	_, rest, _ := strings.Cut(text, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(value)
}

func TestAFormThatIsSentUntouchedChangesNoFault(t *testing.T) {
	for _, scenario := range sandbox.Scenarios() {
		t.Run(scenario.Name, func(t *testing.T) {
			made := quietSandbox(t)
			_, reference := localOrder(t, made, "a")
			made.SetFaults(scenario.Faults)
			page := dashboard(made).Body.String()
			if got := send(made, "/dashboard/faults", filledIn(t, page, "faults-all")); got.Code != http.StatusSeeOther || made.Faults() != scenario.Faults {
				t.Errorf("%d: %+v became %+v", got.Code, scenario.Faults, made.Faults())
			}
			if err := made.SetOrderFaults(reference, scenario.Faults.Event); err != nil {
				t.Fatal(err)
			}
			made.SetFaults(sandbox.Faults{})
			recorder := lab(made, http.MethodGet, "/?order="+reference, "")
			if got := send(made, "/dashboard/faults", filledIn(t, recorder.Body.String(), "faults-own")); got.Code != http.StatusSeeOther ||
				got.Header().Get("Location") != "/#order-"+reference {
				t.Errorf("%d %s", got.Code, got.Header().Get("Location"))
			}
			if own, err := made.OrderFaults(reference); err != nil || own != scenario.Faults.Event {
				t.Errorf("%+v became %+v, %v", scenario.Faults.Event, own, err)
			}
		})
	}
}

func TestEveryFaultHasAFieldWithALabel(t *testing.T) {
	page := board(t, quietSandbox(t), "")
	if unlabelled := regexp.MustCompile(`>(call|event)\.[a-z_]+<`).FindAllString(page, -1); unlabelled != nil {
		t.Errorf("no words for %q", unlabelled)
	}
	fields := reflect.TypeFor[sandbox.CallFaults]().NumField() + reflect.TypeFor[sandbox.EventFaults]().NumField()
	if got := len(regexp.MustCompile(`id="all-(call|event)-[a-z_]+"`).FindAllString(page, -1)); got != fields {
		t.Errorf("%d fields for %d faults", got, fields)
	}
}

func TestAScenarioIsPlayedAndEnded(t *testing.T) {
	made := quietSandbox(t)
	holds(t, board(t, made, ""), []string{"Now: <strong>none</strong>", `<option value="none" selected>`}, []string{"End all faults</button>"})
	if got := send(made, "/dashboard/scenario", url.Values{"name": {"duplicate"}}); got.Code != http.StatusSeeOther || got.Header().Get("Location") != "/#faults" {
		t.Fatalf("got %d %s", got.Code, got.Body)
	}
	scenario, err := sandbox.FindScenario("duplicate")
	if err != nil || made.Faults() != scenario.Faults {
		t.Errorf("got %+v, %v", made.Faults(), err)
	}
	holds(t, board(t, made, ""), []string{
		"Now: <strong>duplicate</strong>", scenario.Summary, `<option value="duplicate" selected>`, "End all faults</button>",
	}, nil)
	if got := send(made, "/dashboard/clear", nil); got.Code != http.StatusSeeOther || made.Faults() != (sandbox.Faults{}) {
		t.Errorf("got %d, %+v", got.Code, made.Faults())
	}
}

func TestFaultsAreSetOneByOne(t *testing.T) {
	made := quietSandbox(t)
	form := url.Values{
		"call.refuse": {`Dit "non"`}, "call.slow": {" 5s "}, "call.cut": {"true"}, "event.copies": {"2"},
		"event.amount_off": {"-500"}, "event.reason": {`PAID\u001b[2J \ud83d\ude00`}, "event.then": {"payment.expired"},
		"event.signature": {"wrong"}, "event.shape": {""}, "unknown": {"x"},
	}
	if got := send(made, "/dashboard/faults", form); got.Code != http.StatusSeeOther {
		t.Fatalf("got %d %s", got.Code, got.Body)
	}
	want := sandbox.Faults{
		Call: sandbox.CallFaults{Refuse: `Dit "non"`, Slow: 5 * time.Second, Cut: true},
		Event: sandbox.EventFaults{
			Copies: 2, AmountOff: -500, Reason: "PAID\x1b[2J 😀", Then: payments.PaymentExpired, Signature: sandbox.SignatureWrong,
		},
	}
	if got := made.Faults(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	holds(t, board(t, made, ""), []string{
		`Refuse with 422 and this message: Dit "non"<`, "Make the order, answer only after: 5s<", ">Make the order, cut the connection<",
		"Send so many copies too: 2<", "Add to the amount: -500<", `Text of the error: PAID\u001b[2J 😀<`,
		"After the last event, send this one too: payment.expired<", "Signature: wrong<", "(faults of your own)",
	}, []string{"\x1b"})
	made.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{CheckoutURL: "https://pay.example/" + strings.Repeat("x", 3000)}})
	holds(t, board(t, made, ""), []string{"Answer this link: https://pay.example/xxx", "x…<"}, nil)
}

func TestTheDashboardGivesOneOrderFaultsOfItsOwn(t *testing.T) {
	made := quietSandbox(t)
	made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Copies: 3}})
	_, reference := localOrder(t, made, "a")
	_, other := localOrder(t, made, "b")
	holds(t, board(t, made, reference), []string{"for " + reference + " alone", "Send so many copies too: 3<"}, []string{"Its own faults"})
	set := func(form url.Values) {
		t.Helper()
		form.Set("of", reference)
		if got := send(made, "/dashboard/faults?order="+reference, form); got.Code != http.StatusSeeOther {
			t.Fatalf("got %d %s", got.Code, got.Body)
		}
	}
	set(url.Values{"event.drop": {"true"}})
	holds(t, board(t, made, ""), []string{`Its own faults: <span class="tag bad">Send nothing<`}, nil)
	for _, order := range []string{reference, other} {
		if err := made.Act(t.Context(), order, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
	}
	deliveries := ask[[]labDelivery](t, made, http.MethodGet, "/lab/deliveries", "")
	if dropped := slices.IndexFunc(deliveries, func(d labDelivery) bool { return d.Stage == "dropped" }); len(deliveries) != 5 ||
		dropped != 4 || deliveries[dropped].OrderReference != reference {
		t.Errorf("got %+v", deliveries)
	}
	set(url.Values{})
	holds(t, board(t, made, ""), []string{"none, whatever the lab says"}, nil)
	if got := send(made, "/dashboard/clear", url.Values{"of": {reference}}); got.Code != http.StatusSeeOther {
		t.Fatalf("got %d %s", got.Code, got.Body)
	}
	holds(t, board(t, made, ""), []string{"Send so many copies too: 3<"}, []string{"Its own faults"})
}

func TestAHostileEventIsShownAsItIsWritten(t *testing.T) {
	made := quietSandbox(t)
	_, reference := localOrder(t, made, "a")
	made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{
		Reason: "a\u202eb\u009bc\U000e0041<i>", Padding: 1 << 20, Slow: 90 * time.Second,
	}})
	if err := made.Act(t.Context(), reference, payments.PaymentFailed); err != nil {
		t.Fatal(err)
	}
	holds(t, dashboard(made).Body.String(), []string{
		`a\u202eb\u009bc\udb40\udc41`, "(and 1\u00a0048\u00a0576 bytes of white space)", "(sent over 1m30s)",
	}, []string{"\u202e", "\u009b", "\U000e0041", "<i>"})
}
