import { env } from '@/lib/env';
import type { Network } from './page-fetch';

/**
 * Checks whether the sandbox’s publisher serves a name. RFC 2606 reserves these names for examples; the last one is
 * that of Slack's incoming webhooks.
 */
export const isPublisherName = (host: string): boolean =>
  /(^|\.)example\.(com|net|org)$/.test(host) || host === 'hooks.slack.com';

/**
 * Returns the network of this installation: EGRESS_PROXY_URL, and in demo and tests the sandbox's publisher at
 * PUBLISHER_BASE_URL. The publisher answers for every name below example.com, example.net and example.org, and for
 * Slack: on its port a name server (UDP), whose answers are judged like any others, and a web server, which receives
 * the connections to these names without TLS.
 */
export function installationNetwork(): Network {
  const { EGRESS_PROXY_URL, PUBLISHER_BASE_URL } = env();
  const proxy = EGRESS_PROXY_URL ? new URL(EGRESS_PROXY_URL) : undefined;
  if (!PUBLISHER_BASE_URL) return { proxy };
  const { hostname, port } = new URL(PUBLISHER_BASE_URL);
  const address = hostname.replace(/^\[|\]$/g, '');
  return {
    proxy,
    nameServer: (host) => (isPublisherName(host) ? `${hostname}:${port || 80}` : null),
    route: ({ host }) => (isPublisherName(host) ? { address, port: Number(port || 80), isPlain: true } : null),
  };
}

/**
 * Returns the address at which a browser opens a page of a website: in demo and tests, browsers find the websites of
 * the sandbox's publisher below /websites/ of its port.
 */
export function toBrowserUrl(address: string): string {
  const { PUBLISHER_BASE_URL } = env();
  const { hostname, pathname, search } = new URL(address);
  if (!PUBLISHER_BASE_URL || !isPublisherName(hostname)) return address;
  return new URL(`/websites/${hostname}${pathname}${search}`, PUBLISHER_BASE_URL).href;
}
