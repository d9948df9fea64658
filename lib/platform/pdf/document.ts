import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';

/** The files of the font, by the script of their characters, in the order in which they are tried. */
const scripts = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
  'math',
  'symbols',
] as const;
type FontName = (typeof scripts)[number];

type FontFile = { name: FontName; data: Buffer; font: fontkit.Font };

let loaded: readonly FontFile[] | undefined;

/** Reads the font files once per process. */
function loadFonts(): readonly FontFile[] {
  loaded ??= scripts.map((name) => {
    const path = join(process.cwd(), 'node_modules/@fontsource/roboto/files', `roboto-${name}-400-normal.woff`);
    const data = readFileSync(path);
    const font = fontkit.create(data);
    if (!('layout' in font)) throw new Error(`${path} contains more than one font.`);
    return { name, data, font };
  });
  return loaded;
}

/** Stands for a character that no file has. */
const missing = '?';

/** A part of a text whose characters are in one font file. */
type FontRun = { font: FontName; text: string };

/**
 * Splits a text by the font files of its characters. A character that no file has is replaced by a question mark, and
 * control characters are left out.
 */
export function splitByFont(text: string): FontRun[] {
  const fonts = loadFonts();
  const runs: FontRun[] = [];
  for (const character of text.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')) {
    const point = character.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    const hasGlyph = ({ font }: FontFile) => font.hasGlyphForCodePoint(point);
    // A mark stays with its base character, and a space with the word before it.
    const isKept = (file: FontFile) => file.name === last?.font && /^[\p{M}\s]$/u.test(character) && hasGlyph(file);
    const found = fonts.find(isKept) ?? fonts.find(hasGlyph);
    const [font, shown] = [found?.name ?? 'latin', found ? character : missing] as const;
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown });
  }
  return runs;
}

/** A column of a table. The widths of all columns are shares of the page's width. */
export type PdfColumn<Row> = {
  header: string;
  share: number;
  align?: 'right';
  cell: (row: Row) => string;
};

const margin = 48;
const colors = { ink: '#18181b', muted: '#63636e', line: '#d4d4d8' };
const sizes = { title: 18, text: 10, cell: 9, note: 8 };
const leading = 1.45;
/** Drawn within some 50 milliseconds. */
const rowsPerTurn = 40;

type TextOptions = { size?: number; color?: string; x?: number; width?: number; align?: 'left' | 'right' };

/** Draws a document of A4 pages from top to bottom. Texts may be in Latin, Cyrillic and Greek script. */
export class PdfWriter {
  readonly #doc: PDFKit.PDFDocument;
  #y = margin;
  #page = 1;
  readonly #footer: string;

  constructor(doc: PDFKit.PDFDocument, footer: string) {
    this.#doc = doc;
    this.#footer = footer;
    this.#drawFooter();
  }

  get #width(): number {
    return this.#doc.page.width - 2 * margin;
  }

  title(text: string): void {
    this.paragraph(text, { size: sizes.title });
    this.space(4);
  }

  /** Writes a text of one or more lines, each wrapped at the width of the page. */
  paragraph(text: string, { size = sizes.text, color = colors.ink }: Pick<TextOptions, 'size' | 'color'> = {}): void {
    for (const line of text.split('\n').flatMap((part) => this.#wrap(part, size, this.#width))) {
      this.#reserve(size * leading);
      this.#draw(line, { size, color });
      this.#y += size * leading;
    }
  }

  /** Draws an image that pdfkit can decode, at most as high as this and a third of the page wide. */
  image(bytes: Buffer, height: number): void {
    this.#reserve(height);
    this.#doc.image(bytes, margin, this.#y, { fit: [this.#width / 3, height] });
    this.#y += height + 6;
  }

  note(text: string): void {
    this.paragraph(text, { size: sizes.note, color: colors.muted });
  }

  /** Writes a label, and its value at the right margin. */
  fact(label: string, value: string): void {
    this.#reserve(sizes.text * leading);
    this.#draw(label, { color: colors.muted, width: this.#width * 0.6 });
    this.#draw(value, { x: margin + this.#width * 0.6, width: this.#width * 0.4, align: 'right' });
    this.#y += sizes.text * leading;
  }

  /** Draws a bar of a chart between its label and its value. The parts are shares of the length of a whole bar. */
  bar(label: string, value: string, parts: readonly { share: number; color: string }[]): void {
    const height = sizes.text * leading;
    this.#reserve(height);
    const third = this.#width / 3;
    this.#draw(label, { color: colors.muted, width: third - 6 });
    let x = margin + third;
    for (const { share, color } of parts.filter((part) => part.share > 0)) {
      this.#doc.rect(x, this.#y + 1, third * share, sizes.text).fill(color);
      x += third * share;
    }
    this.#draw(value, { x: margin + 2 * third, width: third, align: 'right' });
    this.#y += height;
  }

  space(points: number): void {
    this.#y += points;
  }

  /** Writes a table, whose header is repeated on every page. Yields after every few rows, so that pages can be sent. */
  async *table<Row>(
    columns: readonly PdfColumn<Row>[],
    batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  ): AsyncGenerator<void> {
    const height = sizes.cell * 1.8;
    const header = () => this.#row(columns, ({ header: text }) => text, { color: colors.muted, height });
    this.#reserve(3 * height);
    header();
    for await (const rows of batches) {
      for (const [index, row] of rows.entries()) {
        if (this.#reserve(height)) header();
        this.#row(columns, ({ cell }) => cell(row), { color: colors.ink, height });
        if (index % rowsPerTurn === rowsPerTurn - 1) yield;
      }
      yield;
    }
  }

  #row<Row>(
    columns: readonly PdfColumn<Row>[],
    textOf: (column: PdfColumn<Row>) => string,
    { color, height }: { color: string; height: number },
  ): void {
    const all = columns.reduce((sum, { share }) => sum + share, 0);
    let x = margin;
    for (const column of columns) {
      const width = (this.#width * column.share) / all;
      this.#draw(textOf(column), { size: sizes.cell, color, x, width: width - 6, align: column.align ?? 'left' });
      x += width;
    }
    this.#y += height;
    this.#doc
      .moveTo(margin, this.#y - 4)
      .lineTo(margin + this.#width, this.#y - 4)
      .lineWidth(0.5)
      .stroke(colors.line);
  }

  /** Begins a new page if less than the height is left. @returns whether it did */
  #reserve(height: number): boolean {
    if (this.#y + height <= this.#doc.page.height - 1.5 * margin) return false;
    this.#doc.addPage();
    this.#page += 1;
    this.#y = margin;
    this.#drawFooter();
    return true;
  }

  #drawFooter(): void {
    const y = this.#y;
    this.#y = this.#doc.page.height - margin;
    this.#draw(this.#footer, { size: sizes.note, color: colors.muted, width: this.#width * 0.8 });
    this.#draw(`Page ${this.#page}`, { size: sizes.note, color: colors.muted, align: 'right' });
    this.#y = y;
  }

  /** Draws one line, cut off where its width ends. */
  #draw(text: string, { size = sizes.text, color = colors.ink, x = margin, width, align = 'left' }: TextOptions): void {
    const most = width ?? this.#width;
    const line = this.#fit(text, size, most);
    const runs = splitByFont(line);
    let at = align === 'right' ? x + most - this.#measure(line, size) : x;
    for (const [index, { font, text: part }] of runs.entries()) {
      this.#doc.font(font).fontSize(size).fillColor(color).text(part, at, this.#y, { lineBreak: false });
      if (index < runs.length - 1) at += this.#doc.widthOfString(part);
    }
  }

  #measure(text: string, size: number): number {
    return splitByFont(text).reduce(
      (sum, run) => sum + this.#doc.font(run.font).fontSize(size).widthOfString(run.text),
      0,
    );
  }

  #fit(text: string, size: number, width: number): string {
    const letters = [...text];
    if (letters.length * size <= width || this.#measure(text, size) <= width) return text;
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#measure(`${letters.slice(0, middle).join('')}…`, size) <= width) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join('')}…`;
  }

  /** Wraps a text. A word that is longer than the line, such as an address, is broken. */
  #wrap(text: string, size: number, width: number): string[] {
    const lines = [''];
    for (const word of text.split(/\s+/).flatMap((long) => this.#break(long, size, width))) {
      const last = lines.at(-1) ?? '';
      const longer = last === '' ? word : `${last} ${word}`;
      // No glyph is wider than its size, and measuring is the most expensive part of a document.
      const isLong = longer.length * size > width && this.#measure(longer, size) > width;
      if (last !== '' && isLong) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  }

  /** Breaks a word into parts that fit into a line. */
  #break(word: string, size: number, width: number): string[] {
    const parts: string[] = [];
    let left = [...word];
    while (left.length * size > width && this.#measure(left.join(''), size) > width) {
      let count = Math.max(1, Math.floor(width / size));
      while (this.#measure(left.slice(0, count + 1).join(''), size) <= width) count += 1;
      parts.push(left.slice(0, count).join(''));
      left = left.slice(count);
    }
    return [...parts, left.join('')];
  }
}

/** The response declaration of a PDF. */
export const pdfFile = { mediaTypes: ['application/pdf'] };

type PdfOptions = {
  /** In the properties of the file. */
  title: string;
  /** At the bottom of every page. */
  footer: string;
  /** Makes the file PDF/A-3b. */
  archive?: PdfArchive;
};

/** What a PDF/A-3b file (ISO 19005-3) carries besides its pages. */
export type PdfArchive = {
  /** An associated file: the same content in another form, for programs. */
  attachment: { name: string; mediaType: string; description: string; bytes: Uint8Array };
  /** Descriptions in RDF for the metadata. */
  metadata: string;
};

/**
 * Generates a PDF in pieces.
 * @param draw draws the document; the pages that are finished when it yields are sent
 */
export async function* generatePdf(
  { title, footer, archive }: PdfOptions,
  draw: (pdf: PdfWriter) => AsyncGenerator<void>,
): AsyncGenerator<Uint8Array> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    // pdfkit writes the title into the metadata of PDF/A without escaping it, and both must be the same.
    info: { Title: archive ? title.replace(/[<>&]/g, ' ') : title },
    lang: 'en-US',
    displayTitle: true,
    // Without it, pdfkit reads the metrics of Helvetica.
    font: '',
    ...(archive && { subset: 'PDF/A-3b', pdfVersion: '1.7' }),
  });
  if (archive) attach(doc, archive);
  for (const { name, data } of loadFonts()) doc.registerFont(name, data);
  let pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const take = () => {
    const claimed = Buffer.concat(pieces);
    pieces = [];
    return claimed;
  };
  for await (const _ of draw(new PdfWriter(doc, footer))) {
    // The finished pages arrive as events, and other requests have their turn.
    await setImmediate();
    if (pieces.length > 0) yield take();
  }
  const ended = once(doc, 'end');
  doc.end();
  await ended;
  yield take();
}

function attach(doc: PDFKit.PDFDocument, { attachment, metadata }: PdfArchive): void {
  const { name, mediaType, description, bytes } = attachment;
  const options = { name, description, type: mediaType, modifiedDate: new Date(), relationship: 'Alternative' };
  doc.file(Buffer.from(bytes), options);
  doc.appendXML(metadata);
}
