import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv4, connect as netConnect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { env } from '../env';
import { parseAddress } from '../network/addresses';
import { isPublicAddress, type JudgedUrl, judgeUrl } from './address-rules';
import { installationNetwork } from './installation-network';
import {
  FetchError,
  type FetchFailure,
  type Network,
  type PageFetch,
  type PageResponse,
  type Redirect,
} from './page-fetch';
import { acceptedCodings, readBody } from './read-body';

export type FetchOptions = {
  network?: Network;
  /** Ends the fetch when the server shuts down. fetchPage() then throws its reason. */
  signal?: AbortSignal;
  /** Called before each request, redirects included. A returned failure ends the fetch; robots.txt uses it. */
  beforeRequest?(url: URL): Promise<FetchFailure | null>;
  /** For everything together: names, connections, redirects and the body. */
  timeoutMs?: number;
  maxBytes?: number;
  whenLonger?: 'cut' | 'fail';
};

const maxRedirects = 5;
const maxHeaderBytes = 32 * 1024;
/** How long one of several addresses of a name may take to connect. */
const connectTimeoutMs = 3_000;
const maxAttempts = 4;

/**
 * Requests a page at an address that a user entered. It is the only function of the server that connects to such
 * addresses: http and https on ports 80 and 443; the host, every address of its name, and the connected peer must be
 * public; each redirect is judged again. Sends no cookies, no credentials and no referrer.
 *
 * Uses Node's own http and tls instead of undici: a request is written to a socket that this file opened to an address
 * that it judged, so that nothing between the check and the connection resolves the name again. The current undici needs
 * Node 22.19, and its connector would need the same code. Names are resolved by c-ares instead
 * of getaddrinfo(), because slow name servers would otherwise occupy the threads that hash passwords, and the search
 * domains and the hosts file of the server would give internal names a meaning.
 * @returns the response, or why there is none
 * @throws the reason of `options.signal`
 */
export async function fetchPage(address: string, options: FetchOptions = {}): Promise<PageFetch> {
  const network = options.network ?? installationNetwork();
  const end = new AbortController();
  const { signal } = end;
  const stop = () => end.abort();
  options.signal?.throwIfAborted();
  const deadline = setTimeout(stop, options.timeoutMs ?? 10_000);
  options.signal?.addEventListener('abort', stop, { once: true });
  const redirects: Redirect[] = [];
  let current = address;
  try {
    for (;;) {
      const target = judgeUrl(current);
      if (typeof target === 'string') throw new FetchError('refused', target);
      const failure = options.beforeRequest ? await untilAborted(options.beforeRequest(target.url), signal) : null;
      if (failure) throw new FetchError(failure);
      const response = await requestOnce(target, network, signal, options);
      const { location, ...answer } = response;
      if (location === null) return { ok: true, url: target.url.href, redirects, ...answer };
      if (redirects.length === maxRedirects) throw new FetchError('too_many_redirects');
      if (!URL.canParse(location, target.url.href)) throw new FetchError('malformed');
      current = new URL(location, target.url).href;
      redirects.push({ status: answer.status, from: target.url.href, to: current });
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const cause = signal.aborted ? new FetchError('timeout') : error;
    if (!(cause instanceof FetchError)) throw error;
    return { ok: false, failure: cause.failure, refusal: cause.refusal, url: current, redirects };
  } finally {
    clearTimeout(deadline);
    options.signal?.removeEventListener('abort', stop);
  }
}

/** Names the installation, where the owner of a site learns who asks. */
function userAgent(): string {
  return `Mozilla/5.0 (compatible; ${robotsToken}/1.0; +${new URL(env().APP_URL).origin})`;
}

/** The name by which robots.txt addresses the fetcher. */
export const robotsToken = 'LinkMarketBot';

/** `location` is the value of a redirect's header, null in other responses. */
type Answer = Pick<PageResponse, 'status' | 'headers' | 'body'> & { location: string | null };

/** One request without following its redirect. The connection is closed afterwards. */
async function requestOnce(
  target: JudgedUrl,
  network: Network,
  signal: AbortSignal,
  { maxBytes = 2 * 1024 * 1024, whenLonger = 'fail' }: FetchOptions,
): Promise<Answer> {
  const socket = await open(target, network, signal);
  const close = () => socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    const response = await exchange(target, socket);
    const status = response.statusCode ?? 0;
    const headers = response.headersDistinct;
    const location = [301, 302, 303, 307, 308].includes(status) ? response.headers.location : undefined;
    // Node.js decodes headers as ISO-8859-1; browsers read other characters of a Location as UTF-8.
    if (location !== undefined) {
      return { status, headers, body: Buffer.alloc(0), location: Buffer.from(location, 'latin1').toString() };
    }
    const body = await readBody(response, response.headers['content-encoding'], { maxBytes, whenLonger });
    return { status, headers, body, location: null };
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function exchange(target: JudgedUrl, socket: Duplex): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      // Without an agent the request uses this socket, and asks the server to close it.
      createConnection: () => socket,
      path: target.url.pathname + target.url.search,
      maxHeaderSize: maxHeaderBytes,
      setHost: false,
      headers: {
        host: target.url.host,
        'user-agent': userAgent(),
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
        'accept-encoding': acceptedCodings,
      },
    });
    request.once('response', resolve);
    request.once('upgrade', () => reject(new FetchError('malformed')));
    // A request that ends in any other way has no answer.
    request.once('close', () => reject(new FetchError('interrupted')));
    // Stays after the response: an error of the connection then reaches the reader of the body.
    request.on('error', (error) => reject(new FetchError(classifyRequestError(error), null, { cause: error })));
    request.end();
  });
}

function classifyRequestError(error: Error): FetchFailure {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code.startsWith('HPE_') ? 'malformed' : 'interrupted';
}

/** Connects to the first address that answers. All addresses of the name must be public. */
async function open(target: JudgedUrl, network: Network, signal: AbortSignal): Promise<Duplex> {
  const addresses = target.isAddress ? [target.host] : await resolveName(target.host, network, signal);
  if (!addresses.every(isPublicAddress)) throw new FetchError('refused', 'private_address');
  // IPv4 first: a server without IPv6 then loses no time.
  const ordered = [...addresses.filter(isIPv4), ...addresses.filter((address) => !isIPv4(address))];
  let failure = new FetchError('connect');
  for (const address of ordered.slice(0, maxAttempts)) {
    try {
      return await openAddress(target, address, network, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof FetchError) || error.failure !== 'connect') throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Asks for both kinds of addresses. One kind without an answer is ignored, as in browsers. */
async function resolveName(host: string, network: Network, signal: AbortSignal): Promise<string[]> {
  const answers = network.resolve ? [network.resolve(host, signal)] : queryNameServer(host, network, signal);
  const settled = await untilAborted(Promise.allSettled(answers), signal);
  const addresses = settled.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new FetchError('dns');
  return addresses;
}

function queryNameServer(host: string, network: Network, signal: AbortSignal): Promise<string[]>[] {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const server = network.nameServer?.(host);
  if (server) resolver.setServers([server]);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  return [resolver.resolve4(host), resolver.resolve6(host)];
}

async function openAddress(target: JudgedUrl, address: string, network: Network, signal: AbortSignal) {
  const { host, port } = target;
  const route = network.route?.({ host, address, port }) ?? null;
  const socket =
    route || !network.proxy
      ? await connectTo(route?.address ?? address, route?.port ?? port, signal)
      : await connectThroughProxy(network.proxy, address, port, signal);
  if (target.url.protocol === 'http:' || route?.isPlain) return socket;
  return startTls(socket, target, signal, route?.ca);
}

/** @throws FetchError connect; refused if the connection leads to another address than the judged one */
function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = netConnect({ host: address, port, signal, autoSelectFamily: false });
  return new Promise((resolve, reject) => {
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('The connection timed out.')));
    // Stays, because a socket can fail several times.
    socket.on('error', (error) => reject(new FetchError('connect', null, { cause: error })));
    socket.once('close', () => reject(new FetchError('connect')));
    socket.once('connect', () => {
      socket.setTimeout(0);
      if (parseAddress(socket.remoteAddress ?? '') === parseAddress(address)) return resolve(socket);
      socket.destroy();
      reject(new FetchError('refused', 'other_peer'));
    });
  });
}

/**
 * Opens a tunnel (HTTP CONNECT) to an address. The proxy receives the judged address and never the name, so that it
 * cannot resolve the name to another address.
 */
function connectThroughProxy(proxy: URL, address: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const authority = isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: authority,
    headers: { host: authority, ...(proxy.username !== '' && authorization) },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    const fail = (error?: Error) => reject(new FetchError('proxy', null, { cause: error }));
    request.once('connect', (response, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (response.statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      // A proxy answers 502, 503 or 504 for an address that it cannot reach.
      if ([502, 503, 504].includes(response.statusCode ?? 0)) reject(new FetchError('connect'));
      else fail();
    });
    request.on('error', fail);
    request.end();
  });
}

/** The certificate must be valid for the host of the URL. */
function startTls(socket: Duplex, target: JudgedUrl, signal: AbortSignal, ca?: string): Promise<Duplex> {
  const { host, isAddress } = target;
  socket.on('error', () => secure.destroy());
  // A server name in TLS is never an address (RFC 6066); `host` is what the certificate is compared with.
  const secure = tlsConnect({ socket, host, ...(!isAddress && { servername: host }), ca, ALPNProtocols: ['http/1.1'] });
  const abort = () => secure.destroy();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return new Promise<Duplex>((resolve, reject) => {
    // Stays: a socket can fail several times, and an error without a listener would end the process.
    secure.on('error', (error) => reject(new FetchError('tls', null, { cause: error })));
    secure.once('close', () => reject(new FetchError('tls')));
    secure.once('secureConnect', () => resolve(secure));
  }).finally(() => signal.removeEventListener('abort', abort));
}

/** Waits for work until the signal ends the wait. @throws the signal's reason */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
