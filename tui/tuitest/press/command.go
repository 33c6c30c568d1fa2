// Package press is a fake receipt printer for tests, which can fail like a real one. It shares no
// code with the program.
package press

import (
	"errors"
	"fmt"
	"strings"
)

// Line is a printed line of text.
type Line struct {
	Text string
	Mode byte // Argument of the last ESC !.
}

// Paper is the result of the commands that a printer has performed.
type Paper struct {
	Lines    []Line
	Page     byte // Argument of the last ESC t.
	Cuts     int
	Pulses   int      // Number of times that the cash drawer was opened.
	Fed      byte     // Argument of the last ESC d.
	Pictures [][]byte // Pictures of the command GS v 0.

	mode byte
	text string
}

// Text returns the texts of the printed lines, separated by line breaks.
func (p *Paper) Text() string {
	var lines []string
	for _, line := range p.Lines {
		lines = append(lines, line.Text)
	}
	return strings.Join(lines, "\n")
}

// pages returns the characters 128 to 255 of the code pages. For other code pages, the printer
// prints question marks.
func pages() map[byte]string {
	return map[byte]string{
		0: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»" +
			"░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
			"αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
		2: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»" +
			"░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤" +
			"ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
		16: "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ" +
			"\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿" +
			"ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
		19: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»" +
			"░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤" +
			"ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
	}
}

// errShort says that the data ends within a command.
var errShort = errors.New("the last command lacks arguments")

// Decode returns the result of the commands in data. It returns an error for an unknown command, or
// if data ends within a line or a command.
func Decode(data []byte) (Paper, error) {
	var paper Paper
	for len(data) > 0 {
		used, _, err := paper.step(data)
		if err != nil {
			return paper, err
		}
		data = data[used:]
	}
	if paper.text != "" {
		return paper, fmt.Errorf("the last line %q does not end", paper.text)
	}
	return paper, nil
}

// step performs the first command of data, and returns its length. asks reports whether the printer
// must answer the command (GS r).
func (p *Paper) step(data []byte) (used int, asks bool, err error) {
	switch first := data[0]; {
	case first == 0x00: // Printers ignore NUL.
		return 1, false, nil
	case first == '\n':
		p.Lines = append(p.Lines, Line{p.text, p.mode})
		p.text = ""
		return 1, false, nil
	case first == 0x1b:
		return p.escape(data)
	case first == 0x1c:
		return p.chinese(data)
	case first == 0x1d:
		return p.group(data)
	case first < ' ' || first == 0x7f:
		return 0, false, fmt.Errorf("control character %#x", first)
	case first < 0x80:
		p.text += string(rune(first))
		return 1, false, nil
	default:
		page := []rune(pages()[p.Page])
		if int(first-0x80) < len(page) {
			p.text += string(page[first-0x80])
		} else {
			p.text += "?"
		}
		return 1, false, nil
	}
}

func (p *Paper) escape(data []byte) (used int, asks bool, err error) {
	lengths := map[byte]int{'@': 2, 't': 3, 'R': 3, '!': 3, 'd': 3, 'a': 3, 'p': 5}
	if len(data) < 2 {
		return 0, false, errShort
	}
	used, known := lengths[data[1]]
	switch {
	case !known:
		return 0, false, fmt.Errorf("unknown command ESC %q", data[1])
	case len(data) < used:
		return 0, false, errShort
	}
	switch data[1] {
	case '@':
		p.mode, p.Page, p.text = 0, 0, ""
	case 't':
		p.Page = data[2]
	case '!':
		p.mode = data[2]
	case 'd':
		p.Fed = data[2]
	case 'p':
		p.Pulses++
	}
	return used, false, nil
}

func (p *Paper) chinese(data []byte) (used int, asks bool, err error) {
	switch {
	case len(data) < 2:
		return 0, false, errShort
	case data[1] != '.':
		return 0, false, fmt.Errorf("unknown command FS %q", data[1])
	}
	return 2, false, nil
}

func (p *Paper) group(data []byte) (used int, asks bool, err error) {
	const head = 8 // Number of bytes of GS v 0 before the dots.
	switch {
	case len(data) < 3:
		return 0, false, errShort
	case data[1] == 'V' && data[2] <= 1:
		p.Cuts++
		return 3, false, nil
	case data[1] == 'r' && data[2] == 1:
		return 3, true, nil
	case data[1] != 'v' || data[2] != '0':
		return 0, false, fmt.Errorf("unknown command GS %q", data[1:3])
	case len(data) < head:
		return 0, false, errShort
	}
	used = head + (int(data[4])+int(data[5])<<8)*(int(data[6])+int(data[7])<<8)
	if len(data) < used {
		return 0, false, errShort
	}
	p.Pictures = append(p.Pictures, append([]byte{}, data[:used]...))
	return used, false, nil
}
