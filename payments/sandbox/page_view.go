package sandbox

import (
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// foldedLines is how many lines an order may have until the page folds them
// up: on a small phone the form is then still in reach.
const foldedLines = 5

// orderView is an order as the customer of one window sees it.
type orderView struct {
	Reference, Description string
	Lines                  []lineView
	Folded                 bool
	Total                  string
	Trouble                string // Why the last try failed; empty when it did not.
	Time                   timeView
	Prompt                 promptView

	shows   string             // What the page shows.
	outcome payments.EventKind // Of what has ended, when it shows that.
	left    time.Duration
}

type lineView struct {
	Label, Price, Sum string
	Quantity          string
}

// timeView is the time that is left.
type timeView struct {
	Minutes, Seconds int
	Milliseconds     int64
	Short            bool // Less than a minute.
}

// promptView is the number that the window asks about.
type promptView struct {
	Token, Operator string
	Masked, Spoken  string
	Scripted        bool
}

// look returns what the customer may see of a link in the window of a prompt,
// and false when there is no such link. A link whose time is over is shown so,
// even a moment before its event.
func (s *Sandbox) look(link, token string) (orderView, bool) {
	s.mu.Lock()
	order, found := s.book.byLink[link]
	if !found {
		s.mu.Unlock()
		return orderView{}, false
	}
	s.see(order)
	view := orderView{shows: string(order.state), left: max(0, order.ends.Sub(s.config.Now()))}
	if order.state == open && view.left == 0 {
		view.shows = string(expired)
	}
	view.follow(order.customer, token)
	s.mu.Unlock()
	// The request never changes.
	view.describe(order.request)
	return view, true
}

// describe shows what is to be paid, and in what time.
func (v *orderView) describe(request gateway.OrderRequest) {
	v.Reference = payments.Clean(request.Reference, payments.MaxLabelWidth)
	v.Description = payments.Clean(request.Description, payments.MaxShownWidth)
	v.Total = money(request.Amount)
	v.Folded = len(request.Metadata) > foldedLines
	v.Time = timeLeft(v.left)
	for _, item := range request.Metadata {
		v.Lines = append(v.Lines, lineView{
			Label: payments.Clean(item.Label, payments.MaxShownWidth),
			Price: group(int64(item.UnitPrice)), Quantity: group(item.Quantity),
			Sum: group(int64(item.Item().Total())),
		})
	}
}

// follow shows how far the customer came. What was typed in one window is not
// shown in another, but for the phone that is being asked. The lock must be held.
func (v *orderView) follow(customer customer, token string) {
	prompt := customer.prompt
	v.Trouble = string(customer.trouble)
	switch {
	case token != "" && customer.ended == token:
		v.shows, v.outcome = showMoved, customer.outcome
		return
	case v.shows != string(open) || prompt == nil:
		return
	case prompt.asked():
		v.shows = showProgress
	case prompt.token == token:
		v.shows = showReview
	default:
		return
	}
	v.Prompt = promptView{
		Token: prompt.token, Operator: prompt.operator,
		Masked: prompt.masked, Spoken: prompt.spoken, Scripted: prompt.scripted,
	}
}

// timeLeft rounds up to whole seconds, so that 0 is shown at the end alone.
func timeLeft(left time.Duration) timeView {
	seconds := int((left + time.Second - 1) / time.Second)
	return timeView{
		Minutes: seconds / 60, Seconds: seconds % 60, Milliseconds: left.Milliseconds(), Short: seconds < 60,
	}
}

// noBreak keeps the groups of a number, and its unit, on one line.
const noBreak = "\u00a0"

// group writes a whole number above zero in groups of three, as people in
// Madagascar do.
func group(number int64) string {
	digits := strconv.FormatInt(number, 10)
	var grouped strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			grouped.WriteString(noBreak)
		}
		grouped.WriteRune(digit)
	}
	return grouped.String()
}

func money(amount payments.Ariary) string { return group(int64(amount)) + noBreak + payments.Currency }
