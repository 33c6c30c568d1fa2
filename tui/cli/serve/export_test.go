package serve

// PublicAddress lets tests see what links begin with.
var PublicAddress = publicAddress
