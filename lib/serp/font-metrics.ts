import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';
import { z } from 'zod';
import { normalizeText, type SerpFont, type SerpLine } from './limits';
import { type Coverage, splitRuns } from './runs';

/** One file of a font, which covers the characters of some scripts. */
type Subset = { font: fontkit.Font; ranges: Coverage };
type Loaded = { subsets: Subset[]; coverage: Coverage; advances: Map<string, number> };

const loaded = new Map<SerpFont, Loaded>();

/**
 * Measures the width of a text as a search result shows it, in pixels, including kerning. The width of characters missing
 * from the bundled font is estimated (lib/serp/runs.ts), as in the browser.
 */
export function measureWidth(text: string, { font, sizePx }: Pick<SerpLine, 'font' | 'sizePx'>): number {
  const { subsets, coverage } = loadFont(font);
  const ems = splitRuns(normalizeText(text), coverage).map((run) => run.em ?? measureShapedEm(run.text, subsets));
  return ems.reduce((sum, em) => sum + em, 0) * sizePx;
}

/** An upper bound of the effect of kerning and ligatures: they reduce the width by less than a third. */
const maxShrinkFactor = 1.5;

/**
 * Checks whether a text far exceeds the limit. Adds up the advance widths of its characters, which is much cheaper than
 * shaping a long text, and stops at the bound. Marks and characters missing from the font count as zero.
 */
export function isFarWider(text: string, { font, sizePx, limitPx }: SerpLine): boolean {
  const { subsets, advances } = loadFont(font);
  const mostEm = (limitPx / sizePx) * maxShrinkFactor;
  let width = 0;
  for (const character of normalizeText(text)) {
    const advance = advances.get(character) ?? getAdvance(character, subsets);
    advances.set(character, advance);
    width += advance;
    if (width > mostEm) return true;
  }
  return false;
}

/** Returns the advance width of a single character in ems. */
function getAdvance(character: string, subsets: readonly Subset[]): number {
  if (/^[\p{M}\p{Cf}]$/u.test(character)) return 0;
  const point = character.codePointAt(0) ?? 0;
  const font = subsets.find((one) => covers(one, point))?.font;
  return font ? font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm : 0;
}

/** Returns every character that a font covers. */
export function getCoverage(font: SerpFont): Coverage {
  return loadFont(font).coverage;
}

/** Shapes a text as a browser does: each run of characters from one font file separately. */
function measureShapedEm(text: string, subsets: readonly Subset[]): number {
  let width = 0;
  let stretch = { text: '', subset: subsets[0] };
  const finish = () => {
    if (!stretch.subset || stretch.text === '') return;
    const { font } = stretch.subset;
    width += font.layout(stretch.text).advanceWidth / font.unitsPerEm;
  };
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    // A combining mark uses the font of its base character if that font has the mark.
    const isKept = /^\p{M}$/u.test(character) && stretch.subset?.font.hasGlyphForCodePoint(point);
    const subset = isKept ? stretch.subset : subsets.find((one) => covers(one, point));
    if (subset !== stretch.subset) {
      finish();
      stretch = { text: '', subset };
    }
    stretch.text += character;
  }
  finish();
  return width;
}

function covers({ font, ranges }: Subset, point: number): boolean {
  return ranges.some(([first, last]) => point >= first && point <= last) && font.hasGlyphForCodePoint(point);
}

function loadFont(name: SerpFont): Loaded {
  const known = loaded.get(name);
  if (known) return known;
  const subsets = readSubsets(name);
  const created = { subsets, coverage: computeCoverage(subsets), advances: new Map<string, number>() };
  loaded.set(name, created);
  return created;
}

/** Reads the files of a font with the unicode-range of each. As in CSS, a later file takes precedence. */
function readSubsets(name: SerpFont): Subset[] {
  const id = name.toLowerCase();
  const folder = join(process.cwd(), 'node_modules/@fontsource', id);
  const ranges = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')));
  return Object.entries(ranges)
    .map(([subset, text]) => ({
      font: openFont(join(folder, `files/${id}-${subset}-400-normal.woff`)),
      ranges: parseUnicodeRange(text),
    }))
    .reverse();
}

function openFont(path: string): fontkit.Font {
  const font = fontkit.create(readFileSync(path));
  if (!('layout' in font)) throw new Error(`${path} contains more than one font.`);
  return font;
}

/** Parses a CSS unicode-range: "U+0000-00FF,U+0131". */
function parseUnicodeRange(text: string): Coverage {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
}

function computeCoverage(subsets: readonly Subset[]): Coverage {
  const points = new Set(subsets.flatMap((one) => one.font.characterSet.filter((point) => covers(one, point))));
  const ranges: [number, number][] = [];
  for (const point of [...points].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}
