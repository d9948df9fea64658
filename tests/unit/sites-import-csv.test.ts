import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type CsvRecord, type Delimiter, detectEncoding, parseRecords, readText } from '@/lib/platform/parse-csv';
import { analyzeFile } from '@/lib/sites/import/analyze-file';
import { propertyRuns } from '@/scripts/testing/tier';

const folder = mkdtempSync(join(tmpdir(), 'linkmarket-csv-'));
const path = join(folder, 'file.csv');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* pieces(...texts: string[]) {
  yield* texts;
}

async function collect(records: AsyncIterable<CsvRecord[]>): Promise<CsvRecord[]> {
  const all: CsvRecord[] = [];
  for await (const some of records) all.push(...some);
  return all;
}

const readBack = async (bytes: Buffer, delimiter: Delimiter) => {
  writeFileSync(path, bytes);
  return collect(parseRecords(readText(path, await detectEncoding(path)), delimiter));
};

/** Random text in which characters with a meaning in CSV are frequent. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '|', ' ', '\n', '\r', 'a', '=', '€', '字', '👩') }),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
);
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }));
const writer = fc.record({
  delimiter: fc.constantFrom<Delimiter>(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  quoting: fc.constantFrom('all', 'needed'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with BOM', 'utf-16le'),
  endsWithLineEnd: fc.boolean(),
});
type Writer = typeof writer extends fc.Arbitrary<infer Value> ? Value : never;

function writeCsv(rows: string[][], { delimiter, lineEnd, quoting, encoding, endsWithLineEnd }: Writer): Buffer {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const write = (text: string) =>
    quoting === 'all' || text === '' || /["\r\n]|^\s|\s$|^\uFEFF/.test(text) || text.includes(delimiter)
      ? quote(text)
      : text;
  const text = rows.map((row) => row.map(write).join(delimiter)).join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
  if (encoding === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  return Buffer.from(`${encoding === 'utf-8' ? '' : '\uFEFF'}${text}`, 'utf8');
}

/** A line end inside a cell is read as a line feed, whatever the line ends of the file. */
const unixLines = (rows: string[][]) => rows.map((row) => row.map((text) => text.replace(/\r\n?/g, '\n')));

describe('the output of any CSV writer', () => {
  it('is read with any delimiter, quoting, line end and byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(table, writer, async (rows, how) => {
        const records = await readBack(writeCsv(rows, how), how.delimiter);
        expect(records.map(({ cells }) => cells)).toEqual(unixLines(rows));
        expect(records.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 1));
        expect(records.some(({ isMalformed }) => isMalformed)).toBe(false);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is read in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(table, writer, fc.array(fc.nat(60), { maxLength: 30 }), async (rows, how, lengths) => {
        const text = writeCsv(unixLines(rows), { ...how, encoding: 'utf-8', lineEnd: '\n' }).toString('utf8');
        const parts: string[] = [];
        let from = 0;
        for (const length of lengths) {
          parts.push(text.slice(from, from + length));
          from += length;
        }
        const records = await collect(parseRecords(pieces(...parts, text.slice(from)), how.delimiter));
        expect(records.map(({ cells }) => cells)).toEqual(unixLines(rows));
        expect(records.some(({ isMalformed }) => isMalformed)).toBe(false);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is read with characters and line ends across two chunks', async () => {
    for (const at of [65_533, 65_534, 65_535, 65_536]) {
      const filler = 'x'.repeat(at - 2);
      expect((await readBack(Buffer.from(`a,${filler}\r\n👩,c\r\n`), ',')).map(({ cells }) => cells)).toEqual([
        ['a', filler],
        ['👩', 'c'],
      ]);
    }
  });
});

describe('malformed input', () => {
  it('marks a row with a quote that is not doubled, and continues', async () => {
    const records = await collect(parseRecords(pieces('a,b\n"he said "no" to it",1\nc,2\n'), ','));
    expect(records.map(({ isMalformed }) => isMalformed)).toEqual([false, true, false]);
    expect(records.at(-1)).toEqual({ row: 3, cells: ['c', '2'], isMalformed: false });
  });

  it('keeps a quote inside an unquoted cell', async () => {
    const records = await collect(parseRecords(pieces('a,5" screen\nb,"c"\n'), ','));
    expect(records.map(({ cells }) => cells)).toEqual([
      ['a', '5" screen'],
      ['b', 'c'],
    ]);
  });

  it('rejects a quote that is never closed, names its row, and does not buffer the file', async () => {
    await expect(collect(parseRecords(pieces('a\nb\n"c\nd\n'), ','))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Row 3 opens a quote'),
    });
    let read = 0;
    async function* endless() {
      yield 'a\n"b';
      for (;;) {
        read += 1;
        yield 'x'.repeat(64 * 1024);
      }
    }
    await expect(collect(parseRecords(endless(), ','))).rejects.toMatchObject({
      message: expect.stringContaining('Row 2 does not end'),
    });
    expect(read).toBeLessThan(10);
  });

  it('gives up early on a file whose quotes are wrong throughout', async () => {
    let read = 0;
    async function* hostile() {
      for (;;) {
        read += 1;
        yield `${'"x"y'.repeat(8_000)}${' '.repeat(32_000)}\n`;
      }
    }
    await expect(collect(parseRecords(hostile(), ','))).rejects.toMatchObject({
      message: expect.stringContaining('in too many places'),
    });
    expect(read).toBeLessThan(10);
  });
});

describe('the analysis of a file', () => {
  const survey = (content: string | Buffer) => {
    writeFileSync(path, content);
    return analyzeFile(path, 'staff');
  };

  it.each([
    ['URL;DA;Price\na.com;1;35,50', ';', 'comma'],
    ['URL\tDA\tPrice\na.com\t1\t35.50', '\t', 'point'],
    ['URL,DA,Price\na.com,1,"1,234"', ',', 'unknown'],
    ['URL,DA,Price\na.com,1.5,"35,50"', ',', 'mixed'],
    ['URL,Price\na.com,"1,200 GBP"', ',', 'unknown'],
    ['sep=;\nURL;DA;Price\na.com;1;2', ';', 'unknown'],
    ['Our sites, autumn;;\n\nURL;"Price, EUR";DA\na.com;1;2', ';', 'unknown'],
    ['URL\na.com', ',', 'unknown'],
  ])('of %j detects the delimiter %j and the number style %s', async (content, delimiter, style) => {
    expect(await survey(content)).toMatchObject({ delimiter, style });
  });

  it('falls back to windows-1252 for invalid UTF-8, wherever the byte is', async () => {
    const latin = Buffer.concat([Buffer.from(`URL,Name\n${'a.com,x\n'.repeat(20_000)}b.com,Caf`), Buffer.from([0xe9])]);
    expect((await survey(latin)).encoding).toBe('windows-1252');
    expect((await collect(parseRecords(readText(path, 'windows-1252'), ','))).at(-1)?.cells).toEqual(['b.com', 'Café']);
  });

  it('keeps the characters of windows-1252 that ISO-8859-1 has not, at any place', async () => {
    for (const filler of ['', 'a.com,x\n'.repeat(3_000)]) {
      const [start, end] = [Buffer.from(`URL,Name\n${filler}b.com,men`), Buffer.from([0x92, 0x80, 0x9f, 0x0a])];
      const records = await readBack(Buffer.concat([start, end]), ',');
      expect(records.at(-1)?.cells).toEqual(['b.com', 'men’€Ÿ']);
    }
  });

  it('reads UTF-16 with either byte order mark', async () => {
    const little = Buffer.from('\uFEFFURL;Name\r\na.com;字\r\n', 'utf16le');
    expect((await survey(little)).encoding).toBe('utf-16le');
    expect((await survey(Buffer.from(little).swap16())).encoding).toBe('utf-16be');
    expect((await collect(parseRecords(readText(path, 'utf-16be'), ';')))[1]?.cells).toEqual(['a.com', '字']);
  });

  it.each([
    ['Name,Price\na,1', 'no usable header'],
    [' \n\r\n', 'The file is empty.'],
    ['\uFEFF', 'The file is empty.'],
    ['URL,Price\n\n ,\n', 'has a header but no rows'],
    ['URL,Price\na.com,1\n"b.com,1\n', 'Row 3 opens a quote'],
    ['URL\0,Price\na.com,1', 'contains no text'],
    ['PK\u0003\u0004rest', 'ZIP archive'],
  ])('rejects %j: %s', async (content, reason) => {
    await expect(survey(content)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(reason),
    });
  });
});
