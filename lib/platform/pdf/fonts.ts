import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';

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
export function loadFonts(): readonly FontFile[] {
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
export type FontRun = { font: FontName; text: string };

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
