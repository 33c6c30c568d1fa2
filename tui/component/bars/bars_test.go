package bars_test

import (
	"strconv"
	"strings"
	"testing"

	"checkout/till/tui/component/bars"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func day(hours int, name string) (all []bars.Bar) {
	for hour := range hours {
		all = append(all, bars.Bar{Name: strconv.Itoa(hour) + name, Amount: int64(hour % 3), Present: hour == hours-1})
	}
	return all
}

func TestBarsFillTheirWidth(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 5 // Each number of bars has 198 widths.
	}
	for hours := 1; hours <= 24; hours += step {
		for width := 2; width < 200; width++ {
			rows := bars.Draw(theme.Plain(), day(hours, ""), 2, width, 3)
			if got := theme.Width(rows[2]); got != width {
				t.Fatalf("%d bars in %d columns are %d wide: %q", hours, width, got, rows[2])
			}
			if got := theme.Width(rows[3]); got > width {
				t.Fatalf("the names of %d bars in %d columns are %d wide: %q", hours, width, got, rows[3])
			}
		}
	}
}

func TestNoNameOfABarIsCut(t *testing.T) {
	for width := 8; width < 200; width++ {
		rows := bars.Draw(theme.Plain(), day(12, ":00"), 2, width, 3)
		for name := range strings.FieldsSeq(rows[3]) {
			if !strings.HasSuffix(name, ":00") {
				t.Errorf("%d columns: the names are %q", width, rows[3])
			}
		}
		if !strings.HasSuffix(strings.TrimSpace(rows[3]), "11:00") {
			t.Errorf("%d columns: the present time is not named: %q", width, rows[3])
		}
	}
}

func TestABarOfPaidHasItsColour(t *testing.T) {
	styles := theme.Full(theme.Dark)
	rows := bars.Draw(styles, []bars.Bar{{Amount: 1}, {Amount: 1, Paid: true}}, 1, 5, 1)
	for _, want := range []string{styles.Flow.Render("██"), styles.Paid.Bold(false).Render("██")} {
		if strings.Count(rows[0], want) != 1 {
			t.Errorf("%q has no bar %q", rows[0], want)
		}
	}
}

func TestTheNameAndTheValueOfABarAreInItsMiddle(t *testing.T) {
	all := []bars.Bar{{Name: "11:00", Amount: 0}, {Name: "11:05", Amount: 2, Value: "2"}, {Name: "11:10", Amount: 1, Value: "1"}, {Name: "11:15", Amount: 9, Value: "9"}}
	rows := bars.Draw(theme.Plain(), all, 2, bars.Width(len(all), 34), 3)
	want := []string{"           2               9   ", "        ███████    1    ▲▲▲▲▲▲▲", "▁▁▁▁▁▁▁▁███████▁███████▁███████", " 11:00   11:05   11:10   11:15"}
	tuitest.Equal(t, strings.Join(rows, "\n"), strings.Join(want, "\n"), "the bars")
}

func TestDenseBarsFillTheirWidth(t *testing.T) {
	for width, want := range map[int]string{2: " █\n██", 1: "█\n█", 3: " █ \n██▄", 6: "  ██  \n████▄▄"} {
		tuitest.Equal(t, strings.Join(bars.Dense(theme.Plain(), []int64{2, 4, 1}, width, 2), "\n"), want, "%d columns", width)
	}
}

func TestTheLargestOfDenseBarsIsBright(t *testing.T) {
	styles := theme.Full(theme.Dark)
	got := bars.Dense(styles, []int64{9, 8, 10}, 3, 1)[0]
	want := styles.FlowMiddle.Render("█") + styles.FlowMiddle.Render("▇") + styles.Flow.Render("█")
	tuitest.Equal(t, got, want, "the bars")
}
