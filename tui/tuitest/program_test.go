package tuitest_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	_ "checkout/till/tui/background"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/tuitest"
)

// child is the variable that makes the test binary a program to be tested.
const child = "TUITEST_CHILD"

const link = "https://pay.example.test/c/8f3kq"

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "":
		os.Exit(m.Run())
	case "console":
		// Stated, for a parent may have told its children to ignore it.
		hungUp := make(chan os.Signal, 1)
		signal.Notify(hungUp, syscall.SIGHUP)
		go func() {
			<-hungUp
			os.Exit(128 + int(syscall.SIGHUP))
		}()
		if _, err := tea.NewProgram(console{}, tea.WithAltScreen()).Run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		fmt.Println("goodbye")
	case "rude":
		// Leaves the terminal as a crash would.
		fmt.Print("\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1007hrude\r\n")
		os.Exit(7)
	}
}

// run starts the test binary as the program of that name.
func run(t *testing.T, cols, rows int, name string, opts ...tuitest.Option) *tuitest.Terminal {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = tuitest.Environ(child + "=" + name)
	return tuitest.Start(t, cols, rows, cmd, opts...)
}

// console shows the last keys, its size, and a QR code on demand.
type console struct {
	width, height int
	keys          []string
	code          qr.Model
}

func (c console) Init() tea.Cmd { return nil }

func (c console) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.width, c.height = msg.Width, msg.Height
		c.code = c.code.SetSize(msg.Width, msg.Height-2)
	case tea.KeyMsg:
		switch msg.String() {
		case "ctrl+c":
			return c, tea.Quit
		case "f2":
			c.code, _ = qr.New(link)
			c.code = c.code.SetSize(c.width, c.height-2)
		case "f3":
			c.code, c.keys = qr.Model{}, nil
		default:
			c.keys = append(c.keys, msg.String())
		}
	}
	return c, nil
}

func (c console) View() string {
	return fmt.Sprintf("%dx%d\nkeys %s\n%s", c.width, c.height, strings.Join(c.keys, "|"), c.code.View())
}
