import { Decrypter, Encrypter } from 'age-encryption';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { chunksToWebStream } from '@/lib/platform/http/web-stream';
import { type KeyRing, parseKeyRing } from '@/lib/platform/secrets';

/**
 * The work factor of scrypt, as a power of two. It protects short passphrases; these are random keys of 32 bytes. It has
 * two digits, as `headerBytes` assumes.
 */
const workFactor = 10;
const headerPattern = new RegExp(
  `^age-encryption\\.org/v1\\n-> scrypt [\\w+/]{22} ${workFactor}\\n[\\w+/]{43}\\n--- [\\w+/]{43}\\n$`,
);
const headerBytes = 150;

const getKeyRing = () => parseKeyRing(env().SECRET_KEYS);
const passphraseOf = ({ key }: KeyRing[number]) => key.toString('base64');

/** Encrypts a stream in age's format (age-encryption.org/v1), with the first of SECRET_KEYS as the passphrase. */
export async function* encryptArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphraseOf(first));
  for await (const bytes of await encrypter.encrypt(chunksToWebStream(source))) yield Buffer.from(bytes);
}

/**
 * Decrypts an archive. Every chunk of 64 KiB is authenticated before its bytes are returned: it was written with a key of
 * the ring, at this position. Truncation is detected at the end, so the content is complete only once the stream ends.
 * @throws AppError invalid_input for a file that is not an archive, needs another key, or was modified, reordered or
 * truncated
 */
export async function* decryptArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter();
  for (const entry of ring) decrypter.addPassphrase(passphraseOf(entry));
  // Asked last: no key of the ring fits.
  decrypter.addIdentity({ unwrapFileKey: rejectKey });
  let failure: unknown;
  const read = async function* () {
    try {
      yield* checkHeader(source);
    } catch (thrown) {
      failure = thrown;
      throw thrown;
    }
  };
  const input = read();
  try {
    for await (const bytes of await decrypter.decrypt(chunksToWebStream(input))) yield Buffer.from(bytes);
  } catch (thrown) {
    throw thrown === failure || thrown instanceof AppError ? thrown : modifiedError();
  } finally {
    await input.return();
  }
}

/** Passes an archive through unchanged, while it is authenticated. @throws AppError as `decryptArchive` does */
export async function* authenticateArchive(
  source: AsyncIterable<Buffer>,
  ring: KeyRing = getKeyRing(),
): AsyncGenerator<Buffer> {
  const sealed: Buffer[] = [];
  const read = async function* () {
    for await (const bytes of source) {
      sealed.push(bytes);
      yield bytes;
    }
  };
  for await (const _ of decryptArchive(read(), ring)) yield* sealed.splice(0);
}

/** Requires the header that `encryptArchive` writes: age reads one of any length, and lets it choose scrypt's memory. */
async function* checkHeader(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let beginning = Buffer.alloc(0);
  for await (const bytes of source) {
    if (beginning.length >= headerBytes) {
      yield bytes;
      continue;
    }
    beginning = Buffer.concat([beginning, bytes]);
    if (beginning.length < headerBytes) continue;
    if (!headerPattern.test(beginning.toString('latin1', 0, headerBytes))) throw foreignError();
    yield beginning;
  }
  if (beginning.length < headerBytes) throw foreignError();
}

const invalidArchiveError = (message: string) => new AppError('invalid_input', message);

const foreignError = () => invalidArchiveError('This file is not a backup of this application, or it is damaged.');

const rejectKey = () => {
  throw invalidArchiveError(
    'This archive needs a key that is not in SECRET_KEYS. Append it to the others and restart.',
  );
};

const modifiedError = () =>
  invalidArchiveError(
    'This archive is damaged or was changed: it differs from what an installation with these SECRET_KEYS wrote.',
  );
