// Package assets contains the files that are embedded in the program: the guides, and the pages for
// customers. Every page has its texts in every language: a missing text is an error when the texts
// are loaded.
package assets

import (
	"embed"
	"html/template"
)

//go:generate bash ../.ci/notices

// Files contains these files and folders:
//   - docs: the guides of "till guide", one folder per language. All guides are in English,
//     the shop's guide is in every language;
//   - redirects: templates and texts of the pages for shops without a website;
//   - display: templates of the customer's screen as a web page;
//   - notices.txt: the licenses of the linked modules.
//
//go:embed notices.txt docs/en docs/fr docs/mg redirects display/*.html
var Files embed.FS

// PageStyle is the style sheet of the pages for shops without a website and of the sandbox's
// checkout page. DisplayStyle and DisplayScript are the style sheet and the script of the
// customer's screen.
var (
	//go:embed redirects/page.css
	PageStyle template.CSS
	//go:embed display/display.css
	DisplayStyle template.CSS
	//go:embed display/display.js
	DisplayScript template.JS
)
