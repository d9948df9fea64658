import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** Returns the records of a name; null if the server is not responsible for it. */
type Resolve = (name: string) => { addresses: readonly string[]; texts: readonly string[] } | null;

export type NameServer = {
  /** Until then the server answers no query. */
  serve(resolve: Resolve): void;
  close(): Promise<void>;
};

/** Opens a name server (RFC 1035, over UDP) on the loopback address. @throws Error with the code EADDRINUSE */
export async function openNameServer(port: number): Promise<NameServer> {
  let resolve: Resolve | undefined;
  const socket = createSocket('udp4');
  socket.on('message', (query, { port: from, address }) => {
    const answer = resolve && answerQuery(query, resolve);
    // A client that is gone gets no answer, which is not an error of the server.
    if (answer) socket.send(answer, from, address, () => undefined);
  });
  await new Promise<void>((opened, failed) => {
    socket.once('error', failed);
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, opened);
  });
  return {
    serve(served) {
      resolve = served;
    },
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

const headerBytes = 12;
const ipv4Type = 1;
const textType = 16;
const ipv6Type = 28;
const internetClass = 1;
const noError = 0;
const refused = 5;

/**
 * Answers a query for the addresses or the texts of a name. A name without records of the queried type has an empty
 * answer.
 * @returns null for what is not a query with one question
 */
function answerQuery(query: Buffer, resolve: Resolve): Buffer | null {
  const isQuery = query.length > headerBytes && (query.readUInt16BE(2) & 0xf800) === 0 && query.readUInt16BE(4) === 1;
  const question = isQuery ? readQuestion(query) : null;
  if (!question) return null;
  const found = resolve(question.name);
  const known = [
    ...(found?.addresses ?? []).map(
      (address) => [isIPv4(address) ? ipv4Type : ipv6Type, addressBytes(address)] as const,
    ),
    ...(found?.texts ?? []).map((text) => [textType, textBytes(text)] as const),
  ];
  const records = known
    .filter(([type]) => type === question.type && question.class === internetClass)
    .map(([type, bytes]) => resourceRecord(type, bytes));
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // Response and authoritative, with the client's "recursion desired".
  header.writeUInt16BE(0x8400 | (query.readUInt16BE(2) & 0x0100) | (found ? noError : refused), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, question.end), ...records]);
}

function readQuestion(query: Buffer): { name: string; type: number; class: number; end: number } | null {
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = query[at];
    // Longer lengths are pointers, which a question does not contain.
    if (length === undefined || length > 63) return null;
    at += 1;
    if (length === 0) break;
    labels.push(query.toString('latin1', at, at + length));
    at += length;
  }
  const end = at + 4;
  if (end > query.length) return null;
  return { name: labels.join('.'), type: query.readUInt16BE(at), class: query.readUInt16BE(at + 2), end };
}

/** Returns a record for the name of the question, valid for zero seconds, so that a change is effective at once. */
function resourceRecord(type: number, bytes: Buffer): Buffer {
  const record = Buffer.alloc(12);
  // A pointer to the name in the question.
  record.writeUInt16BE(0xc000 | headerBytes, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(internetClass, 4);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}

const addressBytes = (address: string): Buffer =>
  isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);

/** Splits a text into the strings of a record, which have at most 255 bytes. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const starts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, index) => index * 255);
  const strings = starts.map((start) => bytes.subarray(start, start + 255));
  return Buffer.concat(strings.flatMap((string) => [Buffer.from([string.length]), string]));
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser writes every form, also with an IPv4 address at its end, as groups of hexadecimal digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = groups.split('::');
  const split = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [split(before), split(after ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
