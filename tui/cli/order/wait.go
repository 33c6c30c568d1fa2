package order

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui/cli"
)

// createAndWait creates an order and waits for its outcome. The listener starts before the order
// is created, so that it receives every event.
func (a *app) createAndWait(ctx context.Context, shop *cli.Shop, terms payments.Terms, options createOptions) error {
	front := func(ctx context.Context) error {
		a.warn(ctx, shop)
		order, err := shop.Service.Checkout(ctx, terms)
		if err != nil {
			return a.answer(shop, order, err, options)
		}
		if a.AsJSON() {
			a.Say("order %s: pay at %s", order.Reference, order.Link.URL) // Not translated, because programs parse this line.
		} else if err := a.printOrder(shop, order); err != nil {
			return err
		}
		if options.code {
			if err := a.drawLink(order); err != nil {
				return err
			}
		}
		a.Say("%s", a.Texts.Awaited.Waiting.With(cli.Moment(order.Link.ExpiresAt)))
		order, err = a.await(ctx, shop, order)
		return a.conclude(shop, order, err)
	}
	if storage.IsPostgres(shop.Settings.Files.Database) {
		return front(ctx) // The shop's listener is another process.
	}
	err := shop.LockAndRecover(ctx)
	if errors.As(err, new(*storage.LockedError)) {
		return front(ctx)
	}
	if err != nil {
		return err
	}
	listener, err := shop.Listen(ctx, nil)
	if err != nil {
		return err
	}
	a.Say("%s", a.Texts.Awaited.Listening.With(listener.URL))
	return cli.RunAll(ctx, front, append(shop.Background, listener.Serve)...)
}

// await waits for the order's outcome and returns the order. Without an event, it returns the order
// [payments.LinkGrace] after the end of the link.
func (a *app) await(ctx context.Context, shop *cli.Shop, order payments.Order) (payments.Order, error) {
	const look = time.Second // How often await reads the order without a change.
	ticks, changes := time.Tick(look), shop.Service.Watch(ctx)
	for {
		read, _, err := shop.Service.Order(context.WithoutCancel(ctx), order.Reference)
		if err != nil {
			return order, fmt.Errorf("read order %s: %w", order.Reference, err)
		}
		order = read
		now := shop.Now()
		verdict := order.Verdict(payments.Conditions{}, now)
		overdue := slices.Contains(order.Attention(now), payments.Overdue)
		if verdict != payments.VerdictWaiting && (verdict != payments.VerdictTimeOver || overdue) {
			return order, nil
		}
		select {
		case <-ctx.Done():
			return order, errors.New(a.Texts.Awaited.Stopped.With(cli.Moment(order.Link.ExpiresAt)))
		case <-changes:
		case <-ticks:
		}
	}
}

func (a *app) conclude(shop *cli.Shop, order payments.Order, err error) error {
	words, now := a.Texts.Awaited, shop.Now()
	ended := words.Ended.With(order.Reference, a.Verdict(order, now))
	if err := errors.Join(a.Print(newOrderJSON(order, nil, now), ended), err); err != nil {
		return err
	}
	switch order.Verdict(payments.Conditions{}, now) {
	case payments.VerdictPaid, payments.VerdictMarkedPaid:
		return nil
	case payments.VerdictMarkedUnpaid, payments.VerdictPaidOtherwise, payments.VerdictRefunded:
		return cli.Unpaid(errors.New(ended))
	case payments.VerdictNotPaid:
		text := words.Unpaid.With(order.Reference, a.Texts.Statuses.Of(string(order.Status)))
		if reason := cli.Clean(order.Reason.Error()); reason != "" {
			text += ", " + reason
		}
		if order.Live(now) {
			text = words.Payable.With(text, cli.Moment(order.Link.ExpiresAt))
		}
		return cli.Unpaid(errors.New(text))
	case payments.VerdictCheck:
		return errors.New(words.Check.With(order.Reference, strings.Join(names(order.Attention(now)), ", ")))
	default:
		return errors.New(words.NoEvent.With(order.Reference))
	}
}
