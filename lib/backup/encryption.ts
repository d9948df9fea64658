import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { type KeyRing, parseKeyRing } from '@/lib/platform/secrets';

/** The version of the format in docs/backup.md. Increase it with every change of the format. */
export const formatVersion = 2;

const magic = 'linkmarket-backup';
const saltBytes = 32;
const keyBytes = 32;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const sealedBytes = chunkBytes + tagBytes;
/** The maximum length of a header. Limits how much of an invalid file is read. */
const maxHeaderBytes = 512;
const headerPattern = /^linkmarket-backup (\d{1,9})\nkey ([a-z0-9]+)\nsalt ([\w-]{43})\nmac ([\w-]{43})\n$/;

/** The first bytes of the unencrypted archives of version 1. */

const getKeyRing = () => parseKeyRing(env().SECRET_KEYS);

/**
 * Encrypts a stream with the first of SECRET_KEYS in authenticated chunks of 64 KiB: AES-256-GCM under a key derived for
 * each archive, with the chunk number and a last-chunk flag as the nonce (the STREAM construction of Hoang,
 * Reyhanitabar, Rogaway and Vizár). Buffers at most two chunks.
 */
export async function* encryptArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const salt = randomBytes(saltBytes);
  const signed = `${magic} ${formatVersion}\nkey ${first.id}\nsalt ${salt.toString('base64url')}\n`;
  yield Buffer.from(`${signed}mac ${computeMac(signed, first.key, salt).toString('base64url')}\n`);
  const key = deriveKey(first.key, salt, 'content');
  for await (const { number, isLast, bytes } of splitChunks(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, createNonce(number, isLast), { authTagLength: tagBytes });
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/**
 * Decrypts an archive. Every chunk is authenticated before its bytes are returned: it was written with a key of the ring,
 * at this position. Truncation is detected at the end, so the content is complete only once the stream ends.
 * @throws AppError invalid_input for a file that is not an archive, has another version, needs another key, or was
 * modified, reordered or truncated
 */
export async function* decryptArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  for await (const { plain } of readChunks(source, ring)) if (plain.length > 0) yield plain;
}

/** Passes an archive through unchanged, each chunk after it is authenticated. @throws AppError as `decryptArchive` does */
export async function* authenticateArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  for await (const { sealed } of readChunks(source, ring)) yield sealed;
}

async function* readChunks(
  source: AsyncIterable<Buffer>,
  ring: KeyRing,
): AsyncGenerator<{ sealed: Buffer; plain: Buffer }> {
  const input = source[Symbol.asyncIterator]();
  try {
    const { header, rest } = await readHeader(input);
    const key = contentKey(header, ring);
    yield { sealed: header, plain: Buffer.alloc(0) };
    for await (const { number, isLast, bytes } of splitChunks(prepend(rest, input), sealedBytes)) {
      yield { sealed: bytes, plain: decryptChunk(key, createNonce(number, isLast), bytes) };
    }
  } finally {
    await input.return?.();
  }
}

function decryptChunk(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  if (bytes.length < tagBytes) throw modifiedError();
  const end = bytes.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(end));
  const plain = decipher.update(bytes.subarray(0, end));
  try {
    decipher.final();
  } catch {
    throw modifiedError();
  }
  return plain;
}

/** Reads the header, and at most the chunk in which it ends. */
async function readHeader(input: AsyncIterator<Buffer>): Promise<{ header: Buffer; rest: Buffer }> {
  let read: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await input.next();
    if (!next.done) read = Buffer.concat([read, next.value]);
    const end = endOfHeader(read);
    if (end > 0) return { header: read.subarray(0, end), rest: read.subarray(end) };
    if (next.done || read.length >= maxHeaderBytes) throw createHeaderError(read);
  }
}

/** Returns the position after the fourth line, or 0. */
function endOfHeader(read: Buffer): number {
  const beginning = read.subarray(0, maxHeaderBytes);
  let end = 0;
  for (let line = 0; line < 4; line += 1) {
    end = beginning.indexOf('\n', end) + 1;
    if (end === 0) return 0;
  }
  return end;
}

/** Verifies a header. @returns the content key */
function contentKey(header: Buffer, ring: KeyRing): Buffer {
  const text = header.toString('latin1');
  const [, version, keyId = '', saltText = '', mac = ''] = headerPattern.exec(text) ?? [];
  if (Number(version) !== formatVersion) throw createHeaderError(header);
  const known = ring.find(({ id }) => id === keyId);
  if (!known) {
    throw invalidArchiveError(
      `This archive needs the key "${keyId}", which is not in SECRET_KEYS. Append it to the others and restart.`,
    );
  }
  const salt = Buffer.from(saltText, 'base64url');
  const expected = computeMac(text.slice(0, text.indexOf('mac ')), known.key, salt);
  const given = Buffer.from(mac, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw modifiedError();
  return deriveKey(known.key, salt, 'content');
}

/** Builds the error for a file without a valid header of this version. */
function createHeaderError(beginning: Buffer): AppError {
  const version = Number(/^linkmarket-backup (\d{1,9})\n/.exec(beginning.toString('latin1'))?.[1] ?? 0);
  if (version > formatVersion) {
    return invalidArchiveError(
      'This archive was created by a newer version of the application. Update this installation first, then restore.',
    );
  }
  return invalidArchiveError('This file is not a backup of this application, or it is damaged.');
}

const modifiedError = () =>
  invalidArchiveError(
    'This archive is damaged or was changed: it differs from what an installation with these SECRET_KEYS wrote.',
  );

const invalidArchiveError = (message: string) => new AppError('invalid_input', message);

const computeMac = (signed: string, key: Buffer, salt: Buffer) =>
  createHmac('sha256', deriveKey(key, salt, 'header'))
    .update(signed, 'latin1')
    .digest();

/** Derives a key for one purpose and archive, so that no other ciphertext under the ring's key is valid in an archive. */
const deriveKey = (key: Buffer, salt: Buffer, purpose: 'header' | 'content') =>
  Buffer.from(hkdfSync('sha256', key, salt, `${magic} ${formatVersion} ${purpose}`, keyBytes));

/** Builds the nonce: the chunk number in 11 bytes, big-endian, and the last-chunk flag in one. */
function createNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Splits a stream into chunks of equal length. The last one may be shorter and is empty only for an empty stream. */
async function* splitChunks(source: AsyncIterable<Buffer>, length: number) {
  let number = 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of source) {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    for (; held.length > length; held = held.subarray(length)) {
      yield { number, isLast: false, bytes: held.subarray(0, length) };
      number += 1;
    }
  }
  yield { number, isLast: true, bytes: held };
}

async function* prepend(first: Buffer, input: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await input.next(); !next.done; next = await input.next()) yield next.value;
}
