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
	live.Console // Its Texts are in the language in which the console starts.
	Shop         string
	Test         bool                                       // The account is a test account, which moves no money.
	Sound        func(ctx context.Context, tune sound.Tune) // Plays a tune; nil without sound.
	Voice        *voice.Voice                               // Nil without speech.
	Health       func() payments.Health                     // Returns the current state of the listener and the store.
	Calls        func() []payments.Call                     // Returns the last order calls; may be nil.
	// Checks to run on the health screen.
	Checks     []doctor.Check
	ServiceURL string // Address of the payment service; may be blank.
	PublicURL  string // Address that the payment service calls; blank if not set.
	// Stores the language for the next start; nil if it cannot be stored.
	KeepLanguage func(code string) error
	// Opens a page in this machine's browser; nil without one.
	Browse func(link string) error
	Demo
	Input  io.Reader
	Output io.Writer
}

// Demo has the settings of the demo. Outside the demo, it is zero.
type Demo struct {
	Customer demo.Customer // Acts as the customer; nil outside the demo.
	Address  string        // Address at which a phone opens the demo; may be empty.
	Sample   bool          // Whether the day begins with sample orders.
	Script   Script        // Presses keys in place of a person; may be nil.
	Welcome  string        // Path of the settings file, for a welcome text; blank for no such text.
}

// Script plays a demo by pressing keys until ctx ends. A person's key press ends ctx.
type Script func(ctx context.Context, press func(key tea.KeyMsg))
