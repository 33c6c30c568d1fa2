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

func TestTheRestOfARowIsATextsRoom(t *testing.T) {
	const uses, code = 0, 1
	row := func(width int) string {
		return fit.Row(width, fit.Fixed("1 "), fit.Rest(fit.Must, 8, "Menaka ampalaza"), fit.Fixed(" 4 500"), fit.Drop(code, " 611"), fit.Drop(uses, " 17"))
	}
	for width, want := range map[int]string{
		30: "1 Menaka ampalaza 4 500 611 17",
		32: "1 Menaka ampalaza   4 500 611 17",
		23: "1 Menaka … 4 500 611 17",
		22: "1 Menaka am… 4 500 611",
		20: "1 Menaka … 4 500 611",
		19: "1 Menaka amp… 4 500",
		11: "1 Me… 4 500",
		6:  "1  4 …",
	} {
		if got := row(width); got != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
}
