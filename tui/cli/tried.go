package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/secret"
	"checkout/till/storage/settings"
	"checkout/till/tui/doctor"
)

// newestOrders returns the newest orders, at most 50, to show whether the token and the secret
// work. It omits orders from before the last change of the settings file, which prove nothing.
func newestOrders(ctx context.Context, shop *Shop) []payments.Order {
	const enough = 50
	query := payments.Query{Limit: enough}
	if about, err := os.Stat(shop.Settings.Files.Settings); err == nil {
		query.Since = about.ModTime()
	}
	orders, _ := shop.Service.Orders(ctx, query)
	return orders
}

// given returns the text for a token or a secret that is set. works reports whether an order proves
// it valid.
func (a *App) given(orders []payments.Order, works func(payments.Order) bool) string {
	if slices.ContainsFunc(orders, works) {
		return a.Texts.Doctor.Works
	}
	return a.Texts.Doctor.Given
}

func (a *App) tokenFinding(settings settings.Settings, orders []payments.Order) doctor.Finding {
	switch {
	case settings.Account.AccessToken.Empty():
		return a.missing(doctor.Token, doctor.TokenMissing, &UnsetError{"access_token", "needs merchant area"})
	case settings.Account.Test():
		return doctor.New(doctor.Token, doctor.Warn, doctor.TokenTest, a.Texts.Doctor.TestToken, "")
	}
	accepted := func(order payments.Order) bool { return order.OrderReference != "" }
	return doctor.New(doctor.Token, doctor.OK, "", a.given(orders, accepted), "")
}

func (a *App) secretFinding(settings settings.Settings, orders []payments.Order) doctor.Finding {
	words := a.Texts.Doctor
	_, err := CurrentSecret(settings)
	switch {
	case settings.Webhook.Listens && err != nil:
		return a.missing(doctor.Secret, doctor.SecretMissing, err)
	case slices.ContainsFunc(settings.Webhook.Secrets, padded):
		return doctor.New(doctor.Secret, doctor.Warn, doctor.Code(payments.CauseOurWhiteSpace), words.Given, a.Texts.Causes[payments.CauseOurWhiteSpace])
	case settings.Webhook.Listens && len(settings.Webhook.Secrets) > 1:
		return doctor.New(doctor.Secret, doctor.Warn, doctor.SecretTwo, words.TwoSecrets, words.TwoSecretsTodo)
	case settings.Webhook.Listens:
		hasEvent := func(order payments.Order) bool {
			return order.Facts.SuccessSeen || order.Facts.ExpiredSeen || order.Status == payments.StatusFailed || order.Status == payments.StatusCanceled
		}
		return doctor.New(doctor.Secret, doctor.OK, "", a.given(orders, hasEvent), "")
	case err == nil:
		return doctor.New(doctor.Secret, doctor.Warn, doctor.SecretSpare, words.SpareSecret, words.SpareSecretTodo)
	}
	return doctor.New(doctor.Secret, doctor.OK, "", words.SpareSecret, "")
}

func padded(text secret.Text) bool {
	return strings.TrimSpace(text.Reveal()) != text.Reveal()
}
