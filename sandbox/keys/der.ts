/** Encodes an ASN.1 value in DER: tag, length, content. */
function encode(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

/** The ASN.1 types of a certificate. */
export const der = {
  sequence: (...items: readonly Uint8Array[]) => encode(0x30, ...items),
  set: (...items: readonly Uint8Array[]) => encode(0x31, ...items),
  /** A non-negative integer from its bytes. */
  integer: (bytes: Uint8Array) => encode(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes),
  bits: (bytes: Uint8Array) => encode(0x03, Buffer.from([0]), bytes),
  null: () => encode(0x05),
  text: (value: string) => encode(0x0c, Buffer.from(value, 'utf8')),
  /** UTCTime, in seconds; supports years up to 2049. */
  time: (date: Date) => encode(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`, 'ascii')),
  /** An object identifier such as "2.5.4.3". */
  objectId: (dotted: string) => encode(0x06, objectIdBytes(dotted)),
  /** A value with a context-specific tag. */
  tagged: (number: number, value: Uint8Array) => encode(0xa0 | number, value),
};

function objectIdBytes(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return Buffer.from([first * 40 + second, ...rest.flatMap(base128)]);
}

/** Encodes seven bits per byte, highest first; all but the last have the eighth bit set. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
