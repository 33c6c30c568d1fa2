package cli

// PublicAddress lets tests see what links begin with.
var PublicAddress = publicAddress

// Articles lets tests sell what the demo sells.
var Articles = demoArticles
