package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

type triggerOptions struct {
	gateway.Notification
	order          string
	url, signature string
	amountGiven    bool
	repeat         int
}

type triggerJSON struct {
	Event          payments.EventKind `json:"event"`
	OrderReference string             `json:"order_reference"`
	URL            string             `json:"url"`
	Replies        []replyJSON        `json:"replies"`
}

type replyJSON struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

func (a *app) triggerCommand() *cobra.Command {
	var options triggerOptions
	events := names(payments.EventKinds())
	command := a.JSON(&cobra.Command{
		Use: "trigger EVENT",
		Long: "Post a signed event to the webhook address: public_url, or else the address of the listener.\n" +
			"It is for an order of this database, or for any with --order-reference and --amount. EVENT is one of\n" +
			strings.Join(events, ", ") + ".\n" +
			"An event is a proof of payment: it is refused while a flag, a variable or the settings file names a\n" +
			"payment service that is not on this machine. The exit code is 1 when a reply is not 2xx.",
		Example:   "  till trigger payment.failed --order T1-20261121-GT-0007 --error \"Solde insuffisant\"",
		ValidArgs: events,
	})
	command.PreRunE = func(command *cobra.Command, arguments []string) error {
		options.Event, options.amountGiven = payments.EventKind(arguments[0]), command.Flags().Changed("amount")
		if err := a.OneOf(a.Argument("EVENT"), arguments[0], events); err != nil {
			return err
		}
		switch {
		case (options.order == "") == (options.OrderReference == ""):
			return cli.Misused("say which order: --order REF, or --order-reference NAME with --amount")
		case options.OrderReference != "" && !options.amountGiven:
			return cli.Misused("--order-reference: give its --amount too")
		case options.repeat < 1:
			return cli.Misused("--repeat: give a number above zero")
		case options.Event == payments.PaymentSuccess && options.Error != "":
			return cli.Misused("--error: a success has no error")
		}
		return cli.CheckURL("--url", options.url)
	}
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		return a.trigger(ctx, settings, options)
	})
	flags := command.Flags()
	flags.StringVar(&options.order, "order", "", "reference or order_reference of the order")
	flags.StringVar(&options.OrderReference, "order-reference", "", "order_reference of an order of no database; with --amount")
	flags.StringVar(&options.url, "url", "", "another webhook address")
	flags.Int64Var((*int64)(&options.Amount), "amount", 0, "another amount (default: the order's)")
	flags.StringVar(&options.Currency, "currency", payments.Currency, "another currency")
	flags.StringVar(&options.Error, "error", "", "why, for any event but a success")
	flags.IntVar(&options.repeat, "repeat", 1, "send it so many times")
	a.Choice(command, &options.signature, "signature", "static, body, wrong or none (default: as signature_scheme says)",
		string(gateway.Static), string(gateway.Body), "wrong", "none")
	return command
}

func (a *app) trigger(ctx context.Context, settings settings.Settings, options triggerOptions) (err error) {
	if service := settings.Account.Remote; service != "" {
		return fmt.Errorf("%w: the settings name the payment service %s", errForged, service)
	}
	if options.url == "" {
		if options.url, err = cli.WebhookURL(settings); err != nil {
			return fmt.Errorf("%w: name the address with --url", err)
		}
	}
	event, err := a.notification(ctx, settings, options)
	if err != nil {
		return err
	}
	body := gateway.EncodeEvent(event)
	var signature string
	switch options.signature {
	case "none":
		signature = ""
	case "wrong":
		signature = strings.Repeat("0", 64)
	default:
		secret, err := cli.CurrentSecret(settings)
		if err != nil {
			return err
		}
		signature = gateway.Sign(gateway.Scheme(cmp.Or(options.signature, settings.Webhook.SignatureScheme)), secret, body)
	}
	result := triggerJSON{Event: event.Event, OrderReference: cli.Clean(event.OrderReference), URL: options.url}
	var lines []string
	refused := 0
	for range options.repeat {
		reply, err := post(ctx, settings, options.url, signature, body)
		if err != nil {
			return err
		}
		result.Replies = append(result.Replies, reply)
		lines = append(lines, fmt.Sprintf("%d %s", reply.Status, reply.Body))
		if reply.Status < 200 || reply.Status > 299 {
			refused++
		}
	}
	err = a.Print(result, strings.Join(lines, "\n"))
	if refused > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d events were refused by %s", refused, len(result.Replies), result.URL))
	}
	return err
}

// errForged refuses an event to a shop that may be live: the shop would take it for a real payment.
var errForged = errors.New("refused: the event would be the proof of a payment that nobody made")

// post sends an event once and returns the cleaned reply. It returns errForged for an event to the
// shop's own address or its relay, unless the payment service is on this machine.
func post(ctx context.Context, settings settings.Settings, address, signature string, body []byte) (replyJSON, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	target, err := url.Parse(address)
	if err != nil {
		return replyJSON{}, fmt.Errorf("post the event: %w", err)
	}
	dialer := net.Dialer{}
	if !settings.Account.Local() {
		for _, way := range []string{settings.Webhook.PublicURL, settings.Webhook.Relay} {
			public, err := url.Parse(way)
			if err == nil && public.Host != "" && strings.EqualFold(bare(public.Hostname()), bare(target.Hostname())) {
				return replyJSON{}, errForged
			}
		}
		_, port, _ := net.SplitHostPort(settings.Webhook.Listen) // Cannot fail: the setting was checked.
		// Control runs after name resolution, so it also refuses other names of the listener's
		// address.
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			target, err := netip.ParseAddrPort(address)
			host, listens := target.Addr().Unmap().WithZone(""), port == "0" || port == strconv.Itoa(int(target.Port()))
			if err == nil && listens && (host.IsUnspecified() || gateway.OwnAddress(host)) {
				return errForged
			}
			return err
		}
	}
	service := sandbox.Config{WebhookURL: address, Transport: &http.Transport{DisableKeepAlives: true, DialContext: dialer.DialContext}}
	header := http.Header{}
	if signature != "" {
		header.Set(settings.Webhook.SignatureHeader, signature)
	}
	status, reply, err := service.Post(ctx, body, header, 0)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	if err != nil {
		return replyJSON{}, fmt.Errorf("post the event to %s: %w", address, err)
	}
	return replyJSON{Status: status, Body: clean.Text(string(reply), cli.MaxMessage)}, nil
}

// bare removes a final dot, which does not change the host.
func bare(host string) string { return strings.TrimSuffix(host, ".") }

func (a *app) notification(ctx context.Context, settings settings.Settings, options triggerOptions) (event gateway.Notification, err error) {
	event = options.Notification
	event.Reference, event.Description = event.OrderReference, event.OrderReference
	event.Error = cmp.Or(event.Error, map[payments.EventKind]string{
		payments.PaymentFailed: "Solde insuffisant", payments.PaymentCanceled: "Paiement annulé",
		payments.PaymentExpired: "Temps de paiement dépassé",
	}[event.Event])
	if options.order == "" {
		return event, nil
	}
	var order payments.Order
	err = a.WithShop(ctx, settings, cli.Need{}, func(ctx context.Context, shop *cli.Shop) error {
		order, _, err = a.find(ctx, shop, options.order)
		return err
	})
	if err == nil && order.OrderReference == "" {
		err = fmt.Errorf("the service has given order %s no order_reference, so it can send no event for it", order.Reference)
	}
	event.OrderReference = order.OrderReference
	event.Reference = order.Reference
	event.Description = order.Description
	if !options.amountGiven {
		event.Amount = order.Amount
	}
	return event, err
}
