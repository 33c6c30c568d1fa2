package payments

import (
	"time"

	"checkout/till/payments/money"
)

// Ariary is [money.Ariary].
type Ariary = money.Ariary

// Sum is [money.Sum].
type Sum = money.Sum

// Period is [money.Period].
type Period = money.Period

// MaxAriary is [money.MaxAriary].
const MaxAriary = money.MaxAriary

// ParseAriary is [money.ParseAriary].
func ParseAriary(text string) (Ariary, error) { return money.ParseAriary(text) }

// Day is [money.Day].
func Day(at time.Time) Period { return money.Day(at) }
