package voice

// Malagasy lets tests see the number words.
func Malagasy(n int64) string { return malagasy(n) }
