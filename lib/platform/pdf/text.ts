import type * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';
import { splitGraphemes, splitUnits } from './break-lines';
import { type FontFile, type HanForm, loadRoboto } from './fonts';
import { cleanText, type Levels, resolveLevels, type TextRun, toRuns } from './shape';
import { featuresOf, toShapingFont } from './shaping-font';

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, font: fontkit.Font): PDFKit.PDFDocument;
    }
  }
}

/** A document whose text says what is copied from it, where the glyphs do not. */
export class TextDocument extends PDFDocument {
  /** Stands for the glyphs that are drawn next. */
  actualText: string | undefined;

  // Readers place the text where its marks end. Those of markContent() are outside the coordinates of the glyphs.
  override addContent(data: unknown): PDFKit.PDFDocument {
    const isMarked = this.actualText !== undefined && (data === 'BT' || data === 'ET');
    if (isMarked && data === 'BT') super.addContent(`/Span <</ActualText <${toHex(this.actualText ?? '')}>>> BDC`);
    super.addContent(data);
    return isMarked && data === 'ET' ? super.addContent('EMC') : this;
  }
}

/** Writes a text string of PDF in UTF-16. */
const toHex = (text: string): string => `feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}`;

/** A line of a paragraph, in the order of its characters. */
export type Line = { text: string; levels: Levels | null };

type Place = { x: number; y: number; size: number; color: string };

/** Of these no glyph is wider than its size. Measuring is the most expensive part of a document. */
const narrow = /^[\x20-\u052f\u1e00-\u1fff\u2010-\u2027\u20ac]*$/;

/** Measures, breaks and draws the lines of one document, in any script and direction. */
export class PdfText {
  readonly #doc: TextDocument;
  readonly #han: HanForm;
  readonly #opened = new Set<FontFile>();
  readonly #ascent: number;

  constructor(doc: TextDocument, han: HanForm) {
    this.#doc = doc;
    this.#han = han;
    for (const file of loadRoboto()) {
      doc.registerFont(file.name, file.data);
      this.#opened.add(file);
    }
    const [first] = loadRoboto();
    const font = first?.open();
    this.#ascent = font ? font.ascent / font.unitsPerEm : 1;
  }

  /** Draws a line. Its characters stand on one baseline, whatever their fonts. */
  draw(line: Line, { x, y, size, color }: Place): void {
    const runs = this.#runs(line);
    let at = x;
    for (const [index, run] of runs.entries()) {
      this.#select(run, size).fillColor(color);
      this.#doc.actualText = run.actual ?? undefined;
      this.#doc.text(run.text, at, y, {
        lineBreak: false,
        ...(run.direction && { features: featuresOf(run.direction), baseline: -this.#ascent * size }),
      });
      this.#doc.actualText = undefined;
      if (index < runs.length - 1) at += this.#widthOf(run, size);
    }
  }

  /** @returns the width of a line in points */
  measure(line: Line, size: number): number {
    return this.#runs(line).reduce((sum, run) => sum + this.#widthOf(run, size), 0);
  }

  /** Prepares a text as one line, cut off with an ellipsis where the width ends. */
  fit(text: string, size: number, width: number): Line {
    const clean = cleanText(text);
    const whole = toLine(clean);
    if (this.#fits(whole, size, width)) return whole;
    const letters = splitGraphemes(clean);
    const cut = (count: number) => toLine(`${letters.slice(0, count).join('')}…`);
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.measure(cut(middle), size) <= width) low = middle;
      else high = middle - 1;
    }
    return cut(low);
  }

  /** Breaks a paragraph into lines. A word that is longer than a line, such as an address, is broken. */
  wrap(text: string, size: number, width: number): Line[] {
    const clean = cleanText(text.replace(/\s+/g, ' ').trim());
    const levels = resolveLevels(clean);
    const slice = (start: number, end: number): Line => ({
      text: clean.slice(start, end),
      levels: levels && { ...levels, levels: levels.levels.subarray(start, end) },
    });
    const fits = (start: number, end: number) => this.#fits(slice(start, end), size, width);
    const lines: { start: number; end: number }[] = [];
    for (const unit of splitUnits(clean)) {
      const last = lines.at(-1);
      if (last && fits(last.start, unit.end)) {
        last.end = unit.end;
        continue;
      }
      let { start } = unit;
      for (const letter of fits(start, unit.end) ? [] : splitGraphemes(clean.slice(start, unit.end))) {
        const open = lines.at(-1);
        const end = (open && open.start >= unit.start ? open.end : start) + letter.length;
        if (open && open.start >= unit.start && fits(open.start, end)) open.end = end;
        else lines.push({ start, end });
        start = end;
      }
      if (start < unit.end) lines.push({ start, end: unit.end });
    }
    return lines.length === 0 ? [toLine('')] : lines.map(({ start, end }) => slice(start, end));
  }

  #runs({ text, levels }: Line): readonly TextRun[] {
    return toRuns(text, levels?.levels ?? null, this.#han);
  }

  #fits(line: Line, size: number, width: number): boolean {
    return (narrow.test(line.text) && line.text.length * size <= width) || this.measure(line, size) <= width;
  }

  #widthOf(run: TextRun, size: number): number {
    return this.#select(run, size).widthOfString(
      run.text,
      run.direction ? { features: featuresOf(run.direction) } : {},
    );
  }

  #select({ file }: TextRun, size: number): PDFKit.PDFDocument {
    if (!this.#opened.has(file)) {
      this.#doc.registerFont(file.name, toShapingFont(file.open()));
      this.#opened.add(file);
    }
    return this.#doc.font(file.name).fontSize(size);
  }
}

const toLine = (text: string): Line => ({ text, levels: resolveLevels(text) });
