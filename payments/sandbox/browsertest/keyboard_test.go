package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until an element has the focus, and checks that each stop
// on the way shows that it has it.
func (w *window) tabTo(selector string) {
	w.t.Helper()
	for range 20 {
		w.keys(kb.Tab)
		focus := value[string](w, `(() => {
			const at = document.activeElement;
			const style = getComputedStyle(at);
			const shown = at.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
			return (shown ? "" : "unseen ") + (at.matches(`+"`"+selector+"`"+`) ? "there" : at.outerHTML);
		})()`)
		if strings.HasPrefix(focus, "unseen") {
			w.t.Errorf("on the way to %s the focus cannot be seen: %s", selector, focus)
		}
		if strings.HasSuffix(focus, "there") {
			return
		}
	}
	w.t.Fatalf("the keyboard does not reach %s", selector)
}

// follow presses Enter on a link, which acts when the key goes down. The
// character that a real keyboard sends in the same instant would here come
// later, to what has the focus then.
func (w *window) follow() {
	w.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		w.try(call(w.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13,
		}))
	}
}

func TestTheKeyboardAloneIsEnough(t *testing.T) {
	t.Parallel()
	for _, scriptless := range []bool{false, true} {
		who := visitor{language: "fr", scriptless: scriptless}
		t.Run(who.String(), func(t *testing.T) {
			t.Parallel()
			service := serve(t, nil)
			w := open(t, who)
			w.visit(service.order("Entana", groceries()...).link)
			// Enter in the field is what the large button does. It is wrong
			// first: the summary has the focus and leads to the field.
			w.tabTo("#number")
			w.keys("034 12" + kb.Enter)
			w.sees("#problems:focus")
			w.tabTo(`a[href="#number"]`)
			w.follow()
			w.sees("#number:focus")
			w.keys(kb.End + " 345 67")
			w.keys(kb.Enter)
			w.sees(`main:not(:has(#number-problem)) #operator-problem`)
			w.tabTo(`a[href="#operator-A"]`)
			w.follow()
			w.sees("#operator-A:focus")
			w.keys(" " + kb.ArrowDown)
			if got := value[string](w, `document.querySelector(":checked").value + document.getElementById("number").value`); got != "B034 12 345 67" {
				t.Errorf("the form holds %q", got)
			}
			w.tabTo("button.pay")
			w.keys(kb.Enter)
			w.sees(`main[data-state="review"]`)
			w.tabTo("button[value=change]")
			w.keys(kb.Enter)
			w.sees(`main[data-state="open"]`)
			w.tabTo("input[type=radio]")
			w.keys(" ")
			w.tabTo("#number")
			w.keys("341234567" + kb.Enter)
			w.sees(`main[data-state="review"]`)
			w.tabTo("button.pay")
			w.keys(" ")
			w.sees(".sign.success")
			if got := service.kinds(1); got != "success" {
				t.Errorf("events: %s", got)
			}
		})
	}
	t.Run("the direct outcomes", func(t *testing.T) {
		t.Parallel()
		service := serve(t, nil)
		w := open(t, visitor{language: "fr"})
		w.visit(service.order("Entana", groceries()...).link)
		w.tabTo(".trial summary")
		w.keys(kb.Enter)
		w.tabTo(`button[value="failed"]`)
		w.keys(kb.Enter)
		w.sees(".trouble")
		if got := service.kinds(1); got != "failed" {
			t.Errorf("events: %s", got)
		}
	})
}
