import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextDecoder, decodeText, decodeUtf8, findEncoding, findXmlEncoding } from '@/lib/platform/decode-text';

/** The characters of the bytes 0x80 to 0x9F in the standard's index of windows-1252. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

describe('decoding', () => {
  it('reads windows-1252 by the index of the standard, at once and in chunks', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const expected = Array.from(bytes, (byte) => String.fromCharCode(byte))
      .join('')
      .replace(/[\x80-\x9f]+/, windows1252);
    for (const label of ['windows-1252', 'latin1', 'ISO-8859-1', ' ascii\n']) {
      expect(decodeText(bytes, label)).toBe(expected);
      const decoder = createTextDecoder(label);
      expect([...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true })).join('')).toBe(expected);
    }
  });

  it('lets the byte order mark win, and replaces what is not valid', () => {
    expect(decodeText(Buffer.from('\ufeffü'), 'windows-1252')).toBe('ü');
    expect(decodeText(Buffer.from('\ufeffü', 'utf16le'), 'utf-8')).toBe('ü');
    expect(decodeText(Buffer.from('\ufeffü', 'utf16le').swap16(), 'utf-8')).toBe('ü');
    expect(decodeText(Uint8Array.of(0x61, 0xff), 'utf-8')).toBe('a\ufffd');
    expect(decodeText(Uint8Array.of(0x61), 'replacement')).toBe('\ufffd');
  });

  it('reads any text in UTF-8 back, and nothing else as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8(Buffer.from(text))).toBe(text.replace(/^\ufeff/, ''));
      }),
    );
    expect(
      [[0x92], [0xc3], [0xed, 0xa0, 0x80], [0xff, 0xfe]].map((bytes) => decodeUtf8(Uint8Array.from(bytes))),
    ).toEqual([null, null, null, null]);
  });

  it('knows the labels of the standard', () => {
    expect(
      ['UTF8', 'sjis', ' KOI8-R ', 'x-mac-ukrainian', 'l9', 'hz-gb-2312', 'klingon', ''].map(findEncoding),
    ).toEqual([...['UTF-8', 'Shift_JIS', 'KOI8-R', 'x-mac-cyrillic', 'ISO-8859-15', 'replacement', null, null]]);
  });

  it.each([
    ['<?xml version="1.0" encoding="ISO-8859-15"?>', 'ISO-8859-15'],
    ["<?xml version='1.0' encoding='latin1' standalone='yes'?>", 'windows-1252'],
    ['<?xml version="1.0" encoding = "utf-16"?>', 'UTF-8'],
    ['<?xml version="1.0"?><a encoding="latin1"/>', null],
    ['<?xml version="1.0" encoding="klingon"?>', null],
    ['<a><?xml version="1.0" encoding="latin1"?>', null],
  ])('finds the encoding of %s', (text, encoding) => {
    expect(findXmlEncoding(Buffer.from(text))).toBe(encoding);
  });
});

it('is the only way in which the server decodes bytes by their encoding', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = ['app', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const found = files.filter(
    (file) => /\.tsx?$/.test(file) && /new TextDecoder(Stream)?\([^)]/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found).toEqual(['lib/platform/decode-text.ts']);
});
