import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseImage } from '@/lib/settings/branding/logo';
import { pngOf } from '@/tests/factories/picture-of';

/** The smallest image of each format, as encoders write it. */
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffdb004300' +
    `${'01'.repeat(64)}ffc0000b080018003001011100ffda0008010100003f00d2cf20ffd9`,
  'hex',
);
const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

describe('an image', () => {
  it.each([
    ['PNG', pngOf(640, 160), { mediaType: 'image/png', width: 640, height: 160 }],
    ['JPEG', jpeg, { mediaType: 'image/jpeg', width: 48, height: 24 }],
    ['WebP', webp, { mediaType: 'image/webp', width: 1, height: 1 }],
  ])('is recognized by its bytes: %s', (_, bytes, picture) => {
    expect(parseImage(bytes)).toEqual(picture);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', Buffer.from('R0lGODlhAQABAAAAACw=', 'base64')],
    ['a truncated PNG', pngOf().subarray(0, -12)],
    ['a PNG followed by HTML', Buffer.concat([pngOf(), Buffer.from('<script>alert(1)</script>')])],
    ['a JPEG followed by an archive', Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004')])],
    ['a WebP followed by other bytes', Buffer.concat([webp, Buffer.from('x')])],
  ])('is not recognized: %s', (_, bytes) => {
    expect(parseImage(bytes)).toBeNull();
  });

  it('is parsed from any bytes without an error', () => {
    const starts = ['', '89504e470d0a1a0a', 'ffd8ff', 'ffd8ffffff', '52494646'].map((hex) => Buffer.from(hex, 'hex'));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        expect(() => parseImage(Buffer.concat([start, rest, Buffer.from('ffd9', 'hex')]))).not.toThrow();
      }),
    );
  });
});
