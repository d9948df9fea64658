import { inflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { AppError } from '@/lib/errors';
import { maxLogoBytes } from '@/lib/settings/branding/branding';
import { type Logo, readLogo } from '@/lib/settings/branding/logo';

/** Every report and its PDF contain the logo, which is decoded for the PDF. */
const maxSide = 1000;

/** The characters that `maxLogoBytes` have in base64. */
export const maxLogoCharacters = Math.ceil(maxLogoBytes / 3) * 4;

/**
 * Reads the logo of an agency as the branding's, and requires that a PDF can contain it.
 * @param base64 the image, also as a data URL
 * @throws AppError unsupported_type, invalid_input for one that is damaged, too small or too large
 */
export async function readReportLogo(base64: string): Promise<Logo> {
  const bytes = Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64');
  if (bytes.length > maxLogoBytes) throw refused('invalid_input', `The logo is larger than ${maxLogoBytes / 1000} kB.`);
  const logo = await readLogo(new File([bytes], 'logo')).catch((thrown: unknown) => {
    throw thrown instanceof AppError ? refusedAs(thrown) : thrown;
  });
  if (logo.mediaType === 'image/webp') throw refused('unsupported_type', 'The logo must be a PNG or JPEG image.');
  if (Math.max(logo.width, logo.height) > maxSide) {
    throw refused(
      'invalid_input',
      `The logo is ${logo.width} × ${logo.height} pixels; use at most ${maxSide} on a side.`,
    );
  }
  if (!isDrawable(logo))
    throw refused('invalid_input', 'The logo is damaged or interlaced. Save it again as a plain PNG or JPEG.');
  return logo;
}

/** The channels of a pixel and the bits of a channel by the color type of a PNG (third edition, 11.2.1). */
const colorTypes: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};

/**
 * Checks that pdfkit can draw the image. Its decoder of PNG trusts the lengths of chunks, takes the last of several
 * headers, and decodes transparent pixels in a callback, where an error ends the process. So all of that is checked first.
 */
function isDrawable({ mediaType, bytes, width, height }: Logo): boolean {
  try {
    if (mediaType === 'image/png' && !hasPixels(bytes, width, height)) return false;
    return Boolean(new PDFDocument({ font: '' }).image(bytes, 0, 0));
  } catch {
    // Not an image of this type, or not a whole one.
    return false;
  }
}

/** Checks the pixels of a PNG. @throws for data that cannot be decompressed */
function hasPixels(bytes: Buffer, width: number, height: number): boolean {
  const [depth = 0, type = 0, , , interlace = 0] = bytes.subarray(24, 29);
  const form = colorTypes[type];
  if (interlace !== 0 || !form?.depths.includes(depth)) return false;
  const rowBytes = Math.ceil((width * form.channels * depth) / 8);
  const whole = height * (rowBytes + 1);
  const pixels = inflateSync(readPngData(bytes), { maxOutputLength: whole });
  if (pixels.length !== whole) return false;
  return Array.from({ length: height }, (_, row) => pixels[row * (rowBytes + 1)] ?? 5).every((filter) => filter <= 4);
}

/** Joins the image data of a PNG. @throws RangeError unless its chunks fill the file, the header first and the end last */
function readPngData(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  const types: string[] = [];
  let at = 8;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    types.push(type);
    if (type === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const isWhole = at === bytes.length && types.lastIndexOf('IHDR') === 0 && types.indexOf('IEND') === types.length - 1;
  if (!isWhole) throw new RangeError('The chunks of the PNG are damaged.');
  return Buffer.concat(parts);
}

const refused = (code: 'unsupported_type' | 'invalid_input', message: string) =>
  new AppError(code, message, { fields: { logo: message } });

/** Names the types that a report takes. */
const refusedAs = ({ code, message }: AppError) =>
  code === 'unsupported_type'
    ? refused(code, 'The logo must be a PNG or JPEG image.')
    : refused('invalid_input', message);
