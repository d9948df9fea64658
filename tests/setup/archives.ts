import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import { decryptArchive, encryptArchive } from '@/lib/backup/encryption';
import type { KeyRing } from '@/lib/platform/secrets';

/** Simulates an attacker who holds SECRET_KEYS: decrypts an archive, changes it, and encrypts it again. */
export type Entry = { name: string; bytes: Buffer };

export const decrypted = (archive: Buffer): Promise<Buffer> =>
  buffer(Readable.from(decryptArchive(Readable.from([archive]))));

/** @param ring the keys to use instead of the installation's */
export const encrypted = (plain: Buffer, ring?: KeyRing): Promise<Buffer> =>
  buffer(Readable.from(encryptArchive(Readable.from([plain]), ring)));

export async function entriesOf(tar: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  const reading = extract();
  reading.end(tar);
  for await (const entry of reading) entries.push({ name: entry.header.name, bytes: await buffer(entry) });
  return entries;
}

export function packed(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, bytes } of entries) tar.entry({ name }, bytes);
  tar.finalize();
  return buffer(tar);
}
