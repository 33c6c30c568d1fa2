package order

// ParseItem lets tests parse an item without a command line.
var ParseItem = parseItem
