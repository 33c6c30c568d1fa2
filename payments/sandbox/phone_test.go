package sandbox_test

import (
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments/sandbox"
)

func TestANumberIsReadAsPeopleWriteIt(t *testing.T) {
	const masked = "034\u00a0••\u00a0•••\u00a067"
	tests := []struct{ name, number, want string }{
		{"as it stands on a card", "034 12 345 67", masked},
		{"in one", "0341234567", masked},
		{"with dots", "034.12.345.67", masked},
		{"with dashes", "034-12-345-67", masked},
		{"with blanks around", "  034 12 345 67 ", masked},
		{"with no-break spaces", "034\u00a012\u202f345\u00a067", masked},
		{"from abroad", "+261 34 12 345 67", masked},
		{"from abroad with the zero", "+261 (0)34 12 345 67", masked},
		{"from abroad by zeros", "00261 34 12 345 67", masked},
		{"from abroad without a sign", "261341234567", masked},
		{"without the zero", "34 12 345 67", masked},
		{"another prefix", "039 99 999 99", "039\u00a0••\u00a0•••\u00a099"},
		{"nothing", "", ""},
		{"blanks", "   ", ""},
		{"too short", "034 12 345 6", ""},
		{"too long", "034 12 345 678", ""},
		{"a landline", "020 22 345 67", ""},
		{"another country", "+33 6 12 34 56 78", ""},
		{"letters", "034 12 E45 67", ""},
		{"a sign in the middle", "034+12 345 67", ""},
		{"digits of another script", "٠٣٤١٢٣٤٥٦٧", ""},
		{"a word", "Rakoto", ""},
		{"markup", "<script>0341234567", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := sandbox.New(settings(""))
			if err != nil {
				t.Fatal(err)
			}
			path, _ := localOrder(t, made, "T1-20261121-0007")
			recorder := post(made, path, "step", "number", "operator", "B", "number", test.number)
			if test.want == "" {
				if recorder.Code != http.StatusUnprocessableEntity || !contains(recorder, `id="number-problem"`) {
					t.Errorf("got %d %s", recorder.Code, recorder.Body)
				}
				return
			}
			if recorder.Code != http.StatusSeeOther {
				t.Fatalf("got %d %s", recorder.Code, recorder.Body)
			}
			location := recorder.Header().Get("Location")
			if page := local(made, http.MethodGet, location, ""); !contains(page, test.want) || !contains(page, "Operator\u00a0B") ||
				strings.Contains(page.Body.String(), "345") {
				t.Errorf("%s shows %s", location, page.Body)
			}
		})
	}
}

func TestAWrongEntryLosesNothing(t *testing.T) {
	tests := []struct {
		name, operator, number string
		want, not              []string
	}{
		{
			"no operator", "", "034 12 345 67",
			[]string{`value="034 12 345 67"`, `href="#operator-A"`, `aria-invalid="true" aria-describedby="operator-problem"`, "Choose your operator."},
			[]string{" checked", "number-problem", `href="#number"`},
		},
		{
			"no such operator", "Z", "034 12 345 67",
			[]string{`value="034 12 345 67"`, "Choose your operator."},
			[]string{" checked", "number-problem", `"Z"`}, // Links hold the letter too.
		},
		{
			"no number", "B", "",
			[]string{`value="B" checked`, `href="#number"`, `aria-describedby="number-hint number-problem" aria-invalid="true"`, "Enter your phone number."},
			[]string{"operator-problem"},
		},
		{
			"a wrong number", "C", "034 12 <b>",
			[]string{`value="C" checked`, `value="034 12 &lt;b&gt;"`, "This is not a mobile number of Madagascar."},
			[]string{"operator-problem", "<b>"},
		},
		{
			"nothing at all", "", "",
			[]string{"Choose your operator.", "Enter your phone number.", `role="alert" tabindex="-1" autofocus`, "<title>Please correct"},
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := sandbox.New(settings(""))
			if err != nil {
				t.Fatal(err)
			}
			path, _ := localOrder(t, made, "T1-20261121-0007")
			recorder := post(made, path, "step", "number", "operator", test.operator, "number", test.number)
			if recorder.Code != http.StatusUnprocessableEntity {
				t.Errorf("got %d", recorder.Code)
			}
			for _, want := range test.want {
				if !contains(recorder, want) {
					t.Errorf("the page lacks %q: %s", want, recorder.Body)
				}
			}
			for _, not := range test.not {
				if contains(recorder, not) {
					t.Errorf("the page holds %q: %s", not, recorder.Body)
				}
			}
		})
	}
}

func TestALongEntryIsNotGivenBackWhole(t *testing.T) {
	made, err := sandbox.New(settings(""))
	if err != nil {
		t.Fatal(err)
	}
	path, _ := localOrder(t, made, "T1-20261121-0007")
	recorder := post(made, path, "step", "number", "operator", "A", "number", strings.Repeat("9", 3000))
	if recorder.Code != http.StatusUnprocessableEntity || contains(recorder, strings.Repeat("9", 41)) {
		t.Errorf("got %d %s", recorder.Code, recorder.Body)
	}
	if recorder := post(made, path, "step", "number", "number", strings.Repeat("9", 5000)); recorder.Code != http.StatusBadRequest {
		t.Errorf("a form that is too large gets %d", recorder.Code)
	}
}
