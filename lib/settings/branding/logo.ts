import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { brandLogos } from '@/db/schema/settings';
import { AppError } from '@/lib/errors';

/** A validated logo: `id` is the SHA-256 of its bytes, in lower-case hex. */
export type Logo = ImageInfo & { id: string; bytes: Buffer };

const minSide = 16;
const maxSide = 2000;

/**
 * Validates an uploaded logo by its content; the file name and declared type are ignored. SVG is not accepted because
 * it can contain scripts.
 * @throws AppError unsupported_type, invalid_input when it is too small or too large
 */
export async function readLogo(file: File): Promise<Logo> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const picture = parseImage(bytes);
  if (!picture) throw refused('unsupported_type', 'The logo must be a PNG, JPEG or WebP image.');
  const { width, height } = picture;
  if (Math.min(width, height) < minSide || Math.max(width, height) > maxSide) {
    throw refused(
      'invalid_input',
      `The logo is ${width} × ${height} pixels; each side must be ${minSide} to ${maxSide}.`,
    );
  }
  return { ...picture, id: createHash('sha256').update(bytes).digest('hex'), bytes };
}

function refused(code: 'unsupported_type' | 'invalid_input', message: string): AppError {
  return new AppError(code, message, { fields: { logo: message } });
}

/** Stores a logo; identical bytes are stored once. */
export async function storeLogo(tx: Executor, { id, mediaType, bytes }: Logo): Promise<void> {
  await tx
    .insert(brandLogos)
    .values({ id, mediaType, content: bytes.toString('base64') })
    .onConflictDoNothing();
}

/** Finds a logo. @throws AppError not_found */
export async function findLogo(id: string): Promise<{ mediaType: string; bytes: Buffer<ArrayBuffer> }> {
  const [found] = await db().select().from(brandLogos).where(eq(brandLogos.id, id));
  if (!found) throw new AppError('not_found', 'This logo does not exist.');
  return { mediaType: found.mediaType, bytes: Buffer.from(found.content, 'base64') };
}

type ImageInfo = { mediaType: 'image/png' | 'image/jpeg' | 'image/webp'; width: number; height: number };

/**
 * Reads the type and size of an image from its bytes. The file must be a single complete image without data after it.
 * @returns null for anything but a PNG, JPEG or WebP image
 */
export function parseImage(bytes: Buffer): ImageInfo | null {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
}

/** Reads a PNG (third edition), 5.2 and 11.2: the signature, IHDR first and IEND last. */
function readPng(bytes: Buffer): ImageInfo | null {
  const isPng = startsWith(bytes, '89504e470d0a1a0a') && textAt(bytes, 12, 4) === 'IHDR';
  if (!isPng || bytes.length < 45 || !endsWith(bytes, '0000000049454e44ae426082')) return null;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Reads a JPEG (ITU T.81, B.1): segments up to the frame header, which contains the size; the end marker is last. */
function readJpeg(bytes: Buffer): ImageInfo | null {
  if (!startsWith(bytes, 'ffd8ff') || !endsWith(bytes, 'ffd9')) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // FF bytes before a marker are padding without a length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Reads a WebP (RFC 9649, 2.3 to 2.7): a RIFF file of exactly its declared length, in one of three forms. */
function readWebp(bytes: Buffer): ImageInfo | null {
  const isWebp = textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP' && bytes.length >= 30;
  if (!isWebp || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const mediaType = 'image/webp';
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { mediaType, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

const startsWith = (bytes: Buffer, hex: string) => bytes.subarray(0, hex.length / 2).toString('hex') === hex;
const endsWith = (bytes: Buffer, hex: string) => bytes.subarray(-hex.length / 2).toString('hex') === hex;
const textAt = (bytes: Buffer, at: number, length: number) => bytes.toString('latin1', at, at + length);
