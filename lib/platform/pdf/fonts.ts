import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';
import { z } from 'zod';
import { decodeWoff, decodeWoff2 } from './web-fonts';

/** A file with some characters of a font. */
export type FontFile = {
  /** Unique among all files. */
  name: string;
  has: (point: number) => boolean;
  /** Whether it has scripts that are shaped or run from right to left: all but Roboto. */
  isShaped: boolean;
  /** Opens the font for one document: fontkit keeps the first character of each glyph, which differs by document. */
  open: () => fontkit.Font;
};

/** The files of Roboto, by the script of their characters, in the order in which they are tried. */
const robotoScripts = [
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

let roboto: readonly (FontFile & { data: Buffer })[] | undefined;

/** Returns the files of Roboto, which are read once per process. */
export function loadRoboto(): readonly (FontFile & { data: Buffer })[] {
  roboto ??= robotoScripts.map((script) => {
    const path = resolve(`@fontsource/roboto/files/roboto-${script}-400-normal.woff`);
    const data = decodeWoff(readFileSync(path));
    const font = openFont(data, path);
    const has = (point: number) => font.hasGlyphForCodePoint(point);
    return { name: script, data, has, isShaped: false, open: () => openFont(data, path) };
  });
  return roboto;
}

/** The packages of Noto, in the order in which they are tried. Han characters are in four of them. */
const packages = [
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-tamil',
  'noto-sans-armenian',
  'noto-sans-georgian',
  // Latin letters that Roboto lacks, such as those of African languages and of transliteration.
  'noto-sans',
  'noto-sans-sc',
  'noto-sans-tc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const;
type Package = (typeof packages)[number];

/** Where Han characters are written as in one of the packages. The simplified Chinese one is the default. */
export type HanForm = 'japanese' | 'korean' | 'chinese' | 'traditional';
const hanPackages: Readonly<Record<HanForm, Package>> = {
  japanese: 'noto-sans-jp',
  korean: 'noto-sans-kr',
  chinese: 'noto-sans-sc',
  traditional: 'noto-sans-tc',
};

/** Returns the form of Han characters that readers in a country (ISO 3166-1 alpha-2 code) expect. */
export const toHanForm = (country: string): HanForm => hanForms[country] ?? 'chinese';

const hanForms: Readonly<Record<string, HanForm>> = {
  ...{ JP: 'japanese', KR: 'korean', TW: 'traditional', HK: 'traditional', MO: 'traditional' },
};

/** The width and shape of characters do not depend on the document: files stay in memory once they were needed. */
const loaded = new Map<string, FontFile>();
const slices = new Map<Package, readonly { name: string; ranges: (readonly [number, number])[] }[]>();

/** Finds the file of Noto with a character, and reads it when it is needed for the first time. */
export function findNoto(point: number, han: HanForm): FontFile | undefined {
  const preferred = hanPackages[han];
  for (const name of [preferred, ...packages.filter((other) => other !== preferred)]) {
    for (const slice of listSlices(name)) {
      if (!slice.ranges.some(([first, last]) => point >= first && point <= last)) continue;
      const file = loadSlice(name, slice.name);
      if (file.has(point)) return file;
    }
  }
  return undefined;
}

/** Returns the files of a package with the unicode-range of each. */
function listSlices(name: Package) {
  const known = slices.get(name);
  if (known) return known;
  const text = readFileSync(resolve(`@fontsource-variable/${name}/unicode.json`), 'utf8');
  const listed = Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text))).map(([key, ranges]) => ({
    name: key.replace(/[[\]]/g, ''),
    ranges: ranges.split(',').map((range) => {
      const [first = '', last = first] = range.trim().replace('U+', '').split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
    }),
  }));
  slices.set(name, listed);
  return listed;
}

function loadSlice(name: Package, slice: string): FontFile {
  const id = `${name}-${slice}`;
  const known = loaded.get(id);
  if (known) return known;
  const path = resolve(`@fontsource-variable/${name}/files/${id}-wght-normal.woff2`);
  const data = decodeWoff2(readFileSync(path));
  const font = openFont(data, path);
  // A space of the pictures is as wide as they are.
  const has = (point: number) => font.hasGlyphForCodePoint(point) && !(name === 'noto-emoji' && point <= 0x7f);
  const isRegular = font.variationAxes.wght?.default === 400;
  const file = {
    name: id,
    has,
    isShaped: true,
    open: () => (isRegular ? openFont(data, path) : openFont(data, path).getVariation({ wght: 400 })),
  };
  loaded.set(id, file);
  return file;
}

const resolve = (path: string): string => join(process.cwd(), 'node_modules', path);

function openFont(data: Buffer, path: string): fontkit.Font {
  const font = fontkit.create(data);
  if (!('layout' in font)) throw new Error(`${path} contains more than one font.`);
  return font;
}
