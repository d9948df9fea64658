import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/platform/log/log';

/** The time limit for one file, in milliseconds; clamd's own limit for a scan is 120 seconds. */
const scanTimeoutMs = 130_000;
/** The maximum length of clamd's answer. */
const maxResponseBytes = 4_096;

/**
 * Scans a file with clamd's INSTREAM command (clamd(8)): every chunk is preceded by its length in four bytes, an empty
 * chunk ends the file, and the answer is "stream: OK" or "stream: <name> FOUND".
 * @param address host:port, or the path of a socket
 * @param signal aborts the scan
 * @returns the name of the malware, or null for a clean file
 * @throws Error when clamd is unreachable, reports an error, or takes too long
 */
export async function scanWithClamd(
  address: string,
  path: string,
  signal: AbortSignal = AbortSignal.timeout(scanTimeoutMs),
): Promise<string | null> {
  const socket = open(address);
  const end = () => socket.destroy(new Error('clamd timed out.'));
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    return parseVerdict(await exchange(socket, path));
  } finally {
    signal.removeEventListener('abort', end);
    socket.destroy();
  }
}

function open(address: string): Socket {
  if (address.startsWith('/')) return connect(address);
  const colon = address.lastIndexOf(':');
  return connect(Number(address.slice(colon + 1)), address.slice(0, colon).replace(/^\[|\]$/g, ''));
}

/** Sends the file and reads the answer concurrently: clamd answers early and closes when a file is too large for it. */
function exchange(socket: Socket, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const sending = Readable.from(frameChunks(path));
    const settle = (failure?: Error) => {
      sending.destroy();
      // An answer that was received before the connection failed is valid.
      if (response.includes('\0')) resolve(response.slice(0, response.indexOf('\0')));
      else reject(failure ?? new Error(`clamd closed the connection after “${response}”.`));
    };
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      response += text;
      if (response.includes('\0')) settle();
      else if (response.length > maxResponseBytes) settle(new Error('clamd’s response is incomplete.'));
    });
    socket.on('error', settle);
    socket.on('close', () => settle());
    sending.on('error', settle);
    sending.pipe(socket, { end: false });
  });
}

async function* frameChunks(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.from(chunk);
    yield encodeLength(bytes.length);
    yield bytes;
  }
  yield encodeLength(0);
}

function encodeLength(count: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(count);
  return length;
}

function parseVerdict(response: string): string | null {
  if (response === 'stream: OK') return null;
  const [, found] = /^stream: (.+) FOUND$/.exec(response) ?? [];
  if (found === undefined) throw new Error(`clamd returned “${response}”.`);
  return found;
}

/**
 * Scans a file with the installation's virus scanner, if CLAMD_ADDRESS is set. If the scanner does not answer, the file
 * is rejected.
 * @param onInfected receives the malware's name before the rejection, e.g. to log it
 * @throws AppError invalid_input for an infected file, provider_failed when the scan fails
 */
export async function requireCleanFile(path: string, onInfected: (found: string) => Promise<void>): Promise<void> {
  const { CLAMD_ADDRESS } = env();
  if (!CLAMD_ADDRESS) return;
  const found = await scanWithClamd(CLAMD_ADDRESS, path).catch((thrown: unknown) => {
    log().error({ err: thrown }, 'The virus scanner could not be reached.');
    throw new AppError(
      'provider_failed',
      'The virus scanner does not respond, so the file was refused. Try again in a moment. If the problem persists, contact the operator of this marketplace.',
    );
  });
  if (found === null) return;
  await onInfected(found);
  const refusal = `The virus scanner found “${found}” in this file, so it was refused. Upload a clean one.`;
  throw new AppError('invalid_input', refusal, { fields: { file: refusal } });
}
