package sandbox

import "net"

// WithResolver has the names of targets looked up by a resolver of the test.
func WithResolver(resolver *net.Resolver) Option {
	return func(c *Config) { c.targets.Resolver = resolver }
}
