import { Readable } from 'node:stream';
import { z } from 'zod';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getDirectUploadOrigin, maxDirectBytes } from '@/lib/network/direct-uploads';
import { log } from '@/lib/platform/log/log';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { directUploadKey } from './storage-key';
import { contentStore } from './store';

/** The maximum size of a file, apart from a backup archive. */
const maxFileBytes = 50_000_000;

/** A used id is remembered for longer than an unused file is kept (lib/orders/deliverables/store-file.ts). */
const rememberedMs = 3 * 24 * 60 * 60 * 1000;

/** The body of POST /api/uploads. */
export const createUploadBody = z.object({
  size_bytes: z
    .int('Enter the size of the file in bytes.')
    .min(1, 'The file is empty.')
    .max(maxDirectBytes, 'The file is larger than 5 GB.')
    .describe('The exact size of the file. The bucket accepts no other.'),
});

export const uploadFormResponse = z
  .object({
    id: z.string().describe('Names the file in the request that uses it.'),
    url: z.string().describe('The address of the bucket.'),
    fields: z.record(z.string(), z.string()).describe('The fields of the form. The field `file` follows them.'),
    expires_at: z.iso.datetime().describe('The file must be sent before.'),
  })
  .meta({ title: 'UploadForm' });

/** Names a file that was sent to the bucket, in place of a form with the file. */
export const directUploadBody = z
  .object({
    upload: z
      .string('Choose a file to upload.')
      .max(64, 'This is not the id of an upload.')
      .describe('The `id` of POST /api/uploads.'),
    name: z
      .string('Enter the name of the file.')
      .min(1, 'Enter the name of the file.')
      .max(500, 'This name is too long.'),
  })
  .meta({ title: 'DirectUpload' });

export type DirectUpload = z.output<typeof directUploadBody>;

/**
 * Creates a form with which a browser sends one file to the bucket. The key contains the user's id, so that no other
 * user can use the file, and 80 random bits. The file is never served. It is deleted when a request has used it, or
 * after a day.
 * @param mayBeArchive whether the file may be as large as a backup archive
 * @throws AppError not_configured when files are sent to the app, too_large, rate_limited
 */
export async function createDirectUpload(
  userId: string,
  sizeBytes: number,
  mayBeArchive: boolean,
): Promise<z.output<typeof uploadFormResponse>> {
  const { createForm } = contentStore();
  if (!createForm || !areDirectUploadsOn())
    throw new AppError('not_configured', 'Direct uploads are turned off. Send the file as a form.');
  const isArchive = sizeBytes > maxFileBytes;
  if (isArchive && !mayBeArchive)
    throw new AppError('too_large', `The file is larger than ${maxFileBytes / 1_000_000} MB.`);
  const account = { account: userId, address: '' };
  if (isArchive) await consumeLimit('directArchive', account);
  else await consumeLimit('directUpload', account, { amount: Math.ceil(sizeBytes / 1_000) });
  const id = newId();
  const seconds = getLifetime(sizeBytes);
  const expiresAt = new Date(Date.now() + seconds * 1000);
  const form = await createForm(directUploadKey(userId, id), { sizeBytes, seconds });
  return { id, ...form, expires_at: expiresAt.toISOString() };
}

const areDirectUploadsOn = () => getDirectUploadOrigin(env()) !== null;

/** Allows 15 minutes, and a second for each megabyte: a service may check the time when the whole file has arrived. */
const getLifetime = (sizeBytes: number) => 15 * 60 + Math.ceil(sizeBytes / 1_000_000);

/**
 * Streams a file that the user sent to the bucket to `use`, once, and then deletes it, also after a refusal. Of several
 * requests with the same file, also concurrent ones, only the first receives it.
 * @param use reads the stream to its end or destroys it
 * @throws AppError not_found when the file does not exist, belongs to another user, or was used; provider_failed when the
 * bucket does not respond: the file can still be used if it was not read yet
 */
export async function receiveDirectUpload<T>(
  userId: string,
  { upload, name }: DirectUpload,
  use: (file: Readable, name: string) => Promise<T>,
): Promise<T> {
  const key = directUploadKey(userId, upload);
  const object = await openUpload(key);
  try {
    if (!(await claimUpload(upload))) throw uploadNotFound();
  } catch (thrown) {
    object.destroy();
    throw thrown;
  }
  try {
    return await use(Readable.from(readObject(object), { objectMode: false }), name);
  } finally {
    object.destroy();
    // The job remove-orphaned-content deletes it later.
    await contentStore()
      .delete(key)
      .catch((thrown: unknown) => log().warn({ storageKey: key, err: thrown }, 'A used upload could not be deleted.'));
  }
}

async function openUpload(key: string): Promise<Readable> {
  if (!areDirectUploadsOn()) throw uploadNotFound();
  const object = await contentStore()
    .get(key)
    .catch((thrown: unknown) => {
      throw thrown instanceof AppError && thrown.code === 'not_found' ? uploadNotFound() : thrown;
    });
  // An unhandled 'error' event would end the process. `readObject` reports the error to the reader.
  return object.on('error', () => undefined);
}

/** Counts the use of an upload, with which other instances agree. @returns whether it is the first */
async function claimUpload(id: string): Promise<boolean> {
  const claimed = await db()
    .insert(rateLimits)
    .values({ key: `upload:${id}`, count: 1, resetsAt: new Date(Date.now() + rememberedMs) })
    .onConflictDoNothing()
    .returning({ key: rateLimits.key });
  return claimed.length > 0;
}

async function* readObject(object: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of object) yield Buffer.from(chunk);
  } catch (thrown) {
    log().error({ err: thrown }, 'The content store interrupted a file.');
    throw new AppError('provider_failed', 'The file store did not send the whole file. Please upload it again.');
  }
}

function uploadNotFound(): AppError {
  return new AppError('not_found', 'This upload does not exist, or was already used. Please upload the file again.');
}
