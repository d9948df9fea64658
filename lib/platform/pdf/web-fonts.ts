import { brotliDecompressSync, inflateSync } from 'node:zlib';

/**
 * Decodes a font of the WOFF File Format 1.0 (https://www.w3.org/TR/WOFF/) once, so that each document need not inflate
 * its tables again.
 * @throws Error for a font that is no WOFF
 */
export function decodeWoff(data: Buffer): Buffer {
  if (data.readUInt32BE(0) !== 0x774f4646) throw new Error('The font is not in the format WOFF.');
  const tables = Array.from({ length: data.readUInt16BE(12) }, (_, index): [string, Buffer] => {
    const entry = 44 + 20 * index;
    const [offset, stored, original] = [4, 8, 12].map((field) => data.readUInt32BE(entry + field));
    const table = data.subarray(offset, (offset ?? 0) + (stored ?? 0));
    return [data.toString('latin1', entry, entry + 4), stored === original ? table : inflateSync(table)];
  });
  return writeFont(data.readUInt32BE(4), new Map(tables));
}

/** The tags that an entry of the table directory names by a number (section 4.1 of WOFF2). */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .match(/.{4} ?/g)
    ?.map((tag) => tag.slice(0, 4)) ?? [];

/**
 * Decodes a font of the WOFF File Format 2.0 (https://www.w3.org/TR/WOFF2/) to TrueType, from which fontkit can make
 * subsets and instances of a variable font. Checksums are not computed.
 * @throws Error for a font that is a collection or no WOFF2
 */
export function decodeWoff2(data: Buffer): Buffer {
  const header = new Reader(data);
  if (header.uint32() !== 0x774f4632) throw new Error('The font is not in the format WOFF2.');
  const flavor = header.uint32();
  if (flavor !== 0x00010000) throw new Error('The font has no TrueType outlines.');
  header.skip(4);
  const count = header.uint16();
  header.skip(6);
  const compressed = header.uint32();
  header.skip(24);
  const entries = Array.from({ length: count }, () => readEntry(header));
  const body = new Reader(brotliDecompressSync(header.bytes(compressed)));
  const stored = new Map(entries.map((entry) => [entry.tag, { ...entry, data: body.bytes(entry.stored) }]));
  const tables = new Map(entries.map(({ tag }) => [tag, stored.get(tag)?.data ?? Buffer.alloc(0)]));
  const [glyf, head, hhea, hmtx] = ['glyf', 'head', 'hhea', 'hmtx'].map((tag) => stored.get(tag));
  if (!glyf || !head || !hhea || !hmtx) throw new Error('The font has no outlines.');
  if (!glyf.isTransformed) return writeFont(flavor, tables);
  const outlines = decodeGlyphs(new Reader(glyf.data));
  const locations = Buffer.alloc(4 * (outlines.glyphs.length + 1));
  let offset = 0;
  for (const [index, glyph] of outlines.glyphs.entries()) {
    offset += glyph.length;
    locations.writeUInt32BE(offset, 4 * (index + 1));
  }
  tables.set('glyf', Buffer.concat(outlines.glyphs));
  tables.set('loca', locations);
  // The locations are always written in the long format.
  const longHead = Buffer.from(head.data);
  longHead.writeInt16BE(1, 50);
  tables.set('head', longHead);
  if (hmtx.isTransformed)
    tables.set('hmtx', decodeMetrics(new Reader(hmtx.data), hhea.data.readUInt16BE(34), outlines.glyphs));
  return writeFont(flavor, tables);
}

class Reader {
  #at = 0;
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#data.length) throw new Error('The font is cut off.');
    this.#at += length;
    return this.#data.subarray(this.#at - length, this.#at);
  }

  skip = (length: number): void => void this.bytes(length);
  uint8 = (): number => this.bytes(1).readUInt8();
  uint16 = (): number => this.bytes(2).readUInt16BE();
  int16 = (): number => this.bytes(2).readInt16BE();
  uint32 = (): number => this.bytes(4).readUInt32BE();

  /** Reads a UIntBase128. */
  base128(): number {
    let value = 0;
    for (;;) {
      const byte = this.uint8();
      value = value * 128 + (byte & 0x7f);
      if ((byte & 0x80) === 0) return value;
    }
  }

  /** Reads a 255UInt16. */
  packedUint16(): number {
    const code = this.uint8();
    if (code === 253) return this.uint16();
    if (code === 254) return this.uint8() + 506;
    if (code === 255) return this.uint8() + 253;
    return code;
  }

  get rest(): Buffer {
    return this.#data.subarray(this.#at);
  }
}

type Entry = { tag: string; stored: number; isTransformed: boolean };

function readEntry(header: Reader): Entry {
  const flags = header.uint8();
  const known = flags & 0x3f;
  const tag = known === 0x3f ? header.bytes(4).toString('latin1') : (knownTags[known] ?? '');
  const version = flags >> 6;
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
  const original = header.base128();
  return { tag, isTransformed, stored: isTransformed ? header.base128() : original };
}

/** Reads the transformed table glyf (section 5.1). @returns each glyph as in a TrueType font */
function decodeGlyphs(table: Reader): { glyphs: Buffer[] } {
  table.skip(4);
  const count = table.uint16();
  table.skip(2);
  const [contourSize = 0, pointSize = 0, flagSize = 0, glyphSize = 0, compositeSize = 0, boxSize = 0] = Array.from(
    { length: 6 },
    () => table.uint32(),
  );
  const instructionSize = table.uint32();
  const [contours, points, flags, glyphs, composites] = [
    contourSize,
    pointSize,
    flagSize,
    glyphSize,
    compositeSize,
  ].map((size) => new Reader(table.bytes(size)));
  const boxes = new Reader(table.bytes(boxSize));
  const instructions = new Reader(table.bytes(instructionSize));
  if (!contours || !points || !flags || !glyphs || !composites) throw new Error('The font is cut off.');
  const hasBox = boxes.bytes(((count + 31) >> 5) << 2);
  const streams = { points, flags, glyphs, composites, instructions };
  return {
    glyphs: Array.from({ length: count }, (_, index) => {
      const number = contours.int16();
      if (number === 0) return Buffer.alloc(0);
      const box = (hasBox.readUInt8(index >> 3) >> (7 - (index & 7))) & 1 ? boxes.bytes(8) : undefined;
      return pad(number < 0 ? decodeComposite(streams, box) : decodeSimple(streams, number, box), 4);
    }),
  };
}

type Streams = Record<'points' | 'flags' | 'glyphs' | 'composites' | 'instructions', Reader>;

function decodeComposite({ composites, glyphs, instructions }: Streams, box: Buffer | undefined): Buffer {
  if (!box) throw new Error('A composite glyph has no bounding box.');
  const parts = [uint16(0xffff), box];
  let [isMore, hasInstructions] = [true, false];
  while (isMore) {
    const flags = composites.uint16();
    const scale = flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0;
    parts.push(uint16(flags), composites.bytes(2 + (flags & 0x01 ? 4 : 2) + scale));
    isMore = (flags & 0x20) !== 0;
    hasInstructions ||= (flags & 0x100) !== 0;
  }
  if (hasInstructions) {
    const length = glyphs.packedUint16();
    parts.push(uint16(length), instructions.bytes(length));
  }
  return Buffer.concat(parts);
}

function decodeSimple(streams: Streams, contours: number, box: Buffer | undefined): Buffer {
  let count = 0;
  const ends = Array.from({ length: contours }, () => {
    count += streams.points.packedUint16();
    return count - 1;
  });
  const moves = Array.from({ length: count }, () => readMove(streams));
  const length = streams.glyphs.packedUint16();
  const code = streams.instructions.bytes(length);
  // On the curve or not; the coordinates follow as 16-bit differences.
  const flags = Buffer.from(moves.map(({ isOnCurve }) => (isOnCurve ? 1 : 0)));
  const [xs, ys] = [moves.map(({ x }) => x), moves.map(({ y }) => y)];
  return Buffer.concat([
    uint16(contours),
    box ?? computeBox(xs, ys),
    ...ends.map(uint16),
    uint16(length),
    code,
    flags,
    ...[...xs, ...ys].map(uint16),
  ]);
}

/** Reads the move from one point to the next (section 5.2, table of the triplets). */
function readMove({ flags, glyphs }: Streams): { x: number; y: number; isOnCurve: boolean } {
  const flag = flags.uint8();
  const code = flag & 0x7f;
  const sign = (bit: number, value: number) => (bit & 1 ? value : -value);
  const of = (x: number, y: number) => ({ x, y, isOnCurve: flag < 0x80 });
  if (code < 10) return of(0, sign(code, ((code & 14) << 7) + glyphs.uint8()));
  if (code < 20) return of(sign(code, (((code - 10) & 14) << 7) + glyphs.uint8()), 0);
  if (code < 84) {
    const [rest, byte] = [code - 20, glyphs.uint8()];
    const x = 1 + (rest & 0x30) + (byte >> 4);
    const y = 1 + ((rest & 0x0c) << 2) + (byte & 0x0f);
    return of(sign(code, x), sign(code >> 1, y));
  }
  if (code < 120) {
    const rest = code - 84;
    const x = 1 + (Math.floor(rest / 12) << 8) + glyphs.uint8();
    const y = 1 + (((rest % 12) >> 2) << 8) + glyphs.uint8();
    return of(sign(code, x), sign(code >> 1, y));
  }
  if (code < 124) {
    const [first, second, third] = [glyphs.uint8(), glyphs.uint8(), glyphs.uint8()];
    return of(sign(code, (first << 4) + (second >> 4)), sign(code >> 1, ((second & 0x0f) << 8) + third));
  }
  const [x, y] = [glyphs.uint16(), glyphs.uint16()];
  return of(sign(code, x), sign(code >> 1, y));
}

/** Computes the bounding box of points from their moves. */
function computeBox(xs: readonly number[], ys: readonly number[]): Buffer {
  const range = (moves: readonly number[]) => {
    let [at, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const move of moves) {
      at += move;
      [low, high] = [Math.min(low, at), Math.max(high, at)];
    }
    return [low, high] as const;
  };
  const [[left, right], [bottom, top]] = [range(xs), range(ys)];
  return Buffer.concat([left, bottom, right, top].map(uint16));
}

/** Reads the transformed table hmtx (section 5.4): side bearings that are left out equal the left edge of the glyph. */
function decodeMetrics(table: Reader, wide: number, glyphs: readonly Buffer[]): Buffer {
  const flags = table.uint8();
  const advances = Array.from({ length: wide }, () => table.uint16());
  const edgeOf = (glyph: Buffer | undefined) => (glyph && glyph.length > 0 ? glyph.readInt16BE(2) : 0);
  const bearings = glyphs.map((glyph, index) => {
    const isLeftOut = (flags & (index < wide ? 1 : 2)) !== 0;
    return isLeftOut ? edgeOf(glyph) : table.int16();
  });
  return Buffer.concat(
    bearings.flatMap((bearing, index) => {
      const advance = advances[index];
      return advance === undefined ? [uint16(bearing)] : [uint16(advance), uint16(bearing)];
    }),
  );
}

function writeFont(flavor: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.size);
  directory.writeUInt32BE(flavor, 0);
  directory.writeUInt16BE(tables.size, 4);
  let [entry, offset] = [12, directory.length];
  const parts: Buffer[] = [directory];
  for (const tag of [...tables.keys()].sort()) {
    const data = tables.get(tag) ?? Buffer.alloc(0);
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(data.length, entry + 12);
    const padded = pad(data, 4);
    parts.push(padded);
    offset += padded.length;
    entry += 16;
  }
  return Buffer.concat(parts);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value & 0xffff);
  return bytes;
}

const pad = (data: Buffer, to: number): Buffer =>
  data.length % to === 0 ? data : Buffer.concat([data, Buffer.alloc(to - (data.length % to))]);
