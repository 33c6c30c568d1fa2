package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"checkout/till/payments"
)

const (
	// defaultAnswerTime is how long a customer's phone takes to answer.
	defaultAnswerTime = 4 * time.Second
	// patience is how many times as long a phone is waited for that says nothing.
	patience = 8
	// closedAfter is how long the page may ask nothing until it counts as
	// closed. It asks every 2 s.
	closedAfter = 3 * time.Second
	// promptLength is the length of a prompt's token, five bits a character.
	promptLength = 12
)

// Why a step of the page is not taken.
var (
	// errAsked says that the customer's phone is being asked already.
	errAsked = errors.New("the customer's phone is being asked already")
	// errStale says that a step belongs to a number that was replaced.
	errStale = errors.New("another number was given since")
)

// WithAnswerTime changes how long a customer's phone takes to answer on the
// hosted page, 4 s unless it is told.
func WithAnswerTime(span time.Duration) Option {
	return func(s *Sandbox) { s.answerTime = span }
}

// customer is how far the customer of an order came on its page. It is forgotten
// with the order.
type customer struct {
	prompt  *prompt            // What is under way; nil when nothing is.
	ended   string             // The token of the prompt that ended last.
	outcome payments.EventKind // What it ended with; empty for no event.
	trouble answer             // Why the last one failed; empty when it did not.
}

// prompt is one request to a customer's phone, from the number that was typed
// to the phone's answer. The sandbox's lock guards it.
type prompt struct {
	phone

	token    string // Names it in the page's address: each window knows its own.
	operator string
	scripted bool      // The page's script runs: it asks by itself how things stand.
	due      time.Time // When the phone answers; zero until the customer confirms.
	seen     time.Time // When the page was looked at last.
	entry    *entry    // Until due.
}

// asked tells whether the customer confirmed, so that the phone is asked.
func (p *prompt) asked() bool { return p != nil && !p.due.IsZero() }

// confirmed tells whether the prompt of this token needs no confirmation any
// more: the phone is being asked, or the prompt ended.
func (c *customer) confirmed(token string) bool {
	return token != "" && (c.ended == token || c.prompt.asked() && c.prompt.token == token)
}

// end forgets the prompt, which ended with an event or with none, and keeps
// why it failed.
func (c *customer) end(kind payments.EventKind, trouble answer) {
	c.trouble = trouble
	if c.prompt != nil {
		c.ended, c.outcome = c.prompt.token, kind
		c.prompt = nil
	}
}

// steppable returns an order whose customer may take a step on its page. Its
// errors are [ErrNoSuchOrder], [ErrLinkOver] and [errAsked]. The lock must be
// held.
func (s *Sandbox) steppable(link string) (*order, error) {
	order, found := s.book.byLink[link]
	if !found {
		return nil, ErrNoSuchOrder
	}
	s.lapse(order, s.config.Now())
	switch {
	case order.state != open:
		return order, ErrLinkOver
	case order.customer.prompt.asked():
		return order, errAsked
	}
	return order, nil
}

// propose keeps a number, and forgets the one before. The customer still has
// to confirm. It returns the token of the new prompt.
func (s *Sandbox) propose(link string, number phone, operator string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, err := s.steppable(link)
	if err != nil {
		return "", err
	}
	order.customer.end("", "")
	order.customer.prompt = &prompt{phone: number, operator: operator, token: rand.Text()[:promptLength]}
	s.orderChanged(order)
	return order.customer.prompt.token, nil
}

// withdraw forgets a number that the customer does not want to confirm.
func (s *Sandbox) withdraw(link, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, err := s.steppable(link)
	if err == nil && order.customer.prompt != nil && order.customer.prompt.token == token {
		order.customer.end("", "")
		s.orderChanged(order)
	}
	return err
}

// confirm has the phone asked. To confirm twice is to confirm once. Beside the
// errors of steppable it returns [errStale].
func (s *Sandbox) confirm(link, token string, scripted bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, err := s.steppable(link)
	if order != nil && order.customer.confirmed(token) {
		return nil
	}
	if err != nil {
		return err
	}
	prompt := order.customer.prompt
	if prompt == nil || prompt.token != token {
		return errStale
	}
	span := s.answerTime
	if prompt.answer == silent {
		span *= patience
	}
	now := s.config.Now()
	prompt.scripted, prompt.seen, prompt.due = scripted, now, now.Add(span)
	s.orderChanged(order)
	s.await(order)
	return nil
}

// await has the phone's answer come when it is due, or now when that is over.
// The lock must be held.
func (s *Sandbox) await(order *order) {
	prompt := order.customer.prompt
	prompt.entry = s.agenda.add(prompt.due, func(context.Context) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if order.customer.prompt == prompt {
			prompt.entry = nil
			s.hear(order, prompt)
		}
	})
}

// hear takes the phone's answer, unless the page was closed: then nobody holds
// the phone, and [Sandbox.see] waits for who comes back. The lock must be held.
func (s *Sandbox) hear(order *order, prompt *prompt) {
	if s.config.Now().Sub(prompt.seen) > closedAfter {
		return
	}
	err := ErrBusy
	switch prompt.answer {
	case agreed:
		_, err = s.act(order, payments.PaymentSuccess)
	case silent:
	default:
		_, err = s.actFor(order, payments.PaymentFailed, prompt.answer)
	}
	if err != nil {
		// No event: the phone was silent, or there is no room for one.
		order.customer.end("", silent)
		s.orderChanged(order)
	}
}

// see notes that the page of an order is open. The lock must be held.
func (s *Sandbox) see(order *order) {
	prompt := order.customer.prompt
	if !prompt.asked() {
		return
	}
	prompt.seen = s.config.Now()
	if prompt.entry == nil {
		s.await(order)
	}
}
