package theme

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Characters that replace a blank or a hyphen at which the line must not be broken; see [unbroken].
const (
	boundBlank  = "\u00a0"
	boundHyphen = "\u2011"
)

// Wrap breaks text into lines of at most width columns, between words if possible. If a line is
// wide enough, Wrap does not break inside "12 500 Ar", T1-20261121-GT-0007 or --reason, or before
// French punctuation. Each line begins with the styles of its first character and ends all styles.
func Wrap(text string, width int) string {
	if width <= 0 {
		return ""
	}
	wrapped := ansi.Wrap(strings.Join(unbroken(text), " "), width, "")
	open := ""
	lines := strings.Split(released(wrapped), "\n")
	for i, line := range lines {
		line = open + strings.TrimRight(line, " ")
		if open = lastStyle(line); open != "" {
			line += reset
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// WrapLines wraps the lines of a text that are wider than width, like [Wrap]. It does not change a
// line with several blanks together, such as a row of a table, or with a wider word, such as an
// address to copy.
func WrapLines(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		wide := func(word string) bool { return Width(word) > width }
		if Width(line) > width && !strings.Contains(line, "  ") && !slices.ContainsFunc(strings.Fields(line), wide) {
			lines[i] = Wrap(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// lastStyle returns the escape sequences that are still active at the end of line.
func lastStyle(line string) (open string) {
	for {
		_, after, found := strings.Cut(line, "\x1b[")
		if !found {
			return open
		}
		codes, rest, _ := strings.Cut(after, "m")
		open += "\x1b[" + codes + "m"
		if strings.Trim(codes, "0") == "" {
			open = ""
		}
		line = rest
	}
}

// unbroken splits text into parts between which a line may be broken. Other characters replace the
// blanks and hyphens in a part; see [released].
func unbroken(text string) []string {
	words := strings.Split(text, " ")
	parts := words[:0]
	for _, word := range words {
		if strings.ContainsAny(word, "0123456789") || strings.Contains(word, "--") {
			word = strings.ReplaceAll(word, "-", boundHyphen)
		}
		if last := len(parts) - 1; last >= 0 && continues(Bare(word)) {
			parts[last] += boundBlank + word
			continue
		}
		parts = append(parts, word)
	}
	return parts
}

// continues reports whether a line must not be broken before word.
func continues(word string) bool {
	bare := strings.TrimRight(word, ".,:;)")
	thousands := len(bare) == 3 && strings.Trim(bare, "0123456789") == ""
	return thousands || bare == "Ar" || strings.IndexAny(word, "?!:;") == 0
}

func released(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, boundBlank, " "), boundHyphen, "-")
}

// Rows wraps text like [Wrap]. If the last row has only one word, it makes the rows shorter, but
// adds no row.
func Rows(text string, width int) []string {
	var rows []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		parts := unbroken(Bare(paragraph))
		last := released(parts[len(parts)-1])
		rows = append(rows, narrow(paragraph, width, func(row string) bool { return Bare(row) == last })...)
	}
	return rows
}

// Hang returns a label and, to its right, a text that is wrapped like [Rows], in rows of at most
// width columns. The label is one line.
func Hang(label, text string, width int) []string {
	column := Width(label)
	rows := Rows(text, width-column)
	for i, row := range rows {
		rows[i] = label + row
		label = gap("", column)
	}
	return rows
}

// Spoken wraps text so that each row ends after a sentence, if that needs no more rows than [Rows].
// Otherwise it wraps like Rows.
func Spoken(text string, width int) []string {
	rows, spoken := Rows(text, width), Sentences(text, width)
	if len(spoken) > len(rows) || slices.ContainsFunc(spoken, func(row string) bool { return !ends(row) }) {
		return rows
	}
	return spoken
}

// Even wraps a text for centred rows: after sentences, if that needs no more rows than [Wrap], else
// in rows of about the same length.
func Even(text string, width int) []string {
	var rows []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		even := narrow(paragraph, width, always)
		if spoken := Sentences(paragraph, width); len(spoken) <= len(even) {
			even = spoken
		}
		rows = append(rows, even...)
	}
	return rows
}

func always(string) bool { return true }

// narrow wraps text in as few rows as [Wrap], but makes the rows shorter while again returns true
// for the last row. It breaks no word that fits into a row.
func narrow(text string, width int, again func(last string) bool) []string {
	longest := 0
	for _, part := range unbroken(text) {
		longest = max(longest, Width(part))
	}
	rows := strings.Split(Wrap(text, width), "\n")
	for last := len(rows) - 1; last > 0 && width > longest && again(rows[last]); {
		width--
		shorter := strings.Split(Wrap(text, width), "\n")
		if len(shorter) > len(rows) {
			break
		}
		rows = shorter
	}
	return rows
}

// Sentences wraps text after sentences. A sentence that is too long for a row has several rows of
// about the same length.
func Sentences(text string, width int) []string {
	var rows []string
	sentence := ""
	parts := unbroken(text)
	for i, part := range parts {
		sentence = strings.TrimLeft(sentence+" "+released(part), " ")
		if last := len(parts) - 1; i < last && !(ends(part) && begins(parts[i+1])) {
			continue
		}
		if last := len(rows) - 1; last >= 0 && Width(rows[last])+1+Width(sentence) <= width {
			rows[last] += " " + sentence
		} else {
			rows = append(rows, narrow(sentence, width, always)...)
		}
		sentence = ""
	}
	return rows
}

func ends(text string) bool { return strings.TrimRight(text, ".!?") != text }

func begins(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) || word == "till"
}

// Paragraph wraps a text like [Rows] and styles each row. limit is the maximum number of rows; 0
// means no limit. If rows are omitted, the last one ends in "…". An empty text has no rows.
func Paragraph(style Style, text string, width, limit int) []string {
	if text == "" {
		return nil
	}
	rows := Rows(text, width)
	if limit > 0 {
		rows = Clip(rows, width, limit)
	}
	return Dress(style, rows)
}
