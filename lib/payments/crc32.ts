/** The remainder of each byte, by the reversed polynomial of CRC-32 (ISO 3309). */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1;
  return rest;
});

/**
 * CRC-32 of some bytes as an unsigned number, as PayPal puts it into what it signs. Written here because node:zlib has
 * one only in Node releases after the oldest that this project runs on.
 */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffff_ffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0);
  return (rest ^ 0xffff_ffff) >>> 0;
}
