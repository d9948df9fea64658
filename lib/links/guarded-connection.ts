import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv4, connect as netConnect, type Socket } from 'node:net';
import { type Duplex, type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect as tlsConnect } from 'node:tls';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { parseAddress } from '@/lib/network/addresses';
import { isPublicAddress, type JudgedUrl } from './address-rules';
import { FetchError, type Network } from './page-fetch';

/** How long one of several addresses of a name may take to connect. */
const connectTimeoutMs = 3_000;
const maxAttempts = 4;

/**
 * Connects to the host of a judged URL, with TLS for https: to the first address that answers. Every address of its name
 * and the connected peer must be public. Nothing between the check and the connection resolves the name again. Names are
 * resolved by c-ares instead of getaddrinfo(), because slow name servers would otherwise occupy the threads that hash
 * passwords, and the search domains and the hosts file of the server would give internal names a meaning.
 * @throws FetchError
 */
export async function openConnection(target: JudgedUrl, network: Network, signal: AbortSignal): Promise<Duplex> {
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
  // A name without an answer until the end of the fetch has none.
  const settled = await untilAborted(Promise.allSettled(answers), signal).catch(() => []);
  const addresses = settled.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new FetchError('dns');
  return addresses;
}

function queryNameServer(host: string, network: Network, signal: AbortSignal): Promise<string[]>[] {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const server = network.nameServer?.(host);
  if (server) resolver.setServers([server]);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const answers = [resolver.resolve4(host), resolver.resolve6(host)];
  void Promise.allSettled(answers).then(() => signal.removeEventListener('abort', cancel));
  return answers;
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

/** Connects to an address. @throws FetchError connect; refused if it leads to another address than the judged one */
function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  // Not by the option `signal`, whose listener stays: a fetch opens a connection for each of its redirects.
  const socket = netConnect({ host: address, port, autoSelectFamily: false });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return new Promise<Socket>((resolve, reject) => {
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
  }).finally(() => signal.removeEventListener('abort', abort));
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

/** Starts TLS on a connection. The certificate must be valid for the host of the URL. */
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
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The codings that the fetcher asks for in Accept-Encoding. */
export const acceptedCodings = 'gzip, deflate, br';

type Limit = {
  /** Bytes after decompression. The bytes before it, and between two codings, have the same limit. */
  maxBytes: number;
  /** What happens to a longer body: it is cut off, or the fetch fails. */
  whenLonger: 'cut' | 'fail';
};

/** `isPartial`: the compressed data ends early. Browsers show what is there. */
type Body = { content: Buffer; isPartial: boolean };

/**
 * Reads a response's body and undoes its codings, in the reverse of their order. Decompression stops at the limit, so that a
 * small body that expands to gigabytes costs no more than one that ends there.
 * @throws FetchError too_large; encoding for a coding that was not asked for, or damaged data; interrupted when the
 * connection ends before the body, because half a page cannot show that a link is missing
 */
export async function readBody(
  response: Readable,
  contentEncoding: string | undefined,
  { maxBytes, whenLonger }: Limit,
): Promise<Body> {
  const decoders = findDecoders(contentEncoding ?? '');
  const body = new BoundedBody(maxBytes);
  const received = { bytes: 0 };
  const state: DecoderState = { isPartial: false };
  try {
    let source = countBytes(response, received, decoders.length > 0 ? maxBytes : Number.POSITIVE_INFINITY);
    for (const [at, decode] of decoders.entries()) {
      source = decode(source, state);
      if (at < decoders.length - 1) source = countBytes(source, { bytes: 0 }, maxBytes);
    }
    await pipeline(source, body);
  } catch (error) {
    if (error instanceof TooLongError) {
      if (whenLonger === 'fail') throw new FetchError('too_large');
    } else if (isDecoderError(error)) {
      // Some servers announce a coding for an empty body.
      if (received.bytes === 0) return { content: Buffer.alloc(0), isPartial: false };
      throw new FetchError('encoding', null, { cause: error });
    } else {
      throw error instanceof FetchError ? error : new FetchError('interrupted', null, { cause: error });
    }
  }
  return { content: body.content(), isPartial: state.isPartial && received.bytes > 0 };
}

async function* countBytes(
  source: AsyncIterable<Buffer>,
  counter: { bytes: number },
  maxBytes: number,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    counter.bytes += chunk.length;
    if (counter.bytes > maxBytes) throw new TooLongError();
    yield chunk;
  }
}

class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

class BoundedBody extends Writable {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.chunks.push(chunk.subarray(0, this.maxBytes - this.size));
    this.size = Math.min(this.maxBytes + 1, this.size + chunk.length);
    done(this.size > this.maxBytes ? new TooLongError() : undefined);
  }

  content(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

type DecoderState = { isPartial: boolean };
type Decoder = (source: AsyncIterable<Buffer>, state: DecoderState) => AsyncGenerator<Buffer>;

const decoders: Readonly<Partial<Record<string, Decoder>>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflateEitherForm,
  br: (source) => decompress(source, createBrotliDecompress()),
};
/** Codings that exist but were not asked for. */
const otherCodings = new Set([
  'zstd',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'aes128gcm',
  'bzip2',
  'xz',
  'lzma',
]);
const maxCodings = 3;

/**
 * Finds the decoders for a Content-Encoding, the last coding first. Words that are no coding, such as "utf-8" and "none", are
 * ignored, as in browsers.
 */
function findDecoders(contentEncoding: string): Decoder[] {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.some((coding) => otherCodings.has(coding))) throw new FetchError('encoding');
  const found = codings.flatMap((coding) => (Object.hasOwn(decoders, coding) ? (decoders[coding] ?? []) : []));
  if (found.length > maxCodings) throw new FetchError('encoding');
  return found.reverse();
}

async function* decompress(source: AsyncIterable<Buffer>, decoder: Transform): AsyncGenerator<Buffer> {
  const feeding = pipeline(source, decoder);
  // The loop below receives the same error through the decoder.
  feeding.catch(() => undefined);
  for await (const chunk of decoder) yield chunk;
  await feeding;
}

/** Decompresses gzip. Data without its end is partial: the last four bytes state the length of the content (RFC 1952). */
async function* gunzip(source: AsyncIterable<Buffer>, state: DecoderState): AsyncGenerator<Buffer> {
  let end = Buffer.alloc(0);
  const keepEnd = async function* () {
    for await (const chunk of source) {
      end = Buffer.concat([end, chunk.subarray(-4)]).subarray(-4);
      yield chunk;
    }
  };
  let size = 0;
  for await (const chunk of decompress(keepEnd(), createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))) {
    size += chunk.length;
    yield chunk;
  }
  if (end.length < 4 || end.readUInt32LE() !== size % 2 ** 32) state.isPartial = true;
}

/** Decompresses "deflate": the zlib format (RFC 9110), or the raw one of some servers. The first byte tells which. */
async function* inflateEitherForm(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done || first.value.length === 0) return;
  const rest = async function* () {
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  yield* decompress(rest(), ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw());
}

/** Errors of zlib have codes such as Z_DATA_ERROR, Z_BUF_ERROR and ERR__ERROR_FORMAT_PADDING_1. */
function isDecoderError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR__)/.test(String(error.code));
}
