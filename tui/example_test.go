package tui_test

import (
	"context"
	"log"
	"os"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/theme"
)

func ExampleRun() {
	texts, err := i18n.Load(assets.Locales, "fr")
	if err != nil {
		log.Fatal(err)
	}
	var service *payments.Service // As payments.New returns it.
	err = tui.Run(context.Background(), tui.Config{
		Service: service, Till: "T1", Shop: "Épicerie Soa", Texts: texts,
		Theme: theme.ForTerminal(os.Stdout, os.Getenv, theme.Auto), Sound: true,
		Health: func() tui.Health { return tui.Health{Listening: true} },
		Zone:   time.Local, Input: os.Stdin, Output: os.Stdout,
	})
	if err != nil {
		log.Fatal(err)
	}
}
