import type * as fontkit from 'fontkit';
import PDFDocument from 'pdfkit';
import { splitGraphemes, splitUnits, type Unit } from './break-lines';
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
export type Line = { text: string; levels: Levels | null; han: HanForm };

type Place = { x: number; y: number; size: number; color: string };

/**
 * Of these every glyph exists, and none is wider than its size: tests/unit/pdf checks it. Measuring is the most expensive
 * part of a document.
 */
export const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u017f\u0391-\u03a1\u03a3-\u03ce\u0400-\u0408\u040b-\u045f\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac]*$/;

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
    const whole = this.#toLine(clean);
    if (this.#fits(whole, size, width)) return whole;
    const letters = splitGraphemes(clean);
    const cut = (count: number) => this.#toLine(`${letters.slice(0, count).join('')}…`);
    return cut(countFitting(letters.length, (count) => this.measure(cut(count), size) <= width));
  }

  /** Breaks a paragraph into lines. A word that is longer than a line, such as an address, is broken. */
  wrap(text: string, size: number, width: number, han = this.#han): Line[] {
    const clean = cleanText(text.replace(/\s+/g, ' ').trim());
    const levels = resolveLevels(clean);
    const slice = (start: number, end: number): Line => ({
      ...{ text: clean.slice(start, end), han },
      levels: levels && { ...levels, levels: levels.levels.subarray(start, end) },
    });
    const units = splitUnits(clean);
    const lines: Line[] = [];
    for (let next = 0; next < units.length; ) {
      const join = (count: number) => slice(units[next]?.start ?? 0, units[next + count - 1]?.end ?? 0);
      const count = countFitting(units.length - next, (most) => this.#fits(join(most), size, width));
      const letters = count === 0 ? splitLetters(clean, units[next]) : [];
      if (letters.length > 1) units.splice(next, 1, ...letters);
      else {
        lines.push(join(count || 1));
        next += count || 1;
      }
    }
    return lines.length === 0 ? [this.#toLine('')] : lines;
  }

  #toLine(text: string): Line {
    return { text, levels: resolveLevels(text), han: this.#han };
  }

  #runs({ text, levels, han }: Line): readonly TextRun[] {
    return toRuns(text, levels?.levels ?? null, han);
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

/** Finds how many of the first parts of a text fit. It tries few of the numbers, since each is measured. */
function countFitting(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, Math.min(1, most)];
  while (high < most && fits(high)) [low, high] = [high, Math.min(2 * high, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Splits a word that is longer than a line. */
function splitLetters(text: string, { start, end }: Unit = { start: 0, end: 0 }): Unit[] {
  let at = start;
  return splitGraphemes(text.slice(start, end)).map((letter) => {
    at += letter.length;
    return { start: at - letter.length, end: at };
  });
}
