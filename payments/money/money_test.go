package money_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"checkout/till/payments/money"
)

func TestParseAriary(t *testing.T) {
	const nbsp, narrow = "\u00a0", "\u202f"
	for _, test := range []struct {
		name, text string
		want       money.Ariary
	}{
		{"plain digits", "1500", 1500},
		{"a space between groups", "1 500", 1500},
		{"a no-break space between groups", "1" + nbsp + "500", 1500},
		{"a narrow no-break space between groups", "1" + narrow + "500", 1500},
		{"a pasted line with its line end", "1500\r\n", 1500},
		{"blanks around", " \t9000 ", 9000},
		{"zeros in front", "0000000000000000000000009", 9},
		{"the largest amount", "1 000 000 000 000", money.MaxAriary},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := money.ParseAriary(test.text); got != test.want || err != nil {
				t.Errorf("ParseAriary(%q) = %d, %v, want %d", test.text, got, err, test.want)
			}
		})
	}
	for _, test := range []struct {
		name, text string
		want       error
	}{
		{"nothing", "", money.ErrNotAmount},
		{"a point between groups", "1.500", money.ErrNotAmount},
		{"a decimal comma", "1,5", money.ErrNotAmount},
		{"a negative amount", "-5", money.ErrNotAmount},
		{"zero", "0", money.ErrNotAmount},
		{"full-width digits", "１５００", money.ErrNotAmount},
		{"an exponent", "1e3", money.ErrNotAmount},
		{"a line break between groups", "1\n500", money.ErrNotAmount},
		{"a group that is too long", "1 5000", money.ErrNotAmount},
		{"a first group that is too long", "1500 000", money.ErrNotAmount},
		{"one more than the largest amount", "1000000000001", money.ErrTooLarge},
		{"twenty digits", "12345678901234567890", money.ErrTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := money.ParseAriary(test.text); got != 0 || !errors.Is(err, test.want) {
				t.Errorf("ParseAriary(%q) = %d, %v, want %v", test.text, got, err, test.want)
			}
		})
	}
}

// edges returns operands near the limits of int64 and of MaxAriary.
func edges() []int64 {
	return []int64{
		0, 1, -1, 2, -2, 3, 9000, 1 << 31, 1<<31 - 1, -1 << 31, 1 << 32,
		int64(money.MaxAriary), math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 2,
		math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2,
	}
}

func TestPlusAndTimesReportOverflow(t *testing.T) {
	for _, a := range edges() {
		for _, b := range edges() {
			checkArithmetic(t, a, b)
		}
	}
}

// checkArithmetic compares Times and Plus with math/big, which cannot overflow.
func checkArithmetic(t *testing.T, a, b int64) {
	t.Helper()
	x, y := big.NewInt(a), big.NewInt(b)
	product, err := money.Ariary(a).Times(b)
	if exact := new(big.Int).Mul(x, y); exact.IsInt64() {
		if err != nil || int64(product) != exact.Int64() {
			t.Errorf("%d × %d = %d, %v, want %d", a, b, product, err, exact)
		}
	} else if !errors.Is(err, money.ErrTooLarge) || product != 0 {
		t.Errorf("%d × %d = %d, %v, want ErrTooLarge", a, b, product, err)
	}
	sum, err := money.Ariary(a).Plus(money.Ariary(b))
	if exact := new(big.Int).Add(x, y); exact.IsInt64() {
		if err != nil || int64(sum) != exact.Int64() {
			t.Errorf("%d + %d = %d, %v, want %d", a, b, sum, err, exact)
		}
	} else if !errors.Is(err, money.ErrTooLarge) || sum != 0 {
		t.Errorf("%d + %d = %d, %v, want ErrTooLarge", a, b, sum, err)
	}
}

func FuzzArithmetic(f *testing.F) {
	for _, edge := range edges() {
		f.Add(edge, int64(3))
	}
	f.Fuzz(checkArithmetic)
}

func FuzzParseAriary(f *testing.F) {
	for _, seed := range []string{"1500", "1 500", "1\u00a0500", "1.500", "1,5", "-5", "0", "１５００", "1e3", strings.Repeat("9", 20)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, err := money.ParseAriary(text)
		if err != nil {
			if amount != 0 || (!errors.Is(err, money.ErrNotAmount) && !errors.Is(err, money.ErrTooLarge)) {
				t.Fatalf("ParseAriary(%q) = %d, %v", text, amount, err)
			}
			return
		}
		if amount < 1 || amount > money.MaxAriary {
			t.Fatalf("ParseAriary(%q) = %d, out of bounds", text, amount)
		}
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, text)
		if strings.TrimLeft(digits, "0") != amount.String() {
			t.Fatalf("ParseAriary(%q) = %d, with other digits", text, amount)
		}
		if again, err := money.ParseAriary(amount.String()); again != amount || err != nil {
			t.Fatalf("ParseAriary(%q) = %d, %v after %q gave %d", amount.String(), again, err, text, amount)
		}
	})
}

func TestSum(t *testing.T) {
	if got := (money.Sum{}).Add(3000).Add(4000); got != (money.Sum{Count: 2, Amount: 7000}) {
		t.Errorf("the sum is %+v", got)
	}
}

func TestADayThatBeginsAfterMidnightHasTheNightBefore(t *testing.T) {
	zone := time.FixedZone("EAT", 3*60*60)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, zone) }
	for _, test := range []struct {
		at, from time.Time
		begins   time.Duration
	}{
		{at(22, 1, 30), at(21, 4, 0), 4 * time.Hour},
		{at(22, 3, 59), at(21, 4, 0), 4 * time.Hour},
		{at(22, 4, 0), at(22, 4, 0), 4 * time.Hour},
		{at(22, 23, 59), at(22, 4, 0), 4 * time.Hour},
		{at(1, 0, 30), at(0, 4, 30), 4*time.Hour + 30*time.Minute},
		{at(22, 1, 30), at(22, 0, 0), 0},
	} {
		day := money.Day(test.at, test.begins)
		if !day.From.Equal(test.from) || !day.To.Equal(test.from.AddDate(0, 0, 1)) || !day.Contains(test.at) {
			t.Errorf("%s is in the day from %s to %s, want from %s", test.at, day.From, day.To, test.from)
		}
	}
}

// The end of a day must be the start of the next one. Some of these zones change their
// clocks at midnight.
func TestConsecutiveDaysHaveNoGap(t *testing.T) {
	for _, name := range []string{
		"Indian/Antananarivo", "Europe/Paris", "Africa/Cairo", "Asia/Beirut", "Asia/Tehran",
		"America/Havana", "America/Santiago", "Atlantic/Azores", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe",
	} {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Skip("the machine has no zones:", err)
			}
			for date := time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC); date.Year() < 2027; date = date.AddDate(0, 0, 1) {
				day := money.Day(time.Date(date.Year(), date.Month(), date.Day(), 12, 0, 0, 0, zone), 0)
				next := money.Day(day.To, 0)
				if day.Contains(day.To) || !next.Contains(day.To) || !next.From.Equal(day.To) || !money.Day(day.From, 0).From.Equal(day.From) {
					t.Fatalf("day %v, next day %v", day, next)
				}
				before, first, last := day.From.Add(-time.Second), day.From, day.To.Add(-time.Second)
				if first.Day() != date.Day() || last.Day() != date.Day() || before.Day() == date.Day() {
					t.Fatalf("day of %s is %v", date.Format(time.DateOnly), day)
				}
			}
		})
	}
}
