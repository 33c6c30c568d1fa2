// Package assets contains files that are embedded in the program: the guides, the pages for
// customers, and the licenses.
package assets

import (
	"embed"
	"html/template"
)

//go:generate bash ../.ci/notices

// Files contains the guides of "till guide" (docs, a folder for each language), and the pages for
// shops without a website (redirects). It also contains the customer's screen as a web page
// (display), and the licenses of the linked modules.
//
//go:embed notices.txt docs/en docs/fr docs/mg redirects display/*.html
var Files embed.FS

// PageStyle is the style sheet of the pages for shops without a website and of the sandbox's
// checkout page. DisplayStyle and DisplayScript belong to the customer's screen.
var (
	//go:embed redirects/page.css
	PageStyle template.CSS
	//go:embed display/display.css
	DisplayStyle template.CSS
	//go:embed display/display.js
	DisplayScript template.JS
)
