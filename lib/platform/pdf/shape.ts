import bidiFactory from 'bidi-js';
import { type FontFile, findNoto, type HanForm, loadRoboto } from './fonts';

const bidi = bidiFactory();

/** A part of a line whose characters are in one file and run in one direction. */
export type TextRun = {
  file: FontFile;
  /** As drawn: brackets are mirrored in text from right to left. */
  text: string;
  /** Null for text in Roboto, which is drawn as it stands here. */
  direction: 'ltr' | 'rtl' | null;
  /** What is copied from the document, where the glyphs alone would not give it; otherwise null. */
  actual: string | null;
};

/** The resolved levels of a text (UAX #9): odd ones run from right to left. */
export type Levels = { levels: Uint8Array; isRtl: boolean };

const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u2067\u2068\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Controls of the direction, which are never drawn. */
const directionControl = /^[\u061c\u200e\u200f\u202a\u202b\u202c\u2066-\u2069]$/;
/**
 * Characters without a glyph, such as joiners and variation selectors, which belong to the character before them. The
 * frame of a keycap is left out: it is in another font than the digit, and would stand on the text after it.
 */
const invisible = /^(?:\p{Default_Ignorable_Code_Point}|\u20e3)$/u;
/** Scripts whose glyphs do not follow the characters one by one. */
const reordered = /[\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}\p{sc=Thai}]/u;

/**
 * Prepares a text: composed, without control characters and without overrides of the direction, which would show other
 * words than a program reads. Joiners and direction marks stay.
 */
export function cleanText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u00ad\u202d\u202e\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb]/gu, '');
}

/** Resolves the direction of a paragraph. @returns null if nothing runs from right to left */
export function resolveLevels(text: string): Levels | null {
  if (!rightToLeft.test(text)) return null;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto');
  return { levels, isRtl: ((paragraphs[0]?.level ?? 0) & 1) === 1 };
}

/**
 * Splits a line into runs, in the order in which they are drawn from left to right.
 * @param levels those of the line's characters; null if nothing runs from right to left
 * @param han which forms Han characters have, unless the line has kana or Hangul
 */
export function toRuns(line: string, levels: Uint8Array | null, han: HanForm): readonly TextRun[] {
  return (levels ? null : toPlainRuns(line)) ?? reorder(itemize(line, levels, formOfHan(line) ?? han));
}

/** Splits a line that Roboto has. @returns null for other lines */
function toPlainRuns(line: string): TextRun[] | null {
  const files = loadRoboto();
  const runs: TextRun[] = [];
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0;
    if (point > 0x7f && (invisible.test(character) || directionControl.test(character))) return null;
    const last = runs.at(-1);
    // A mark stays with its base character, and a space with the word before it.
    const isKept = last !== undefined && /^[\p{M}\s]$/u.test(character) && last.file.has(point);
    const file = isKept ? last.file : files.find(({ has }) => has(point));
    if (!file) return null;
    if (last?.file === file) last.text += character;
    else runs.push({ file, text: character, direction: null, actual: null });
  }
  return runs;
}

const formOfHan = (line: string): HanForm | null =>
  /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(line) ? 'japanese' : /\p{sc=Hangul}/u.test(line) ? 'korean' : null;

type Item = { file: FontFile; text: string; actual: string; level: number; isReplaced: boolean };

/** Splits a line by file and level, in the order of the characters. */
function itemize(line: string, levels: Uint8Array | null, han: HanForm): Item[] {
  const items: Item[] = [];
  let offset = 0;
  for (const character of line) {
    const level = levels?.[offset] ?? 0;
    offset += character.length;
    const last = items.at(-1);
    if (directionControl.test(character)) continue;
    if (invisible.test(character)) {
      if (last) last.actual += character;
      if (last?.file.isShaped) last.text += character;
      continue;
    }
    const file = findFile(character, last, han);
    const shown = file ? mirror(character, level, file) : nameCharacter(character);
    if (last && file && last.file === file && last.level === level && !last.isReplaced) {
      last.text += shown;
      last.actual += character;
    } else items.push({ file: file ?? latin(), text: shown, actual: character, level, isReplaced: !file });
  }
  return items;
}

function findFile(character: string, last: Item | undefined, han: HanForm): FontFile | undefined {
  const point = character.codePointAt(0) ?? 0;
  const current = last && !last.isReplaced && last.file.has(point) ? last.file : undefined;
  if (current && /^[\p{M}\s]$/u.test(character)) return current;
  return loadRoboto().find(({ has }) => has(point)) ?? current ?? findNoto(point, han);
}

function latin(): FontFile {
  const [first] = loadRoboto();
  if (!first) throw new Error('The font of Latin script was not loaded.');
  return first;
}

/** Mirrors a character in text from right to left, if the file has the mirrored one. */
function mirror(character: string, level: number, file: FontFile): string {
  const mirrored = level & 1 ? bidi.getMirroredCharacter(character) : null;
  return mirrored && file.has(mirrored.codePointAt(0) ?? 0) ? mirrored : character;
}

/** Names a character that no file has, so that it is not lost: "[U+E000]". */
function nameCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/**
 * Puts marks into the order in which fonts stack them: in Thai the ring of SARA AM below a tone, in Arabic the shadda below
 * a vowel. Normalization has another order, which is that of the text that is copied.
 */
const orderMarks = (text: string): string =>
  text.replace(/([\u0e48-\u0e4b])\u0e33/g, '\u0e4d$1\u0e32').replace(/([\u064b-\u0650])\u0651/g, '\u0651$1');

/** Puts items into the order of drawing: rule L2 of UAX #9, for items instead of characters. */
function reorder(items: Item[]): TextRun[] {
  const order = [...items];
  const highest = Math.max(0, ...items.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < order.length; start += 1) {
      let end = start;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      if (end - start > 1) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return order.map(({ file, text: shown, actual, level, isReplaced }) => {
    const text = orderMarks(shown);
    const isRtl = (level & 1) === 1 && !isReplaced;
    if (isRtl && file.isShaped) return { file, text, direction: 'rtl', actual: null };
    // Punctuation and spaces of Roboto have no shaping that would turn them around. Readers turn what they copy.
    const [drawn, copied] = [text, actual].map((one) => (isRtl ? [...one].reverse().join('') : one));
    return {
      file,
      text: drawn ?? '',
      direction: file.isShaped ? 'ltr' : null,
      actual: copied !== undefined && (drawn !== copied || reordered.test(text)) ? copied : null,
    };
  });
}
