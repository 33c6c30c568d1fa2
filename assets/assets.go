// Package assets holds the files that are built into the program: the texts of
// the console, the guides, and the pages of a customer. It guarantees that every page
// has every text in every language: a gap is an error when the texts are loaded.
package assets

import (
	"embed"
	"html/template"
)

// Files holds the texts of the console ("locales", one file a language), the guides
// that "till guide" shows ("docs", a folder for each language; all are in English, the
// shop's is in every language), and the templates and texts of the pages for shops
// without a website ("redirects") and of the customer's screen as one ("display").
//
//go:embed locales/*.toml docs/en docs/fr docs/mg redirects display/*.html
var Files embed.FS

// PageStyle is the style sheet of the pages for shops without a website and of the
// hosted page. DisplayStyle and DisplayScript are those of the customer's screen.
var (
	//go:embed redirects/page.css
	PageStyle template.CSS
	//go:embed display/display.css
	DisplayStyle template.CSS
	//go:embed display/display.js
	DisplayScript template.JS
)
