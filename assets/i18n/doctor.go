package i18n

// Doctor says what "till doctor" found beside what the screen Health says of a
// running till, and what to do about it.
type Doctor struct {
	Private         Phrase `toml:"private"` // The settings file.
	NoFile          Phrase `toml:"no_file"` // The settings file.
	NoAccount       Text   `toml:"no_account"`
	NoAccountTodo   Text   `toml:"no_account_todo"`
	Unusable        Text   `toml:"unusable"`
	Loose           Text   `toml:"loose"`
	Run             Phrase `toml:"run"` // The commands.
	Missing         Text   `toml:"missing"`
	Given           Text   `toml:"given"`
	TestToken       Text   `toml:"test_token"`
	SpareSecret     Text   `toml:"spare_secret"`
	SpareSecretTodo Text   `toml:"spare_secret_todo"`
	Answers         Phrase `toml:"answers"` // The HTTP status.
	ServiceTodo     Text   `toml:"service_todo"`
	OrderPath       Text   `toml:"order_path"`
	Ends            Phrase `toml:"ends"` // A day.
	TellService     Text   `toml:"tell_service"`
	Renew           Text   `toml:"renew"`
	Apart           Phrase `toml:"apart"` // By how much.
	SetClock        Text   `toml:"set_clock"`
	Room            Phrase `toml:"room"`   // Megabytes that are free.
	Server          Phrase `toml:"server"` // Its version.
	Owner           Text   `toml:"owner"`
	OwnerTodo       Text   `toml:"owner_todo"`
	Free            Phrase `toml:"free"`       // The address.
	NoListen        Phrase `toml:"no_listen"`  // The address.
	Taken           Phrase `toml:"taken"`      // The address.
	OtherTill       Phrase `toml:"other_till"` // The address.
	TakenTodo       Text   `toml:"taken_todo"`
	NoTill          Text   `toml:"no_till"`
	NoPublic        Text   `toml:"no_public"`
	NoPublicTodo    Text   `toml:"no_public_todo"`
	Untried         Text   `toml:"untried"`
	LeadsHere       Phrase `toml:"leads_here"` // The address.
	Foreign         Text   `toml:"foreign"`
	PublicTodo      Text   `toml:"public_todo"`
	PathTodo        Phrase `toml:"path_todo"`    // The webhook's path.
	ProxyTodo       Phrase `toml:"proxy_todo"`   // The listener's address.
	ForwardTodo     Phrase `toml:"forward_todo"` // The public address, the listener's.
	NoTerminal      Text   `toml:"no_terminal"`
	Window          Phrase `toml:"window"` // Columns, rows, how many colours.
	Narrow          Text   `toml:"narrow"`
	NoUTF8          Text   `toml:"no_utf8"`
	Scan            Phrase `toml:"scan"`    // What the code says.
	Summary         Phrase `toml:"summary"` // How many.
}
