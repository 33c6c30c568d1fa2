package live

// Entered is sent to a screen when the cashier opens it, and Left when another
// one is opened.
type (
	Entered struct{}
	Left    struct{}
)

// Closed is sent by a screen that the cashier leaves.
type Closed struct{}
