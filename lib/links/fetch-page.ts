import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { env } from '@/lib/env';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { type JudgedUrl, judgeUrl } from './address-rules';
import { acceptedCodings, openConnection, readBody, untilAborted } from './guarded-connection';
import { installationNetwork } from './installation-network';
import {
  FetchError,
  type FetchFailure,
  type Network,
  type PageFetch,
  type PageResponse,
  type Redirect,
} from './page-fetch';

export type FetchOptions = {
  network?: Network;
  /** Ends the fetch when the server shuts down. fetchPage() then throws its reason. */
  signal?: AbortSignal;
  /** Called before each request, redirects included. A returned failure ends the fetch; robots.txt uses it. */
  beforeRequest?(url: URL): Promise<FetchFailure | null>;
  /** For everything together: names, connections, redirects and the body. */
  timeoutMs?: number;
  maxRedirects?: number;
  maxBytes?: number;
  whenLonger?: 'cut' | 'fail';
};

/** A request that is more than a GET of a page. `headers` are sent besides Host; the method is POST by default. */
type Message = {
  method?: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
};

/** As many as Googlebot follows. Browsers follow 20. */
const defaultMaxRedirects = 10;
const maxHeaderBytes = 32 * 1024;

/**
 * Requests a page at an address that a user entered. It, `postToAddress` and `callAddress` are the only functions of
 * the server that connect to such addresses: http and https on ports 80 and 443; the host, every address of its name,
 * and the connected peer must be public; each redirect is judged again. Sends no cookies, no credentials and no
 * referrer.
 *
 * Uses Node's own http and tls instead of undici: a request is written to a socket that guarded-connection.ts opened to an
 * address that it judged. The current undici needs Node 22.19, and its connector would need the same code.
 * @returns the response, or why there is none
 * @throws the reason of `options.signal`
 */
export const fetchPage = (address: string, options: FetchOptions = {}): Promise<PageFetch> =>
  request(address, null, options);

/**
 * Sends a message to an address that a user entered, by POST and under the rules of `fetchPage`, over https only. A redirect
 * is not followed: it is the response. Decompression is not offered.
 * @returns the response, or why there is none
 * @throws the reason of `options.signal`
 */
export const postToAddress = (address: string, message: Message, options: FetchOptions = {}): Promise<PageFetch> =>
  request(address, message, options);

/**
 * Calls an interface at an address that a user entered, with a method and credentials, under the rules of
 * `postToAddress`: credentials never follow a redirect to another address.
 * @returns the response, or why there is none
 * @throws the reason of `options.signal`
 */
export const callAddress = (address: string, message: Message, options: FetchOptions = {}): Promise<PageFetch> =>
  request(address, message, options);

async function request(address: string, message: Message | null, options: FetchOptions): Promise<PageFetch> {
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
      if (message && target.url.protocol !== 'https:') throw new FetchError('refused', 'scheme');
      const failure = options.beforeRequest ? await untilAborted(options.beforeRequest(target.url), signal) : null;
      if (failure) throw new FetchError(failure);
      const response = await requestOnce(target, message, network, signal, options);
      const { location, ...answer } = response;
      if (location === null || message) return { ok: true, url: target.url.href, redirects, ...answer };
      if (redirects.length === (options.maxRedirects ?? defaultMaxRedirects))
        throw new FetchError('too_many_redirects');
      if (!canParseUrl(location, target.url.href)) throw new FetchError('malformed');
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

/** Returns headers that name the installation, where the owner of a site learns who asks. */
const pageHeaders = (): Record<string, string> => ({
  'user-agent': `Mozilla/5.0 (compatible; ${robotsToken}/1.0; +${new URL(env().APP_URL).origin})`,
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  'accept-encoding': acceptedCodings,
});

/** The name by which robots.txt addresses the fetcher. */
export const robotsToken = 'LinkMarketBot';

/** `location` is the value of a redirect's header, null in other responses. */
type Answer = Pick<PageResponse, 'status' | 'headers' | 'body' | 'isPartial'> & { location: string | null };

/** Sends one request without following its redirect. The connection is closed afterwards. */
async function requestOnce(
  target: JudgedUrl,
  message: Message | null,
  network: Network,
  signal: AbortSignal,
  { maxBytes = 2 * 1024 * 1024, whenLonger = 'fail' }: FetchOptions,
): Promise<Answer> {
  const socket = await openConnection(target, network, signal);
  const close = () => socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    const response = await exchange(target, message, socket);
    const status = response.statusCode ?? 0;
    const headers = response.headersDistinct;
    const location = [301, 302, 303, 307, 308].includes(status) ? response.headers.location : undefined;
    // Node.js decodes headers as ISO-8859-1; browsers read other characters of a Location as UTF-8.
    if (location !== undefined) {
      const url = Buffer.from(location, 'latin1').toString();
      return { status, headers, body: Buffer.alloc(0), isPartial: false, location: url };
    }
    const body = await readBody(response, response.headers['content-encoding'], { maxBytes, whenLonger });
    return { status, headers, body: body.content, isPartial: body.isPartial, location: null };
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function exchange(target: JudgedUrl, message: Message | null, socket: Duplex): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      method: message ? (message.method ?? 'POST') : 'GET',
      // Without an agent the request uses this socket, and asks the server to close it.
      createConnection: () => socket,
      path: target.url.pathname + target.url.search,
      maxHeaderSize: maxHeaderBytes,
      setHost: false,
      headers: {
        host: target.url.host,
        ...(message?.headers ?? pageHeaders()),
        ...(message?.body !== undefined && { 'content-length': String(Buffer.byteLength(message.body)) }),
      },
    });
    request.once('response', resolve);
    request.once('upgrade', () => reject(new FetchError('malformed')));
    // A request that ends in any other way has no answer.
    request.once('close', () => reject(new FetchError('interrupted')));
    // Stays after the response: an error of the connection then reaches the reader of the body.
    request.on('error', (error) => reject(new FetchError(classifyRequestError(error), null, { cause: error })));
    request.end(message?.body);
  });
}

function classifyRequestError(error: Error): FetchFailure {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code.startsWith('HPE_') ? 'malformed' : 'interrupted';
}
