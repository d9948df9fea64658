import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { db } from '@/db/client';
import { userAvatars } from '@/db/schema/user-avatars';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { readSmallFile } from '@/lib/platform/http/receive-file';

/**
 * Stores an uploaded picture as the actor's avatar and replaces an earlier one.
 * @returns the hash of the stored image
 * @throws AppError too_large, unsupported_type
 */
export async function setAvatar(actor: Actor, upload: Readable): Promise<string> {
  const image = await convertToAvatar(await readSmallFile(upload, maxAvatarBytes, tooLargeError));
  const hash = createHash('sha256').update(image).digest('hex');
  await db().transaction(async (tx) => {
    await tx
      .insert(userAvatars)
      .values({ userId: actor.userId, image, hash })
      .onConflictDoUpdate({ target: userAvatars.userId, set: { image, hash, updatedAt: new Date() } });
    await recordUserAudit(tx, actor, 'user.picture_changed', `${actor.email} has a new picture.`);
  });
  return hash;
}

const tooLargeError = () => new AppError('too_large', 'The picture is larger than 1 MB. Choose a smaller one.');

/** The maximum size of an upload; the stored image is much smaller. */
export const maxAvatarBytes = 1_000_000;
/** The side length in pixels: four times the size in the top bar, for high-density screens. */
const side = 128;
/** Checked before decoding, against decompression bombs. */
const maxPixels = 50_000_000;
const kinds = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * Converts an uploaded picture to a square WebP in the correct orientation. Only the pixels are kept: metadata such as
 * the location, and data appended to the file, are removed.
 * @throws AppError unsupported_type when the content is not PNG, JPEG or WebP, too_large for too many pixels
 */
async function convertToAvatar(upload: Buffer): Promise<Buffer> {
  const found = await fileTypeFromBuffer(upload);
  if (!found || !kinds.has(found.mime)) throw refused('This file type is not supported.');
  const picture = sharp(upload, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  const { width, height } = await picture.metadata().catch(unreadable);
  if (width * height > maxPixels)
    throw new AppError('too_large', 'The picture has too many pixels. Choose a smaller one.');
  return picture
    .rotate()
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .webp({ quality: 82 })
    .toBuffer()
    .catch(unreadable);
}

function unreadable(): never {
  throw refused('The picture cannot be read; the file may be damaged.');
}

function refused(what: string): AppError {
  return new AppError('unsupported_type', `${what} Upload a PNG, JPEG or WebP picture of up to 1 MB.`);
}

/** Returns the hash of a user's avatar; null without one. */
export async function findAvatarHash(userId: string): Promise<string | null> {
  const [found] = await db().select({ hash: userAvatars.hash }).from(userAvatars).where(eq(userAvatars.userId, userId));
  return found?.hash ?? null;
}

/** Returns the picture of a user. @throws AppError not_found */
async function getAvatar(userId: string): Promise<{ image: Buffer; hash: string }> {
  const [found] = await db()
    .select({ image: userAvatars.image, hash: userAvatars.hash })
    .from(userAvatars)
    .where(eq(userAvatars.userId, userId));
  if (!found) throw new AppError('not_found', 'You have no picture.');
  return found;
}

/** Deletes the actor's avatar, if any; the initials are shown again. */
export async function removeAvatar(actor: Actor): Promise<void> {
  await db().transaction(async (tx) => {
    const removed = await tx
      .delete(userAvatars)
      .where(eq(userAvatars.userId, actor.userId))
      .returning({ userId: userAvatars.userId });
    if (removed.length === 0) return;
    await recordUserAudit(tx, actor, 'user.picture_removed', `${actor.email} removed the picture.`);
  });
}

/**
 * Answers with a user's avatar as an image. The browser may cache it and revalidates it with each request.
 * @param known the request's If-None-Match
 * @throws AppError not_found
 */
export async function createAvatarResponse(userId: string, known: string | null): Promise<Response> {
  const { image, hash } = await getAvatar(userId);
  const headers = { ETag: `"${hash}"`, 'Cache-Control': 'private, no-cache' };
  if (known === `"${hash}"`) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(image), {
    headers: {
      ...headers,
      'Content-Type': 'image/webp',
      'Content-Length': String(image.length),
      'Content-Disposition': 'inline; filename="picture.webp"',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
