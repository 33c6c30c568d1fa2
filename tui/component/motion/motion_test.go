package motion_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/component/motion"
	"checkout/till/tui/tuitest"
)

func TestAViewOpensFromABoxAndEnds(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	opening := motion.Begin(began)
	const view = "abcdef\nghijkl\nmnopqr\nstuvwx"
	for _, c := range []struct {
		from  motion.Box
		after time.Duration
		want  string
	}{
		{motion.Box{Left: 2, Top: 1, Width: 2, Height: 2}, 0, "/  ij/  op/"},
		{motion.Box{Left: 2, Top: 1, Width: 2, Height: 2}, motion.Length / 2, "/ hijk/ nopq/"},
		{motion.Middle(6, 4), 0, "///"},
		{motion.Middle(6, 4), motion.Length / 2, "/ghijkl/mnopqr/"},
		{motion.Middle(6, 4), motion.Length, "abcdef/ghijkl/mnopqr/stuvwx"},
		{motion.Middle(6, 4), time.Hour, "abcdef/ghijkl/mnopqr/stuvwx"},
		{motion.Middle(6, 4), -time.Second, "abcdef/ghijkl/mnopqr/stuvwx"},
	} {
		tuitest.Equal(t, strings.ReplaceAll(opening.Open(view, c.from, began.Add(c.after)), "\n", "/"), c.want, "from %+v, after %v", c.from, c.after)
		if runs := opening.Runs(began.Add(c.after)); runs != (c.after >= 0 && c.after < motion.Length) {
			t.Errorf("after %v Runs is %v", c.after, runs)
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
	tuitest.Equal(t, count.At(half), 500, "the number half way")
	count = count.To(3000, half)
	tuitest.Equal(t, count.At(half), 500, "the number at the start")
	tuitest.Equal(t, count.At(half.Add(motion.Length)), 3000, "the number at the end")
	count = count.To(2000, half)
	if count.At(half) != 2000 || count.Runs(half) {
		t.Errorf("got %d on the way down, want 2000", count.At(half))
	}
}
