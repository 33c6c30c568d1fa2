package cli

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/settings"
)

// triggerOptions are the flags of "trigger".
type triggerOptions struct {
	order, url, signature string
	amount                int64
	amountGiven           bool
	currency, reason      string
	reasonGiven           bool
	repeat                int
	asJSON                bool
}

// triggerJSON is what came of a trigger.
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
	command := &cobra.Command{
		Use:   "trigger EVENT",
		Short: "Post a signed event for an order to the webhook address",
		Long: "Post a signed event for an order of this database to the webhook address: public_url, or else the\n" +
			"address of the listener. EVENT is one of " + events() + ".\n" +
			"The exit code is 1 when a reply is not 2xx.",
		Example:   "  till trigger payment.failed --order T1-20261121-0007 --error \"Solde insuffisant\"",
		Args:      oneArgument("EVENT"),
		ValidArgs: strings.Split(events(), ", "),
		RunE: func(command *cobra.Command, arguments []string) error {
			kind := payments.EventKind(arguments[0])
			options.amountGiven, options.reasonGiven = command.Flags().Changed("amount"), command.Flags().Changed("error")
			if err := options.check(kind); err != nil {
				return err
			}
			return a.trigger(command.Context(), kind, options)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.order, "order", "", "reference or order_reference of the order")
	flags.StringVar(&options.url, "url", "", "another webhook address")
	flags.Int64Var(&options.amount, "amount", 0, "another amount (default: the order's)")
	flags.StringVar(&options.currency, "currency", payments.Currency, "another currency")
	flags.StringVar(&options.reason, "error", "", "why, for any event but a success")
	flags.IntVar(&options.repeat, "repeat", 1, "send it so many times")
	flags.StringVar(&options.signature, "signature", "", "static, body, wrong or none (default: as signature_scheme says)")
	complete(command, "signature", signatures()...)
	jsonFlag(command, &options.asJSON)
	return command
}

func events() string {
	var names []string
	for _, kind := range payments.EventKinds() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ", ")
}

// The signatures that are no scheme.
const (
	signatureWrong = "wrong"
	signatureNone  = "none"
)

// signatures are the choices of --signature.
func signatures() []string {
	return []string{string(gateway.Static), string(gateway.Body), signatureWrong, signatureNone}
}

// check refuses what cannot be sent.
func (o triggerOptions) check(kind payments.EventKind) error {
	switch {
	case !slices.Contains(payments.EventKinds(), kind):
		return misused("EVENT: %q is none of %s", shown(string(kind)), events())
	case o.order == "":
		return misused("say which order: --order REF")
	case o.signature != "" && !slices.Contains(signatures(), o.signature):
		return misused("--signature: %q is none of %s", shown(o.signature), strings.Join(signatures(), ", "))
	case o.repeat < 1:
		return misused("--repeat: give a number above zero")
	case kind == payments.PaymentSuccess && o.reasonGiven:
		return misused("--error: a success has no error")
	}
	if o.url == "" {
		return nil
	}
	address, err := url.Parse(o.url)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return misused("--url: %q is no http or https address", shown(o.url))
	}
	return nil
}

func (a *app) trigger(ctx context.Context, kind payments.EventKind, options triggerOptions) (err error) {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	if options.url == "" {
		if options.url, err = webhookURL(settings); err != nil {
			return fmt.Errorf("%w: name the address with --url", err)
		}
	}
	shop, err := a.openShop(ctx, settings, nil)
	if err != nil {
		return err
	}
	defer shop.close(&err)
	order, _, err := shop.service.Order(ctx, options.order)
	if err != nil {
		return named(err, options.order)
	}
	if order.OrderReference == "" {
		return fmt.Errorf("the service has given order %s no order_reference, so it can send no event for it", order.Reference)
	}
	body := gateway.EncodeEvent(options.notification(kind, order))
	signature, err := sign(settings, options.signature, body)
	if err != nil {
		return err
	}
	poster := newPoster(options.url, settings.Webhook.SignatureHeader, signature)
	result := triggerJSON{Event: kind, OrderReference: clean(order.OrderReference), URL: options.url, Replies: []replyJSON{}}
	for range options.repeat {
		reply, err := poster.post(ctx, body)
		if err != nil {
			return err
		}
		result.Replies = append(result.Replies, reply)
	}
	return a.printReplies(result, options.asJSON)
}

// notification returns the event that is sent for an order.
func (o triggerOptions) notification(kind payments.EventKind, order payments.Order) gateway.Notification {
	notification := gateway.Notification{
		Event: kind, OrderReference: order.OrderReference, Reference: order.Reference,
		Amount: order.Amount, Currency: o.currency, Description: order.Description, Error: o.reason,
	}
	if o.amountGiven {
		notification.Amount = payments.Ariary(o.amount)
	}
	if !o.reasonGiven {
		notification.Error = usualReason(kind)
	}
	return notification
}

// usualReason is what the payment service says of an event of a kind.
func usualReason(kind payments.EventKind) string {
	switch kind {
	case payments.PaymentFailed:
		return "Solde insuffisant"
	case payments.PaymentCanceled:
		return "Paiement annulé"
	case payments.PaymentExpired:
		return "Temps de paiement dépassé"
	default:
		return ""
	}
}

// sign returns the value of the signature header, and nothing for none.
func sign(settings settings.Settings, how string, body []byte) (string, error) {
	switch how {
	case signatureNone:
		return "", nil
	case signatureWrong:
		return strings.Repeat("0", 64), nil
	case "":
		how = settings.Webhook.SignatureScheme
	}
	secret, err := currentSecret(settings)
	if err != nil {
		return "", err
	}
	return gateway.Sign(gateway.Scheme(how), secret, body), nil
}

// webhookURL returns the address that the payment service calls, or else the
// listener's on this machine.
func webhookURL(settings settings.Settings) (string, error) {
	webhook := settings.Webhook
	if webhook.PublicURL != "" {
		return webhook.PublicURL + webhook.Path, nil
	}
	host, port, err := net.SplitHostPort(webhook.Listen)
	if err != nil || port == "0" {
		return "", fmt.Errorf("nobody knows the port of the listener when the setting is %s", webhook.Listen)
	}
	if address := net.ParseIP(host); host == "" || (address != nil && address.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + webhook.Path, nil
}
