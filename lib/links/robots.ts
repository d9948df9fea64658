import { fetchPage, robotsToken } from './fetch-page';
import { isAllowedByRobots } from './match-robots';
import type { FetchFailure, Network } from './page-fetch';

/** What robots.txt says about one address. `unreachable` forbids every request, but says nothing for good. */
export type RobotsAnswer = 'allowed' | 'disallowed' | 'unreachable';

/** `text` has a character for each byte. */
type Rules = {
  text: string;
  state: 'read' | 'absent' | 'unreachable';
  expiresAt: number;
  /** Why the server of an unreachable file could not be reached; undefined after an answer. */
  failure?: FetchFailure;
};

export type RobotsFiles = {
  /** Asks for this server's own crawler. */
  ask(url: URL): Promise<RobotsAnswer>;
  /** Asks for Googlebot: a page that Google must not fetch does not appear in its results with its content. */
  askForGoogle(url: URL): Promise<RobotsAnswer>;
  /**
   * Tells why the newest request for the file had no answer; null if it had one. No page of that server can be opened.
   */
  findFailure(url: URL): FetchFailure | null;
};

/** RFC 9309 allows a day. An hour shows the owner of a site the effect of a correction soon. */
const readForMs = 60 * 60_000;
const unreachableForMs = 10 * 60_000;
/** A server without an answer may be back at once, and a failed connection is no load. */
const unansweredForMs = 15_000;
const unansweredFailures: readonly FetchFailure[] = ['dns', 'connect', 'tls', 'timeout'];
/** RFC 9309 requires at least 500 KiB; Google reads no more. */
const maxBytes = 500 * 1024;
/** All remembered files together, in characters. */
const maxCharacters = 16 * 1024 * 1024;
const maxFiles = 5_000;

/**
 * Creates a memory of robots.txt files (RFC 9309), one for each scheme, host and port. A file that does not exist, and
 * every other answer from 400 to 499, allows everything; 429, as Google reads it, 5xx and failed requests forbid
 * everything until the file can be read again.
 * @param now in milliseconds
 */
export function createRobotsFiles({ network, now = Date.now }: { network?: Network; now?: () => number }): RobotsFiles {
  const files = new Map<string, Rules>();
  /** Several checks of one host wait for one request. */
  const pending = new Map<string, Promise<Rules>>();
  let characters = 0;

  const forget = (origin: string) => {
    characters -= files.get(origin)?.text.length ?? 0;
    files.delete(origin);
  };
  const remember = (origin: string, rules: Rules) => {
    forget(origin);
    files.set(origin, rules);
    characters += rules.text.length;
    // A Map keeps the order of insertion: the file that was read first leaves first.
    for (const oldest of files.keys()) {
      if (characters <= maxCharacters && files.size <= maxFiles) break;
      forget(oldest);
    }
  };
  const find = (origin: string): Promise<Rules> => {
    const known = files.get(origin);
    if (known && known.expiresAt > now()) return Promise.resolve(known);
    const request =
      pending.get(origin) ??
      readRules(origin, network, now)
        .then((rules) => {
          remember(origin, rules);
          return rules;
        })
        .finally(() => pending.delete(origin));
    pending.set(origin, request);
    return request;
  };
  const ask = async (url: URL, agent: string) => answer(await find(url.origin), url, agent);
  return {
    ask: (url) => ask(url, robotsToken),
    askForGoogle: (url) => ask(url, 'Googlebot'),
    findFailure: (url) => files.get(url.origin)?.failure ?? null,
  };
}

// On globalThis, because pages and route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketRobots?: RobotsFiles } = globalThis;

/** Returns the memory of the process: hosts are asked for their robots.txt once an hour. */
export function getRobotsFiles(): RobotsFiles {
  holder.linkmarketRobots ??= createRobotsFiles({});
  return holder.linkmarketRobots;
}

async function readRules(origin: string, network: Network | undefined, now: () => number): Promise<Rules> {
  const limits = { timeoutMs: 5_000, maxRedirects: 5, maxBytes, whenLonger: 'cut' } as const;
  const fetched = await fetchPage(`${origin}/robots.txt`, { network, ...limits });
  const isAbsent = fetched.ok
    ? fetched.status >= 400 && fetched.status < 500 && fetched.status !== 429
    : fetched.failure === 'too_many_redirects';
  if (isAbsent) return { text: '', state: 'absent', expiresAt: now() + readForMs };
  // After a redirect, the failure is about another server.
  if (!fetched.ok && fetched.redirects.length === 0 && unansweredFailures.includes(fetched.failure)) {
    return { text: '', state: 'unreachable', expiresAt: now() + unansweredForMs, failure: fetched.failure };
  }
  if (!fetched.ok || fetched.status !== 200) {
    return { text: '', state: 'unreachable', expiresAt: now() + unreachableForMs };
  }
  return { text: fetched.body.toString('latin1'), state: 'read', expiresAt: now() + readForMs };
}

function answer(rules: Rules, url: URL, agent: string): RobotsAnswer {
  if (rules.state === 'unreachable') return 'unreachable';
  // The file itself may always be requested (RFC 9309, 2.2.2).
  if (rules.state === 'absent' || url.pathname === '/robots.txt') return 'allowed';
  return isAllowedByRobots(rules.text, agent, url.pathname + url.search) ? 'allowed' : 'disallowed';
}
