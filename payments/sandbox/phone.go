package sandbox

import "strings"

// answer is what comes of asking a customer's phone. The failures name what
// the page says of them afterwards.
type answer string

const (
	agreed     answer = "agreed"  // Paid.
	lowBalance answer = "balance" // Refused by the operator.
	refused    answer = "refused" // By the customer, on the phone.
	silent     answer = "silent"  // The phone says nothing: no event.
)

// phone is a customer's number, as much of it as is kept.
type phone struct {
	masked string // As 034 •• ••• 12.
	spoken string // The same for a voice, which would name each dot.
	answer answer // What it will answer: the last two digits decide.
}

const (
	phoneDigits = 10   // Of a mobile number of Madagascar, as 034 12 345 67.
	mobile      = "03" // What they begin with.
	country     = "261"
)

// readPhone reads a mobile number of Madagascar as people write it: with
// blanks, dots, dashes or brackets, with +261, 00261 or 261 before it, and then
// with or without the zero. It returns false when it is none.
func readPhone(typed string) (phone, bool) {
	var read strings.Builder
	for _, sign := range typed {
		switch {
		case sign >= '0' && sign <= '9':
			read.WriteRune(sign)
		case sign == '+' && read.Len() == 0:
			read.WriteString("00")
		case !strings.ContainsRune(" \t\u00a0\u2009\u202f.-\u2010\u2011\u2013/()", sign):
			return phone{}, false
		}
	}
	digits := read.String()
	if abroad := strings.TrimPrefix(digits, "00"); strings.HasPrefix(abroad, country) {
		digits = strings.TrimPrefix(abroad, country)
	}
	if len(digits) == phoneDigits-1 {
		digits = "0" + digits
	}
	if len(digits) != phoneDigits || !strings.HasPrefix(digits, mobile) {
		return phone{}, false
	}
	prefix, last := digits[:3], digits[phoneDigits-2:]
	return phone{
		masked: strings.Join([]string{prefix, "••", "•••", last}, noBreak),
		spoken: prefix + " … " + last, answer: answerOf(last),
	}, true
}

// answerOf returns what a number answers that ends with these two digits.
func answerOf(last string) answer {
	switch last {
	case "01":
		return lowBalance
	case "02":
		return refused
	case "03":
		return silent
	}
	return agreed
}

// operators returns the mobile-money operators that the page offers.
func operators() []string { return []string{"A", "B", "C"} }
