package motion_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/component/motion"
)

func TestAViewOpensFromTheMiddleAndEnds(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	opening := motion.Begin(began)
	for after, want := range map[time.Duration]string{
		0: "....", motion.Length / 2: ".bc.", motion.Length: "abcd", time.Hour: "abcd", -time.Second: "abcd",
	} {
		rows := strings.Split(opening.Open("a\nb\nc\nd", began.Add(after)), "\n")
		for i, row := range rows {
			if row == "" {
				rows[i] = "."
			}
		}
		if got := strings.Join(rows, ""); got != want {
			t.Errorf("after %v got %q, want %q", after, got, want)
		}
		if runs := opening.Runs(began.Add(after)); runs != (want != "abcd") {
			t.Errorf("after %v Runs is %v", after, runs)
		}
	}
	if (motion.Motion{}).Runs(began) {
		t.Error("the zero motion runs")
	}
}

func TestANumberCountsUpOnly(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	count := motion.Count{}.To(1000, now)
	half := now.Add(motion.Length / 2)
	if got := count.At(half); got != 500 {
		t.Errorf("half way got %d, want 500", got)
	}
	count = count.To(3000, half)
	if start, end := count.At(half), count.At(half.Add(motion.Length)); start != 500 || end != 3000 {
		t.Errorf("got %d to %d, want 500 to 3000", start, end)
	}
	count = count.To(2000, half)
	if count.At(half) != 2000 || count.Runs(half) {
		t.Errorf("got %d on the way down, want 2000", count.At(half))
	}
}
