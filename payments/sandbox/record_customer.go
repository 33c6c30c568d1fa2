package sandbox

import (
	"time"

	"checkout/till/payments"
)

// customerRecord is how it is kept how far a customer came on an order's page.
type customerRecord struct {
	Prompt  *promptRecord      `json:"prompt,omitempty"`
	Ended   string             `json:"ended,omitempty"`
	Outcome payments.EventKind `json:"outcome,omitempty"`
	Trouble answer             `json:"trouble,omitempty"`
}

// promptRecord is how a request to a customer's phone is kept, of the number no
// more than a [phone] has. When the page was looked at last is not kept: after a
// restart the phone answers who comes back.
type promptRecord struct {
	Masked   string    `json:"masked"`
	Spoken   string    `json:"spoken"`
	Answer   answer    `json:"answer"`
	Token    string    `json:"token"`
	Operator string    `json:"operator"`
	Scripted bool      `json:"scripted,omitzero"`
	Due      time.Time `json:"due,omitzero"`
}

func (c customer) record() customerRecord {
	kept := customerRecord{Ended: c.ended, Outcome: c.outcome, Trouble: c.trouble}
	if c.prompt != nil {
		kept.Prompt = &promptRecord{
			Masked: c.prompt.masked, Spoken: c.prompt.spoken, Answer: c.prompt.answer,
			Token: c.prompt.token, Operator: c.prompt.operator, Scripted: c.prompt.scripted, Due: c.prompt.due.UTC(),
		}
	}
	return kept
}

func (r customerRecord) customer() customer {
	restored := customer{ended: r.Ended, outcome: r.Outcome, trouble: r.Trouble}
	if r.Prompt != nil {
		restored.prompt = &prompt{
			phone: phone{masked: r.Prompt.Masked, spoken: r.Prompt.Spoken, answer: r.Prompt.Answer},
			token: r.Prompt.Token, operator: r.Prompt.Operator, scripted: r.Prompt.Scripted, due: r.Prompt.Due,
		}
	}
	return restored
}
