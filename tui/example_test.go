package tui_test

import (
	"context"
	"fmt"

	"checkout/till/assets"
	"checkout/till/tui"
)

func ExampleRun() {
	// A console that cannot be shown says so before it touches the terminal.
	err := tui.Run(context.Background(), tui.Config{Locales: assets.Locales, Language: "de"})
	fmt.Println(err)
	// Output: unknown language: choose en, fr or mg: "de"
}
