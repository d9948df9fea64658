import { expect, it } from 'vitest';
import { crc32 } from '@/lib/payments/providers/paypal/signature';

// The check value of CRC-32/ISO-HDLC, and checksums from zlib.
it.each([
  ['', 0],
  ['123456789', 0xcbf4_3926],
  ['The quick brown fox jumps over the lazy dog', 0x414f_a339],
  ['{"id":"WH-1","summary":"Zahlung über 10,00 €"}', 1_452_678_102],
])('computes the checksum of %j', (text, sum) => {
  expect(crc32(Buffer.from(text))).toBe(sum);
});
