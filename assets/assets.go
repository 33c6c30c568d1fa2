// Package assets holds the files that are built into the program: the texts of
// the console, and the pages that a customer is sent to after the checkout. It
// guarantees that every page has every text in every language: a gap is an error
// when the texts are loaded.
package assets

import (
	"embed"
	"html/template"
)

// Redirects holds the template and the texts of the pages for shops without a
// website, in the folder "redirects".
//
//go:embed redirects
var Redirects embed.FS

// PageStyle is the style sheet of those pages and of the hosted page.
//
//go:embed redirects/page.css
var PageStyle template.CSS

// Locales holds the texts of the console, one file a language, in the folder
// "locales".
//
//go:embed locales/*.toml
var Locales embed.FS

// Guides holds the guides that "till guide" shows, in the folder "docs", in a
// folder for each language. All are in English; the shop's is in every language.
//
//go:embed docs/en docs/fr docs/mg
var Guides embed.FS

// Display holds the templates of the customer's screen as a web page, in the
// folder "display".
//
//go:embed display/*.html
var Display embed.FS

// The style sheet and the script of that page.
var (
	//go:embed display/display.css
	DisplayStyle template.CSS
	//go:embed display/display.js
	DisplayScript template.JS
)
