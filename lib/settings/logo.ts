import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { brandLogos } from '../../db/schema/settings';
import { AppError } from '../errors';
import { type Picture, readPicture } from './picture-size';

/** A checked logo: `id` is the SHA-256 of its bytes, in lower-case hex. */
export type Logo = Picture & { id: string; bytes: Buffer };

const minSide = 16;
const maxSide = 2000;

/**
 * Checks an uploaded logo by its content; the name and the type it was sent with count for nothing. SVG is not taken:
 * it can hold script.
 * @throws AppError unsupported_type, invalid_input for one that is too small or too large
 */
export async function readLogo(file: File): Promise<Logo> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const picture = readPicture(bytes);
  if (!picture) throw refused('unsupported_type', 'The logo must be a PNG, JPEG or WebP picture.');
  const { width, height } = picture;
  if (Math.min(width, height) < minSide || Math.max(width, height) > maxSide) {
    throw refused(
      'invalid_input',
      `The logo is ${width} × ${height} pixels; each side must have ${minSide} to ${maxSide}.`,
    );
  }
  return { ...picture, id: createHash('sha256').update(bytes).digest('hex'), bytes };
}

function refused(code: 'unsupported_type' | 'invalid_input', message: string): AppError {
  return new AppError(code, message, { fields: { logo: message } });
}

/** The same bytes are stored once. */
export async function storeLogo(tx: Executor, { id, mediaType, bytes }: Logo): Promise<void> {
  await tx
    .insert(brandLogos)
    .values({ id, mediaType, content: bytes.toString('base64') })
    .onConflictDoNothing();
}

/** @throws AppError not_found */
export async function findLogo(id: string): Promise<{ mediaType: string; bytes: Buffer<ArrayBuffer> }> {
  const [found] = await db().select().from(brandLogos).where(eq(brandLogos.id, id));
  if (!found) throw new AppError('not_found', 'There is no such logo.');
  return { mediaType: found.mediaType, bytes: Buffer.from(found.content, 'base64') };
}
