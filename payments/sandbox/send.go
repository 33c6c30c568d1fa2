package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

const (
	tryTimeout   = 10 * time.Second                   // Time limit of a try; EventFaults.Slow is added.
	maxReply     = 64 << 10                           // How much of a reply is read, in bytes.
	maxKeptReply = 2 << 10                            // How much of a reply is kept, in bytes.
	lostTry      = "not sent: a fault loses this try" // [Try.Failure] of a try with the fault Lost.
)

func (s *Sandbox) try(ctx context.Context, next *Delivery) {
	s.mu.Lock()
	order := next.Order
	faults := s.eventFaults(s.find(hasOrderReference(order))).onTry(len(next.Tries))
	body := append([]byte(next.Body), bytes.Repeat([]byte(" "), faults.Padding)...)
	s.mu.Unlock()
	tried := s.sender(next).send(ctx, body, faults)
	_ = s.change(func() error { // change logs its error.
		delete(s.busy, order)
		switch {
		case !slices.Contains(s.deliveries, next): // The delivery was deleted meanwhile.
		case ctx.Err() != nil && tried.Status == 0:
			s.plan(next, 0) // The try was stopped because Run ended: repeat it after a restart.
		default:
			s.tried(next, tried)
		}
		return nil
	})
}

func (c Config) send(ctx context.Context, body []byte, faults EventFaults) Try {
	tried, signatures := Try{At: c.Now().UTC()}, http.Header{}
	tried.Signature = c.sign(faults.Signature, body, signatures)
	if c.WebhookURL == "" {
		tried.Failure = "no webhook address is set"
		return tried
	}
	if faults.Lost {
		tried.Failure = lostTry
		return tried
	}
	timeout := tryTimeout + faults.Slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	status, reply, err := c.Post(ctx, body, signatures, faults.Slow)
	tried.Took = c.Now().Sub(tried.At)
	if errors.Is(err, context.DeadlineExceeded) {
		tried.Failure = "no reply within " + timeout.String()
		return tried
	}
	if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok {
			err = outer.Err // Drop the webhook address: its path may be a secret.
		}
		tried.Failure = clean.Text(err.Error(), payments.MaxShownWidth)
		return tried
	}
	for _, signature := range signatures.Values(c.SignatureHeader) { // Hide the signature: the reply may repeat the request.
		reply = bytes.ReplaceAll(reply, []byte(signature), []byte("(not shown)"))
	}
	tried.Status, tried.Reply = status, clean.Text(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return tried
}

// sign adds the signature of a body to header, with the given fault. It returns the name of the
// fault or, without a fault, the name of the scheme.
func (c Config) sign(fault Fault, body []byte, header http.Header) string {
	scheme, key := c.Scheme, c.WebhookSecret
	switch fault {
	case SignatureMissing:
		return string(fault)
	case SignatureDoubled:
		header.Add(c.SignatureHeader, gateway.Sign(scheme, key, body))
	case SignatureStatic:
		scheme = gateway.Static
	case SignatureBody:
		scheme = gateway.Body
	case SignatureWrong:
		key = secret.New("not the merchant's webhook secret")
	}
	header.Add(c.SignatureHeader, gateway.Sign(scheme, key, body))
	return cmp.Or(string(fault), string(scheme))
}

// Post sends one request to the webhook address: first the header, and after the pause late the
// body. It follows no redirect, and reads at most 64 KiB of the reply.
func (c Config) Post(ctx context.Context, body []byte, header http.Header, late time.Duration) (status int, reply []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.WebhookURL, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "till-sandbox")
	if late > 0 {
		reader, writer := io.Pipe()
		timer := time.AfterFunc(late, func() {
			_, err := writer.Write(body)
			_ = writer.CloseWithError(err)
		})
		defer func() {
			timer.Stop()
			_ = reader.Close()
		}()
		request.Body = reader
	}
	client := http.Client{
		Transport:     c.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	reply, err = io.ReadAll(io.LimitReader(response.Body, maxReply))
	return response.StatusCode, reply, err
}

// sender returns the configuration that sends a delivery. If the delivery's address is no longer in
// [Config.Merchants], the configuration sends nothing.
func (s *Sandbox) sender(sent *Delivery) Config {
	if known, ok := s.senders[sent.WebhookURL]; ok {
		return known
	}
	nowhere := s.config
	nowhere.WebhookURL = ""
	nowhere.Retry = RetryNone
	return nowhere
}

// tried records and logs a try of a delivery, and plans the next try. The caller holds s.mu.
func (s *Sandbox) tried(sent *Delivery, last Try) {
	sent.Tries = append(slices.Clone(sent.Tries), last) // Clone, because copies of the delivery share the slice.
	sender := s.sender(sent)
	pause, again := sender.backoff(len(sent.Tries), last)
	switch {
	case last.Accepted():
		sent.Stage = Delivered
	case again:
		s.plan(sent, pause)
	default:
		sent.Stage = Abandoned
	}
	activity := Activity{
		Kind: "delivery", OrderReference: sent.Order, Event: sent.Event, Delivery: sent.ID, Stage: sent.Stage,
		Status: last.Status, Message: last.Failure, Hint: sender.Hint(last),
	}
	logger := s.config.Logger.With(slog.String(logOrder, sent.Order), slog.String(logEvent, string(sent.Event)),
		slog.Int(logTry, len(sent.Tries)), slog.Int(logStatus, last.Status))
	if activity.Hint == "" {
		logger.Info("event delivered")
	} else {
		activity.Reply = clean.Text(last.Reply, payments.MaxShownWidth)
		logger.Warn("event not delivered", slog.String(logStage, string(sent.Stage)), slog.String(logFailure, last.Failure),
			slog.String(logReply, activity.Reply), slog.String(logHint, activity.Hint))
	}
	s.record(activity)
}

// Hint returns advice for the developer of the merchant's program about a try that was not
// accepted. It is blank for an accepted try.
func (c Config) Hint(tried Try) string {
	switch status := tried.Status; {
	case tried.Accepted():
		return ""
	case status == 0 && c.WebhookURL == "":
		return "name the program's address with --webhook-url or --webhook-for"
	case tried.Failure == lostTry:
		return "a fault is set: lost"
	case status == 0:
		return "the program must listen at the webhook address; if it does, its own log says why it gave no reply"
	case status < http.StatusBadRequest:
		return "no redirect is followed: name the address that it leads to"
	case status == http.StatusGone:
		return "410 asks for no further try"
	case tried.Signature != string(c.Scheme):
		return "a fault is set for the signature: " + tried.Signature
	case status == http.StatusBadRequest:
		return "the program must read the signature from the header " + c.SignatureHeader +
			" (TILL_SIGNATURE_HEADER sets another name), and the event as JSON from the body"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("the program must have the header %s, the scheme %s and this sandbox's secret", c.SignatureHeader, c.Scheme)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "the path must be that of the program's webhook, by POST; the program must store order_reference before the customer pays"
	}
	return "the program failed: its own log says why"
}
