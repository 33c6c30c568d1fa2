package sound

import (
	"context"
	"fmt"
	"io"
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemPlayer plays by PlaySoundW of winmm, which plays a WAV file from memory and
// returns when it is over: within two seconds, so ctx is not watched.
func systemPlayer() player {
	play := windows.NewLazySystemDLL("winmm.dll").NewProc("PlaySoundW")
	if play.Find() != nil {
		return nil
	}
	return func(_ context.Context, file io.Reader) error {
		const noDefault, fromMemory = 0x2, 0x4
		tune, err := io.ReadAll(file)
		if err != nil {
			return err
		}
		if played, _, err := play.Call(uintptr(unsafe.Pointer(&tune[0])), 0, noDefault|fromMemory); played == 0 {
			return fmt.Errorf("play by winmm: %w", err)
		}
		return nil
	}
}
