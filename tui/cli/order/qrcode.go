package order

import (
	"checkout/till/payments"
	"checkout/till/tui/component/qr"
)

// drawLink draws an order's link as a code when that is asked for: below the
// order, or on standard error where standard output is JSON. What is printed
// may scroll, so the code takes the room it wants.
func (a *app) drawLink(order payments.Order, options createOptions) error {
	if !options.code || order.Link.URL == "" {
		return nil
	}
	code, err := qr.New(order.Link.URL)
	if err != nil {
		return err
	}
	// One module wider on each side than the narrowest code, for cameras.
	width, height := code.Needs()
	draw := a.Tell
	if options.asJSON {
		draw = a.Say
	}
	draw("%s", code.SetSize(width+2, height+1).View())
	return nil
}
