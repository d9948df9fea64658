import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { toQrPath } from '@/lib/platform/qr-path';
import { toHanForm } from './fonts';
import { type Line, PdfText, TextDocument } from './text';

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
const rowHeight = sizes.cell * 1.8;
/** Fewer than a page has. */
const maxCellLines = 40;
/** Drawn within some 50 milliseconds. */
const rowsPerTurn = 40;

type TextOptions = { size?: number; color?: string; x?: number; y?: number; width?: number; align?: 'left' | 'right' };
type Cell = { text: string; color: string; x: number; width: number; align: 'left' | 'right' };

/** Draws a document of A4 pages from top to bottom. Texts may be in any script that a font has (fonts.ts). */
export class PdfWriter {
  readonly #doc: TextDocument;
  readonly #text: PdfText;
  #y = margin;
  #page = 1;
  readonly #footer: string;

  constructor(doc: TextDocument, { footer, country = '' }: Pick<PdfOptions, 'footer' | 'country'>) {
    this.#doc = doc;
    this.#text = new PdfText(doc, toHanForm(country));
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

  /**
   * Writes a text of one or more lines, each wrapped at the width of the page, and at the right if it runs from there.
   * @param options.country whose form the Han characters of a name or an address have; by default the reader's
   */
  paragraph(
    text: string,
    { size = sizes.text, color = colors.ink, country }: Pick<TextOptions, 'size' | 'color'> & { country?: string } = {},
  ): void {
    const han = country ? toHanForm(country) : undefined;
    for (const line of text.split('\n').flatMap((part) => this.#text.wrap(part, size, this.#width, han))) {
      this.#reserve(size * leading);
      this.#place(line, { size, color, align: line.levels?.isRtl ? 'right' : 'left' });
      this.#y += size * leading;
    }
  }

  /** Draws an image that pdfkit can decode, at most as high as this and a third of the page wide. */
  image(bytes: Buffer, height: number): void {
    this.#reserve(height);
    this.#doc.image(bytes, margin, this.#y, { fit: [this.#width / 3, height] });
    this.#y += height + 6;
  }

  /** Draws a QR code as an image with this side. */
  code(text: string, side: number): void {
    this.#reserve(side);
    const { size, path } = toQrPath(text);
    this.#doc
      .save()
      .translate(margin, this.#y)
      .scale(side / size)
      .path(path)
      .fill('#000')
      .restore();
    this.#y += side;
  }

  note(text: string): void {
    this.paragraph(text, { size: sizes.note, color: colors.muted });
  }

  /** Writes a label, and its value at the right margin. Both are wrapped: no part of a reference or a name is lost. */
  fact(label: string, value: string): void {
    const middle = this.#width * 0.6;
    const cells: Cell[] = [
      { text: label, color: colors.muted, x: margin, width: middle - 6, align: 'left' },
      { text: value, color: colors.ink, x: margin + middle, width: this.#width - middle, align: 'right' },
    ];
    this.#beside(cells, { size: sizes.text, height: sizes.text * leading });
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

  /**
   * Writes a table, whose header is repeated on every page, and whose cells are wrapped. Yields after every few rows, so
   * that pages can be sent.
   */
  async *table<Row>(
    columns: readonly PdfColumn<Row>[],
    batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  ): AsyncGenerator<void> {
    const header = () => this.#row(columns, ({ header: text }) => text, { color: colors.muted });
    this.#reserve(3 * rowHeight);
    header();
    for await (const rows of batches) {
      for (const [index, row] of rows.entries()) {
        this.#row(columns, ({ cell }) => cell(row), { color: colors.ink, header });
        if (index % rowsPerTurn === rowsPerTurn - 1) yield;
      }
      yield;
    }
  }

  #row<Row>(
    columns: readonly PdfColumn<Row>[],
    textOf: (column: PdfColumn<Row>) => string,
    { color, header }: { color: string; header?: () => void },
  ): void {
    const all = columns.reduce((sum, { share }) => sum + share, 0);
    let x = margin;
    const cells = columns.map((column): Cell => {
      const width = (this.#width * column.share) / all;
      x += width;
      return { text: textOf(column), color, x: x - width, width: width - 6, align: column.align ?? 'left' };
    });
    this.#beside(cells, { size: sizes.cell, height: rowHeight, ...(header && { header }) });
    this.#doc
      .moveTo(margin, this.#y - 4)
      .lineTo(margin + this.#width, this.#y - 4)
      .lineWidth(0.5)
      .stroke(colors.line);
  }

  /**
   * Writes texts beside each other, each wrapped at its width.
   * @param height of the first line
   * @param header begins a page
   */
  #beside(
    cells: readonly Cell[],
    { size, height, header }: { size: number; height: number; header?: () => void },
  ): void {
    const wrapped = cells.map(({ text, width }) => this.#text.wrap(text, size, width).slice(0, maxCellLines));
    const added = (Math.max(...wrapped.map(({ length }) => length)) - 1) * size * leading;
    if (this.#reserve(height + added)) header?.();
    for (const [column, cell] of cells.entries())
      for (const [index, line] of wrapped[column]?.entries() ?? [])
        this.#place(line, { ...cell, size, y: this.#y + index * size * leading });
    this.#y += height + added;
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
  #draw(text: string, options: TextOptions): void {
    const { size = sizes.text, width = this.#width } = options;
    this.#place(this.#text.fit(text, size, width), options);
  }

  #place(
    line: Line,
    {
      size = sizes.text,
      color = colors.ink,
      x = margin,
      y = this.#y,
      width = this.#width,
      align = 'left',
    }: TextOptions,
  ): void {
    const at = align === 'right' ? x + width - this.#text.measure(line, size) : x;
    this.#text.draw(line, { x: at, y, size, color });
  }
}

/** The response declaration of a PDF. */
export const pdfFile = { mediaTypes: ['application/pdf'] };

type PdfOptions = {
  /** In the properties of the file. */
  title: string;
  /** At the bottom of every page. */
  footer: string;
  /** The reader's country (ISO 3166-1 alpha-2 code), which decides the form of Han characters where their line does not. */
  country?: string;
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
  { title, footer, country, archive }: PdfOptions,
  draw: (pdf: PdfWriter) => AsyncGenerator<void>,
): AsyncGenerator<Uint8Array> {
  const doc = new TextDocument({
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
  let pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const take = () => {
    const claimed = Buffer.concat(pieces);
    pieces = [];
    return claimed;
  };
  for await (const _ of draw(new PdfWriter(doc, { footer, ...(country && { country }) }))) {
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
