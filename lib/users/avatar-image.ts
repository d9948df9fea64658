import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { AppError } from '../errors';

/** A picture somebody uploads of themselves; what is kept of it is far smaller. */
export const maxAvatarBytes = 1_000_000;
/** Pixels of a side: four times what the top bar shows, for dense screens and a larger place some day. */
const side = 128;
/** Refused before it is unpacked: a small file can hold a picture that fills the memory. */
const maxPixels = 50_000_000;
const kinds = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * Makes a square WebP of an uploaded picture, the right way up. Only its pixels live on: no place where it was taken, no
 * second file hidden behind the first.
 * @throws AppError unsupported_type for what is no PNG, JPEG or WebP by its content, too_large for too many pixels
 */
export async function avatarImage(upload: Buffer): Promise<Buffer> {
  const found = await fileTypeFromBuffer(upload);
  if (!found || !kinds.has(found.mime)) throw refused('This file is no picture of a kind we take.');
  const picture = sharp(upload, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
  const { width, height } = await picture.metadata().catch(unreadable);
  if (width * height > maxPixels) throw new AppError('too_large', 'The picture has too many pixels. Make it smaller.');
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
