package browsertest_test

import (
	"strings"
	"testing"
)

// languages are those of the page.
func languages() []string { return []string{"en", "fr", "mg"} }

// everybody is every combination of what visitors of the page use.
func everybody() []visitor {
	var all []visitor
	for _, language := range languages() {
		for _, dark := range []bool{false, true} {
			for _, scriptless := range []bool{false, true} {
				all = append(all, visitor{language: language, dark: dark, scriptless: scriptless})
			}
		}
	}
	return all
}

// giveNumber fills in the first step and sends it.
func (w *window) giveNumber(operator, number string) {
	w.t.Helper()
	w.click("#operator-" + operator)
	w.typeNumber(number)
	w.click("button.pay")
}

// typeNumber replaces what stands in the field of the number.
func (w *window) typeNumber(number string) {
	w.t.Helper()
	w.click("#number")
	value[any](w, `document.getElementById("number").select() ?? true`)
	w.keys(number)
}

func TestTheWholeWayToPay(t *testing.T) {
	t.Parallel()
	axe := needAxe(t)
	for _, who := range everybody() {
		t.Run(who.String(), func(t *testing.T) {
			t.Parallel()
			service := serve(t, nil)
			order := service.order("2 × Vary, Coca", groceries()...)
			w := open(t, who)
			step := func(name, state string) {
				t.Helper()
				w.sees(state)
				w.draw(who.String() + "-" + name)
				w.fits(name)
				if !who.scriptless {
					w.accessible(name, axe) // It is a script; the page is the same without.
				}
			}
			w.visit(order.link)
			step("1-open", `main[data-state="open"]`)
			w.click("button.pay")
			step("2-nothing-typed", "#problems")
			w.giveNumber("B", "034 12 345")
			step("3-wrong-number", `#number[aria-invalid=true][value="034 12 345"]`)
			if got := value[string](w, `document.getElementById("number").value + document.querySelector(":checked").value`); got != "034 12 345B" {
				t.Errorf("what was typed became %q", got)
			}
			w.typeNumber("+261 34 12 345 02")
			w.click("button.pay")
			step("4-review", `main[data-state="review"]`)
			w.click("button.pay")
			// How the phone is asked does not stay to be looked at; see the states.
			step("5-refused", `main[data-state="open"] .trouble`)
			w.giveNumber("A", "0341234512")
			w.sees(`main[data-state="review"]`)
			w.click("button.pay")
			step("6-paid", ".sign.success")
			if got := service.kinds(2); got != "failed success" {
				t.Errorf("events: %s", got)
			}
			w.alone(service)
		})
	}
}

// alone checks that the page asked nobody but the service, and that the browser
// has nothing to complain of, such as a breach of the page's policy.
func (w *window) alone(service *service) {
	w.t.Helper()
	asked, mistakes := w.noted()
	for _, address := range asked {
		if !strings.HasPrefix(address, service.server.URL+"/") {
			w.t.Errorf("the page asks %s", address)
		}
	}
	if len(mistakes) > 0 {
		w.t.Errorf("the browser complains: %v", mistakes)
	}
}
