package owner

import "os"

// Give does nothing on Windows.
func Give(*os.File) error { return nil }
