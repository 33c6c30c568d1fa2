package sheet

import (
	"cmp"
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/wording"
)

// Order returns the sheet of an order. customer is the name of the customer whose debt the order
// pays, or empty.
func (t Teller) Order(order payments.Order, customer string, records []payments.Record, verdict payments.Verdict, now time.Time) Sheet {
	words := t.Texts.Detail
	told := Sheet{
		Title: order.Reference, Badge: badge.Of(t.Texts, order, verdict), Till: order.Till, Made: order.CreatedAt,
		Amount: order.Amount, Total: order.SaleTotal(), Items: order.Items, Why: t.why(order, now), Reason: t.Texts.Reasons.Of(order.Reason), Steps: t.steps(order, records, now),
	}
	if refunded := order.Refunds.Sum(); refunded > 0 {
		told.Sums = []Row{{Label: t.Texts.Receipt.Refunded, Value: i18n.Number(-int64(refunded))}}
	}
	if order.RestOf != "" {
		told.Sums = append(told.Sums, t.part(order.Amount, order.RestOf))
	}
	told.Known = known(Row{Label: t.Texts.Debts.Name, Value: customer})
	told.Facts = []Row{
		{Label: t.Texts.Printed.About, Value: order.Description, Long: true},
		{Label: words.OrderReference, Value: clean.Text(order.OrderReference, payments.MaxShownWidth)},
		{Label: words.Status, Value: t.Texts.Statuses.Of(string(order.Status))},
		{Label: t.Texts.Code.Link, Value: order.Link.URL, Long: true},
		{Label: words.Expires, Value: t.moment(order.Link.ExpiresAt)},
		{Label: words.PaidAt, Value: t.moment(order.Facts.PaidAt)},
	}
	return told
}

func (t Teller) why(order payments.Order, now time.Time) []string {
	whys := badge.Why(t.Texts, t.Zone, order, order.Attention(now))
	if order.Facts.PaidOtherwise && !order.Paid() {
		whys = append(whys, wording.Superseded(t.Texts, order))
	}
	return whys
}

func (t Teller) steps(order payments.Order, records []payments.Record, now time.Time) []Step {
	words := t.Texts.Detail
	steps := []Step{{order.CreatedAt, "●", t.Theme.Text, []string{words.Saved.With(cmp.Or(order.By, order.Till))}}}
	for _, record := range records {
		steps = append(steps, t.event(order, record))
	}
	for _, finding := range order.Findings {
		steps = append(steps, t.finding(order, finding))
	}
	for _, transfer := range order.Transfers {
		if transfer.Kind == ledger.Refund {
			steps = append(steps, t.refund(transfer, true))
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) })
	if order.NeedsAttention(now) {
		steps = append(steps, Step{time.Time{}, "○", t.Theme.Muted, []string{words.Waits}})
	}
	return steps
}

func (t Teller) event(order payments.Order, record payments.Record) Step {
	step := t.told(order, record.Event)
	text := step.Texts[0]
	if record.Count > 1 {
		text += "  " + t.Texts.Printed.Times.With(record.Count)
	}
	if reason := record.Event.Error.Display(); reason != "" {
		text = t.Texts.Frame.Labelled.With(text, reason)
	}
	if record.Effect != payments.Applied {
		text += "  " + t.Texts.Outcomes.Of(string(record.Effect))
	}
	if record.Event.Kind == payments.PaymentSuccess {
		text += moved(order, record.ReceivedAt, "")
	}
	step.At = record.ReceivedAt
	step.Texts = []string{text}
	return step
}

func (t Teller) told(order payments.Order, event payments.Event) Step {
	words := t.Texts.Detail
	refusals := map[payments.EventKind]string{
		payments.PaymentFailed: words.Refused, payments.PaymentCanceled: words.Canceled, payments.PaymentExpired: words.Expired,
	}
	says, refused := refusals[event.Kind]
	switch {
	case refused:
		return Step{Sign: "✗", Style: t.Theme.Danger, Texts: []string{says}}
	case event.Kind != payments.PaymentSuccess:
		return Step{Sign: "·", Style: t.Theme.Muted, Texts: []string{t.Texts.Kinds.Of(string(event.Kind))}}
	case !event.Amount.Is(order.Amount) || event.Currency != payments.TextValue(payments.Currency):
		reported := badge.Reported(t.Texts, event, "") + " " + event.Currency.Display()
		return Step{Sign: "!", Style: t.Theme.Warning, Texts: []string{t.Texts.Frame.Labelled.With(words.Paid, reported)}}
	}
	return Step{Sign: "✓", Style: t.Theme.Paid, Texts: []string{words.Paid}}
}

// moved returns the money that a success event or a finding moved, such as "+9 000 Ar", after two
// blanks, or "". by is who recorded the finding; blank for an event.
func moved(order payments.Order, at time.Time, by string) string {
	for _, transfer := range order.Transfers {
		if (transfer.Kind == ledger.Sale || transfer.Kind == ledger.Paid) && transfer.At.Equal(at) && (by == "" || by == transfer.By) {
			return "  " + i18n.Signed(transfer.Into(ledger.Service))
		}
	}
	return ""
}

func (t Teller) finding(order payments.Order, finding payments.Finding) Step {
	sign, word := badge.Finding(t.Texts, finding.Kind)
	texts := []string{word + " " + t.Texts.Pay.By.With(finding.By) + moved(order, finding.At, finding.By)}
	if finding.Note != "" {
		texts = append(texts, t.because(finding.Note))
	}
	return Step{finding.At, sign, t.Theme.Strong, texts}
}

func (t Teller) because(note string) string {
	return t.Texts.Frame.Labelled.With(t.Texts.Detail.Why, note)
}

// refund returns the step of a refund, of a refund that was taken back, or of a void. otherwise
// says that the sale was not paid in cash: the step then names the drawer if cash was moved.
func (t Teller) refund(moved ledger.Transfer, otherwise bool) Step {
	word := t.Texts.Receipt.Refunded
	switch {
	case moved.Kind == ledger.Void:
		word = t.Texts.Cash.Voided
	case moved.Back():
		word = t.Texts.Account.Reversal
	}
	amount := i18n.Signed(-moved.Into(moved.PaidFor()))
	if otherwise && (moved.From.IsDrawer() || moved.To.IsDrawer()) {
		amount = t.Texts.Cash.FromDrawer.With(amount)
	}
	says := word + "  " + amount + "  #" + i18n.Number(moved.ID) + " " + t.Texts.Pay.By.With(moved.By)
	return Step{moved.At, "◇", t.Theme.Strong, []string{says, t.because(moved.Note)}}
}
