package live

// Entered is sent to a screen when the cashier opens it.
type Entered struct{}

// Left is sent to a screen when the cashier opens another one.
type Left struct{}

// Closed is sent by a screen that the cashier leaves.
type Closed struct{}
