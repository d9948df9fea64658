import type { FigureMetric } from '@/db/enums';
import { AppError } from '@/lib/errors';
import { parseUrl } from '@/lib/network/can-parse-url';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import { type DomainIndex, invalid, unencoded } from './domain-index';
import { LineSplitter, maxLineBytes } from './line-splitter';
import {
  type Columns,
  findColumns,
  type OpenDataFormat,
  type OpenDataKind,
  openDataFormats,
} from './open-data-formats';

/** The number of broken lines that are named. */
const maxNamed = 20;
/** The largest figure that can be stored (db/schema/domain-figures.ts). No list has more than some hundred million domains. */
const maxFigure = 2e9;
const [quote, dot, slash, zero, colon] = [34, 46, 47, 48, 58];

export type BrokenLine = { line: number; reason: string };

/** A figure of a domain that the list has. */
export type ImportedFigure = { domain: string; metric: FigureMetric; value: number };

/** Reverses the labels of a name: `com.example` from `example.com`. */
export function reverseLabels(bytes: Uint8Array): Uint8Array {
  const reversed = new Uint8Array(bytes.length);
  copyReversed(bytes, 0, bytes.length, reversed);
  return reversed;
}

/** Copies a name with its labels in reverse order to the start of `to`. */
export function copyReversed(bytes: Uint8Array, start: number, end: number, to: Uint8Array): void {
  let place = end - start;
  for (let from = start; from <= end; ) {
    let at = from;
    while (at < end && bytes[at] !== dot) at += 1;
    place -= at - from;
    for (let letter = from; letter < at; letter++) to[place + letter - from] = bytes[letter] ?? 0;
    place -= 1;
    if (place >= 0) to[place] = dot;
    from = at + 1;
  }
}

/**
 * Reads a list of open data and keeps the figures of the domains in an index, which has the names as the list writes
 * them: reversed for Common Crawl. A broken line is counted and skipped.
 */
export class OpenDataParser {
  /** The lines below the header that are not blank. */
  lines = 0;
  broken = 0;
  /** The first broken lines with their reasons. */
  readonly brokenLines: BrokenLine[] = [];
  readonly #kind: OpenDataKind;
  readonly #format: OpenDataFormat;
  readonly #index: DomainIndex;
  readonly #splitter: LineSplitter;
  readonly #delimiter: number;
  /** The values of each figure by the number of the domain. A rank of 0 is that of a domain that was not found. */
  readonly #values: Uint32Array[];
  /** The figures of the current line. */
  readonly #current: number[];
  #columns: Columns | undefined;
  /** Where the cells of the current line begin. */
  #starts = new Int32Array(0);
  #line = 0;

  constructor(kind: OpenDataKind, index: DomainIndex) {
    this.#kind = kind;
    this.#format = openDataFormats[kind];
    this.#index = index;
    this.#delimiter = this.#format.delimiter.charCodeAt(0);
    this.#values = this.#format.figures.map(() => new Uint32Array(index.size));
    this.#current = this.#format.figures.map(() => 0);
    this.#splitter = new LineSplitter((bytes, start, end, isTooLong) => this.#readLine(bytes, start, end, isTooLong));
  }

  /** @throws AppError invalid_input if the header is that of another file */
  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
  }

  /** @throws AppError invalid_input for a file without a line that can be read */
  end(): void {
    this.#splitter.end();
    if (!this.#columns) throw new AppError('invalid_input', 'The file is empty. Nothing was stored.');
    if (this.lines === 0) throw new AppError('invalid_input', 'The file has only a header. Nothing was stored.');
    if (this.broken < this.lines) return;
    const [first] = this.brokenLines;
    throw new AppError(
      'invalid_input',
      `No line of the file can be read. Line ${first?.line}: ${first?.reason} Nothing was stored.`,
    );
  }

  /** Lists the figures that were found. */
  *figures(): Generator<ImportedFigure> {
    const [ranks] = this.#values;
    for (let entry = 0; entry < this.#index.size; entry++) {
      if (!ranks?.[entry]) continue;
      const name = this.#index.nameOf(entry);
      const domain = Buffer.from(this.#format.form === 'reversed' ? reverseLabels(name) : name).toString('latin1');
      for (const [at, { metric }] of this.#format.figures.entries())
        yield { domain, metric, value: this.#values[at]?.[entry] ?? 0 };
    }
  }

  #readLine(bytes: Uint8Array, start: number, end: number, isTooLong: boolean): void {
    this.#line += 1;
    if (!this.#columns) {
      this.#readHeader(bytes, start, end, isTooLong);
      return;
    }
    if (end === start && !isTooLong) return;
    this.lines += 1;
    const reason = isTooLong
      ? `The line is longer than ${maxLineBytes.toLocaleString('en-US')} bytes.`
      : this.#readRow(this.#columns, bytes, start, end);
    if (reason === null) return;
    this.broken += 1;
    if (this.brokenLines.length < maxNamed) this.brokenLines.push({ line: this.#line, reason });
  }

  #readHeader(bytes: Uint8Array, start: number, end: number, isTooLong: boolean): void {
    // Decoding removes a byte order mark.
    const header = new TextDecoder().decode(bytes.subarray(start, end));
    if (header.trim() === '' && !isTooLong) return;
    this.#columns = findColumns(header, this.#kind);
    this.#starts = new Int32Array(this.#columns.count + 1);
  }

  /** @returns why a row is broken; null for a sound one */
  #readRow(columns: Columns, bytes: Uint8Array, start: number, end: number): string | null {
    const starts = this.#starts;
    let cells = 1;
    starts[0] = start;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === this.#delimiter) {
        if (cells < columns.count) starts[cells] = at + 1;
        cells += 1;
      } else if (byte === quote && this.#format.delimiter === ',') {
        const text = Buffer.from(bytes.subarray(start, end)).toString();
        const plain = unquote(text);
        if (plain === null) return 'The quotation marks of the line do not match.';
        const row = Buffer.from(plain);
        return this.#readRow(columns, row, 0, row.length);
      }
    }
    if (cells !== columns.count) return `Expected ${columns.count} columns, found ${cells}.`;
    starts[cells] = end + 1;
    for (let figure = 0; figure < columns.figures.length; figure++) {
      const column = columns.figures[figure] ?? 0;
      const value = parseWhole(bytes, starts[column] ?? 0, (starts[column + 1] ?? 0) - 1);
      const { metric, min } = this.#format.figures[figure] ?? { metric: '', min: 0 };
      if (value < min) return `The value of ${metric} is not a whole number from ${min}.`;
      this.#current[figure] = value;
    }
    return this.#readName(bytes, starts[columns.name] ?? 0, (starts[columns.name + 1] ?? 0) - 1);
  }

  #readName(bytes: Uint8Array, start: number, end: number): string | null {
    let [from, to] = [start, end];
    if (this.#format.form === 'origin') {
      from = afterScheme(bytes, start, end);
      if (from === -1) return 'The origin does not begin with http:// or https://.';
      to = hostEnd(bytes, from, end);
    }
    const entry = this.#find(bytes, from, to);
    if (entry === invalid) return 'The line has no name of a domain.';
    if (entry >= 0) this.#keep(entry);
    return null;
  }

  #find(bytes: Uint8Array, from: number, to: number): number {
    const entry =
      this.#format.form === 'origin'
        ? this.#index.findDomainOf(bytes, from, to, getSiteDomain)
        : this.#index.find(bytes, from, to);
    if (entry !== unencoded) return entry;
    const host = encodeName(Buffer.from(bytes.subarray(from, to)).toString());
    if (host === null) return invalid;
    const encoded = Buffer.from(host);
    return this.#find(encoded, 0, encoded.length);
  }

  /** Keeps the current figures of a domain, if their rank is its best. */
  #keep(entry: number): void {
    const best = this.#values[0]?.[entry] ?? 0;
    if (best !== 0 && best <= (this.#current[0] ?? 0)) return;
    for (let figure = 0; figure < this.#values.length; figure++) {
      const values = this.#values[figure];
      if (values) values[entry] = this.#current[figure] ?? 0;
    }
  }
}

/** Returns the encoded form of a name with other letters than ASCII; null for a text that is no name. */
function encodeName(name: string): string | null {
  const host = /[:/?#@\\\s%[\]]/.test(name) ? null : parseUrl(`http://${name}`)?.hostname;
  // Labels are encoded separately, so the order of the labels is kept.
  return host && /^[\x21-\x7e]+$/.test(host) ? host : null;
}

/** @returns a number from its digits; -1 for another text or a number that is too large */
function parseWhole(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 10) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value > maxFigure ? -1 : value;
}

const scheme = Buffer.from('https://');

/** @returns where the host of an origin begins; -1 without http:// or https:// */
function afterScheme(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let letter = 0; letter < scheme.length; letter++) {
    // The "s" is optional. Bit 32 makes letters lower case; the signs have it.
    if (at < end && ((bytes[at] ?? 0) | 32) === scheme[letter]) at += 1;
    else if (letter !== 4) return -1;
  }
  return at;
}

/** @returns where the host ends: before a port and a slash */
function hostEnd(bytes: Uint8Array, start: number, end: number): number {
  let to = end > start && bytes[end - 1] === slash ? end - 1 : end;
  const last = to;
  while (to > start && (bytes[to - 1] ?? 0) >= zero && (bytes[to - 1] ?? 0) <= zero + 9) to -= 1;
  return to < last && bytes[to - 1] === colon ? to - 1 : last;
}

/**
 * Removes the quotation marks of a line of CSV, and the commas and quotation marks within its cells, as names and numbers
 * have none. @returns null if they do not match
 */
function unquote(line: string): string | null {
  const plain = line.replace(/(^|,)"((?:[^"]|"")*)"(?=,|$)/g, (_, before: string, cell: string) => {
    return before + cell.replace(/[",]/g, ' ');
  });
  return plain.includes('"') ? null : plain;
}
