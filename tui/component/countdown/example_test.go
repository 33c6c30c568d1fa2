package countdown_test

import (
	"fmt"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/theme"
)

func Example() {
	texts, err := i18n.Load(assets.Locales, "fr")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(countdown.New(theme.Plain(), texts).Draw(5*time.Minute, 10*time.Minute, 40))
	// Output: reste 5:00  ██████░░░░░░
}
