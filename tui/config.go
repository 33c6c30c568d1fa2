package tui

import (
	"context"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/doctor"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
	"checkout/till/tui/voice"
)

// Config contains what the console needs from the program that starts it.
type Config struct {
	live.Console // Texts are initially in the language of the start; newModel sets Run and Cashier.
	Shop         string
	Test         bool                                       // The account is a test account, which moves no money.
	Sound        func(ctx context.Context, tune sound.Tune) // Plays a tune; nil if sound is off.
	Voice        *voice.Voice                               // Speaks about payments; nil if speech is off.
	Health       func() payments.Health                     // Returns the current state of the listener and the store.
	Calls        func() []payments.Call                     // Returns the last order calls; may be nil.
	// Checks test the connection to the payment service and the path of its webhooks; nil if there
	// is nothing to test.
	Checks     []doctor.Check
	ServiceURL string // Address of the payment service; may be blank.
	PublicURL  string // Address that the payment service calls; blank if not set.
	// KeepLanguage stores the language for the next start; nil if it cannot be stored.
	KeepLanguage func(code string) error
	// Browse opens a page in this machine's browser; nil without a browser.
	Browse func(link string) error
	Demo
	Input  io.Reader
	Output io.Writer
}

// Demo has the settings that only the demo needs. In a shop, Demo is zero.
type Demo struct {
	Customer demo.Customer // Acts as the customer; nil outside the demo.
	Address  string        // Address at which a phone opens the demo; not shown if empty.
	Sample   bool          // Whether the day begins with orders that the demo made up.
	Script   Script        // Presses keys in place of a person; nil if a person uses the demo.
	Welcome  string        // Path of the settings file, for a welcome text that says how to begin with real payments; blank for no such text.
}

// Script plays a demo by pressing keys. ctx ends when the console ends or a person presses a key.
type Script func(ctx context.Context, press func(key tea.KeyMsg))
