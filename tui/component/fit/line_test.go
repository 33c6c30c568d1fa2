package fit_test

import (
	"strings"
	"testing"

	"checkout/till/tui/component/fit"
)

func TestTheLightestWayOfARowIsGivenUpFirst(t *testing.T) {
	const mark, place, state, shop = 1, 2, 3, 4
	row := []fit.Part{
		fit.Fixed("till "), fit.Drop(shop, "Épicerie ").Or(shop+1, "Épic… "), fit.Drop(place, "T1 "),
		fit.Drop(mark, "DEMO: no money ").Or(fit.Must, "DEMO "), fit.Drop(state, "receives payments").Or(fit.Must, "receives"),
	}
	for width, want := range map[int]string{
		60: "till Épicerie T1 DEMO: no money receives payments",
		49: "till Épicerie T1 DEMO: no money receives payments",
		48: "till Épicerie T1 DEMO receives payments",
		38: "till Épicerie DEMO receives payments",
		35: "till Épicerie DEMO receives",
		26: "till Épic… DEMO receives",
		23: "till DEMO receives",
	} {
		line, whole := fit.Line(width, row...)
		if got := strings.Join(line, ""); got != want || !whole {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
	if line, whole := fit.Line(10, row...); whole || strings.Join(line, "|") != "till |||DEMO |receives" {
		t.Errorf("too few columns: got %q, whole is %t", line, whole)
	}
}

func TestOfEqualWaysTheLastIsGivenUp(t *testing.T) {
	parts := []fit.Part{fit.Drop(1, "aaa"), fit.Drop(1, "bbb"), fit.Drop(1, "c")}
	if line, _ := fit.Line(6, parts...); strings.Join(line, "|") != "aaa|bbb|" {
		t.Errorf("got %q", line)
	}
}
