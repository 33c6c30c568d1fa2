package receipt

import (
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
)

// sample contains characters that differ between the code pages.
const sample = "é è ç ô É À × ½ · €"

// TestPage is the page of "till receipt --test". It shows which settings the printer needs.
type TestPage struct {
	bytes []byte
	lines []string
}

// NewTestPage returns a test page. A line with letters looks as on the screen only if the printer
// has that line's code page.
func NewTestPage(t i18n.Texts, config Config) TestPage {
	words := t.Receipt
	page := TestPage{bytes: release()}
	page.add(ASCII, config.Columns, func(paper *Paper) {
		paper.Center("till", Large)
		paper.Text(words.TestPage, Plain)
		paper.Text(words.TestColumns, Plain)
	})
	for _, columns := range []int{32, 42, 48} {
		text := strconv.Itoa(columns) + " "
		page.add(ASCII, columns, func(paper *Paper) { paper.Text(text+strings.Repeat("-", columns-len(text)-1)+"|", Plain) })
	}
	page.add(ASCII, config.Columns, func(paper *Paper) { paper.Text(words.TestLetters, Plain) })
	for _, code := range codePages() {
		page.add(code, config.Columns, func(paper *Paper) { paper.Text(string(code)+": "+sample, Plain) })
	}
	page.add(ASCII, config.Columns, func(paper *Paper) {
		paper.Text(words.TestCode, Plain)
		paper.Code("till")
		paper.Text(words.TestCutter, Plain)
	})
	page.bytes = append(page.bytes, feed+cut...)
	return page
}

// Bytes returns the bytes that print and cut the page.
func (p TestPage) Bytes() []byte { return p.bytes }

// Lines returns the lines as they should be printed.
func (p TestPage) Lines() []string { return p.lines }

func (p *TestPage) add(code CodePage, columns int, draw func(paper *Paper)) {
	paper := NewPaper(columns, code)
	draw(paper)
	p.bytes = append(p.bytes, paper.strip()...)
	for _, line := range paper.Lines() {
		p.lines = append(p.lines, line.Text)
	}
}
