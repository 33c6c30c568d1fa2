package page

import (
	"strings"

	"checkout/till/payments/sandbox"
)

// noBreak keeps the groups of a number, and its unit, on one line.
const noBreak = "\u00a0"

// phone is a customer's mobile number, and how the test phone answers.
type phone struct {
	masked  string          // As 034 •• ••• 12.
	failure sandbox.Failure // Empty when it pays.
}

// readPhone reads a mobile number of Madagascar as people write it: with blanks,
// dots, dashes or brackets, with +261, 00261 or 261 before it, and then with or
// without the zero. It returns false when it is none. The last two digits decide
// how the phone answers: 01 is a balance too low, 02 a refusal, 03 no answer.
func readPhone(typed string) (phone, bool) {
	digits := strings.Map(func(sign rune) rune {
		if strings.ContainsRune(" \t\u00a0\u2009\u202f.-\u2010\u2011\u2013/()", sign) {
			return -1
		}
		return sign
	}, typed)
	digits, international := strings.CutPrefix(digits, "+")
	if !international {
		digits = strings.TrimPrefix(digits, "00")
	}
	if rest, found := strings.CutPrefix(digits, "261"); found {
		digits = "0" + strings.TrimPrefix(rest, "0")
	}
	if len(digits) == 9 {
		digits = "0" + digits
	}
	if len(digits) != 10 || !strings.HasPrefix(digits, "03") || strings.Trim(digits, "0123456789") != "" {
		return phone{}, false
	}
	failures := map[string]sandbox.Failure{"01": sandbox.LowBalance, "02": sandbox.Refused, "03": sandbox.NoAnswer}
	return phone{masked: digits[:3] + noBreak + "••" + noBreak + "•••" + noBreak + digits[8:], failure: failures[digits[8:]]}, true
}
