/** The publisher has every name below the domains that RFC 2606 reserves for examples, and that of Slack's webhooks. */
const ownNames = /^(([a-z0-9_-]+\.)*example\.(com|net|org)|hooks\.slack\.com)$/;

/** Returns a host in lower case without a trailing dot and a port, or null if it is not a name of the publisher. */
export function readOwnName(host: string): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return ownNames.test(name) ? name : null;
}
