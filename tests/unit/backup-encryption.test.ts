import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter, Encrypter } from 'age-encryption';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authenticateArchive, decryptArchive, encryptArchive } from '@/lib/backup/encryption';
import { parseKeyRing } from '@/lib/platform/secrets';
import { propertyRuns } from '@/scripts/testing/tier';

const key = () => randomBytes(32).toString('base64');
const older = `k1:${key()}`;
const newer = `k2:${key()}`;
const ring = parseKeyRing(older);

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );
const encrypt = (bytes: Buffer, keys = ring, size = 20_000) =>
  buffer(Readable.from(encryptArchive(inPieces(bytes, size), keys)));
const decrypt = (bytes: Buffer, keys = ring, size = 20_000) =>
  buffer(Readable.from(decryptArchive(inPieces(bytes, size), keys)));
const refused = (message: RegExp) => ({ code: 'invalid_input', message: expect.stringMatching(message) });
/** The header, and age's nonce of 16 bytes. */
const headerEnd = (archive: Buffer) => archive.indexOf('\n', archive.indexOf('--- ')) + 1 + 16;
const sealedChunk = 64 * 1024 + 16;

describe('the archive encryption', () => {
  it('restores the input of any length and chunking', async () => {
    const chunk = 64 * 1024;
    for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17]) {
      const bytes = randomBytes(length);
      const archive = await encrypt(bytes);
      for (const size of [777, 100_000]) expect((await decrypt(archive, ring, size)).equals(bytes)).toBe(true);
    }
  });

  it('is opened by any age with the key of SECRET_KEYS as the passphrase', async () => {
    const bytes = randomBytes(200_000);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(older.slice(3));
    expect(Buffer.from(await decrypter.decrypt(await encrypt(bytes))).equals(bytes)).toBe(true);
  });

  it('rejects an archive with any byte changed, added or removed', async () => {
    const archive = await encrypt(randomBytes(150_000));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(archive.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('change', 'insert', 'remove'),
        async (at, by, how) => {
          const byte = Buffer.from([((archive[at] ?? 0) + by) % 256]);
          const rest = archive.subarray(how === 'insert' ? at : at + 1);
          const forged = Buffer.concat([archive.subarray(0, at), ...(how === 'remove' ? [] : [byte]), rest]);
          await expect(decrypt(forged)).rejects.toMatchObject({ code: 'invalid_input' });
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('rejects truncation, reordered chunks and trailing data', async () => {
    const archive = await encrypt(randomBytes(3 * 64 * 1024 + 5));
    const start = headerEnd(archive);
    const chunk = (number: number) =>
      archive.subarray(start + number * sealedChunk, start + (number + 1) * sealedChunk);
    const header = archive.subarray(0, start);
    for (const forged of [
      header,
      Buffer.concat([header, chunk(0)]),
      Buffer.concat([header, chunk(0), chunk(1), chunk(2)]),
      Buffer.concat([header, chunk(1), chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([header, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)]),
      Buffer.concat([archive, Buffer.from('x')]),
      Buffer.concat([archive, chunk(3)]),
    ]) {
      await expect(decrypt(forged)).rejects.toMatchObject(refused(/damaged or was changed/));
    }
  });

  it('releases no plaintext of a chunk before it is authenticated', async () => {
    const archive = await encrypt(Buffer.alloc(150_000, 'a'));
    const at = headerEnd(archive) + sealedChunk + 5;
    archive.writeUInt8(archive.readUInt8(at) ^ 1, at);
    let given = 0;
    const reading = async () => {
      for await (const bytes of decryptArchive(inPieces(archive, 1_000), ring)) given += bytes.length;
    };
    await expect(reading()).rejects.toMatchObject({ code: 'invalid_input' });
    expect(given).toBe(64 * 1024);
  });

  it('decrypts with an older key of the ring, and reports a missing key', async () => {
    const bytes = randomBytes(10);
    const archive = await encrypt(bytes);
    expect(await decrypt(archive, parseKeyRing(`${newer},${older}`))).toEqual(bytes);
    for (const other of [newer, `k1:${key()}`]) {
      await expect(decrypt(archive, parseKeyRing(other))).rejects.toMatchObject(refused(/not in SECRET_KEYS/));
    }
  });

  it('passes on an error of the source', async () => {
    const archive = await encrypt(randomBytes(100_000));
    const broken = new Error('The disk failed.');
    for (const length of [10, 90_000]) {
      const source = async function* () {
        yield archive.subarray(0, length);
        throw broken;
      };
      await expect(buffer(Readable.from(decryptArchive(source(), ring)))).rejects.toBe(broken);
    }
  });

  it('rejects other files by their first bytes', async () => {
    const endless = (beginning: Buffer | string) => {
      let taken = 0;
      return {
        taken: () => taken,
        async *[Symbol.asyncIterator]() {
          yield Buffer.from(beginning);
          for (; ; taken += 1) yield Buffer.alloc(1_000);
        },
      };
    };
    const costly = new Encrypter();
    costly.setScryptWorkFactor(11);
    costly.setPassphrase(older.slice(3));
    for (const beginning of [
      'age-encryption.org/v2\n',
      'age-encryption.org/v1\n',
      Buffer.from([0x1f, 0x8b, 8, 0]),
      'PK',
      Buffer.from(await costly.encrypt('hello')),
    ]) {
      const source = endless(beginning);
      const reading = buffer(Readable.from(authenticateArchive(source, ring)));
      await expect(reading).rejects.toMatchObject(refused(/not a backup/));
      expect(source.taken()).toBeLessThanOrEqual(2);
    }
  });

  it('passes the archive through unchanged while authenticating it', async () => {
    const archive = await encrypt(randomBytes(150_000));
    const passed = await buffer(Readable.from(authenticateArchive(inPieces(archive, 5_000), ring)));
    expect(passed.equals(archive)).toBe(true);
  });
});
