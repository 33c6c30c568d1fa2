package i18n

import (
	"maps"
	"slices"
	"strings"
)

// Next returns the code of the language that comes after one; the first one
// comes after the last, and after one that does not exist.
func Next(language string) string {
	all := Languages()
	return all[(slices.Index(all, language)+1)%len(all)]
}

// Translate says in the language of to what was said in the language of from,
// for what is on the screen while the language changes. What a phrase was
// filled with stays as it is, and so does what is no text of from.
func Translate(said string, from, to Texts) string {
	if said == "" {
		return said
	}
	texts, others := from.All(), to.All()
	names := slices.Sorted(maps.Keys(texts))
	for _, name := range names {
		if texts[name] == said {
			return others[name]
		}
	}
	best, found := "", said
	for _, name := range names {
		parts := pieces(texts[name])
		whole := strings.Join(parts, "")
		// The phrase that says the most itself is the likeliest.
		if args, fits := arguments(said, parts); fits && len(whole) > len(best) {
			best, found = whole, fill(pieces(others[name]), args)
		}
	}
	return found
}

// pieces are what stands before, between and behind a phrase's placeholders.
func pieces(phrase string) []string {
	parts := []string{""}
	for rest := phrase; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		parts[len(parts)-1] += before
		if !found || after == "" {
			break
		}
		if after[0] == '%' {
			parts[len(parts)-1] += "%"
		} else {
			parts = append(parts, "")
		}
		rest = after[1:]
	}
	return parts
}

// arguments returns what stands in a text in the place of the placeholders
// between parts. A phrase that says nothing itself fits nothing.
func arguments(text string, parts []string) (args []string, fit bool) {
	last := len(parts) - 1
	if last == 0 || strings.TrimSpace(strings.Join(parts, "")) == "" {
		return nil, false
	}
	rest, begins := strings.CutPrefix(text, parts[0])
	if !begins {
		return nil, false
	}
	for _, part := range parts[1:last] {
		arg, after, found := strings.Cut(rest, part)
		if !found || part == "" {
			return nil, false
		}
		args, rest = append(args, arg), after
	}
	arg, ends := strings.CutSuffix(rest, parts[last])
	return append(args, arg), ends
}

// fill puts args between parts.
func fill(parts, args []string) string {
	var text strings.Builder
	for i, part := range parts {
		if i > 0 && i <= len(args) {
			text.WriteString(args[i-1])
		}
		text.WriteString(part)
	}
	return text.String()
}
