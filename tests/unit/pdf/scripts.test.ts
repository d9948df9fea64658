import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';
import { describe, expect, it } from 'vitest';
import { splitUnits } from '@/lib/platform/pdf/break-lines';
import { findNoto, type HanForm, loadRoboto, toHanForm } from '@/lib/platform/pdf/fonts';
import { cleanText, resolveLevels, toRuns } from '@/lib/platform/pdf/shape';
import { featuresOf, toShapingFont } from '@/lib/platform/pdf/shaping-font';
import { narrow, PdfText, TextDocument } from '@/lib/platform/pdf/text';
import { decodeWoff2 } from '@/lib/platform/pdf/web-fonts';

const runsOf = (text: string) => toRuns(cleanText(text), resolveLevels(cleanText(text))?.levels ?? null, 'chinese');

describe('a line of mixed directions', () => {
  // The output of `fribidi --nopad --nobreak` 1.0.8.
  it.each([
    ['Order #12 for محمد عبد الله, total 1,234.50', 'Order #12 for هللا دبع دمحم, total 1,234.50'],
    ['شركة المثال (ذ.م.م) 2024 - ABC Ltd', 'ABC Ltd - 2024 (م.م.ذ) لاثملا ةكرش'],
    ['חברת דוגמה בע"מ (2024) ABC 12.5% כן', 'ןכ ABC 12.5% (2024) מ"עב המגוד תרבח'],
    ['مرحبا ١٢٣٫٤٥ و 678 %', '% 678 و ١٢٣٫٤٥ ابحرم'],
    ['mixed: ABC (אבג) [دهو] x', 'mixed: ABC (גבא) [وهد] x'],
    ['INV-2026-000012 من 1/2/2026 إلى 3/4/2026', 'INV-2026-000012 3/4/2026 ىلإ 1/2/2026 نم'],
    ['א 1-2 b 3.4 ג', 'ג b 3.4 1-2 א'],
  ])('is drawn in the order of the Unicode algorithm: %s', (text, drawn) => {
    const shown = runsOf(text).map((run) => (run.direction === 'rtl' ? [...run.text].reverse().join('') : run.text));
    expect(shown.join('')).toBe(drawn);
  });
});

describe('the glyphs of a script', () => {
  const shape = (text: string) => {
    const [run] = runsOf(text);
    if (!run?.direction) throw new Error('The text is not shaped.');
    return toShapingFont(run.file.open()).layout(run.text, featuresOf(run.direction)).glyphs;
  };

  it('exist for each mirrored character', () => {
    for (let point = 0x20; point <= 0xffff; point += 1) {
      const character = String.fromCharCode(point);
      if (!/^\p{Bidi_Mirrored}$/u.test(character)) continue;
      for (const { file, text } of runsOf(`א${character}ב`))
        for (const drawn of text) expect(file.has(drawn.codePointAt(0) ?? 0), `${character} ${drawn}`).toBe(true);
    }
  });

  it('leave out the frame of a keycap, which would stand on the next letter', () => {
    expect(runsOf('1\ufe0f\u20e3x').map(({ text }) => text)).toEqual(['1x']);
  });

  it.each([
    ['Latin of Africa', 'Ɗahiru Ƙofa ɛḥ'],
    ['Arabic', 'شركة المثال'],
    ['Persian with a joiner', 'می\u200cخواهم'],
    ['Hebrew', 'שָׁלוֹם'],
    ['Thai', 'น้ำ'],
    ['Devanagari with a joiner', 'क्\u200dष'],
    ['Bengali', 'বাংলাদেশ'],
    ['Tamil', 'கொழும்பு'],
    ['Armenian', 'Ընկերություն'],
    ['Georgian', 'კომპანია'],
    ['Han', '漢字'],
    ['kana', 'サンプル'],
    ['Hangul', '예시'],
    ['emoji', '👩\u200d💻'],
  ])('exist: %s', (_, text) => {
    for (const { id } of shape(text)) expect(id % 0x10000).toBeGreaterThan(0);
  });

  it('join in Arabic, and not over a joiner that forbids it', () => {
    const names = (text: string) => shape(text).map(({ id }) => id);
    const [joined, apart] = [names('می'), names('م\u200cی')];
    expect(apart).toHaveLength(joined.length);
    expect(apart).not.toEqual(joined);
  });

  it('are those of the country for Han characters', () => {
    const file = (text: string, han: HanForm) => toRuns(text, null, han)[0]?.file.name;
    expect(file('直', 'chinese')).toMatch(/^noto-sans-sc-/);
    expect(file('直', 'japanese')).toMatch(/^noto-sans-jp-/);
    expect(file('直の', 'chinese')).toMatch(/^noto-sans-jp-/);
    expect(file('直', toHanForm('TW'))).toMatch(/^noto-sans-tc-/);
  });

  it('have the outlines of the file, decoded and in the weight of the other text', () => {
    const folder = join('node_modules/@fontsource-variable');
    for (const name of readdirSync(folder).filter((one) => one.startsWith('noto-'))) {
      const [file = ''] = readdirSync(join(folder, name, 'files')).filter((one) => one.endsWith('-wght-normal.woff2'));
      const data = readFileSync(join(folder, name, 'files', file));
      const [expected, decoded] = [fontkit.create(data), fontkit.create(decodeWoff2(data))];
      if (!('layout' in expected && 'layout' in decoded)) throw new Error(`${file} contains more than one font.`);
      for (let id = 0; id < expected.numGlyphs; id += 7)
        expect(decoded.getGlyph(id).path.toSVG(), `${file} ${id}`).toBe(expected.getGlyph(id).path.toSVG());
    }
    const file = join(folder, 'noto-sans-hebrew/files/noto-sans-hebrew-hebrew-wght-normal.woff2');
    const thin = fontkit.create(decodeWoff2(readFileSync(file)));
    const shin = 0x5e9;
    const drawn = findNoto(shin, 'chinese')?.open().glyphForCodePoint(shin).path.bbox.width;
    if ('layout' in thin) expect(drawn).toBeGreaterThan(thin.glyphForCodePoint(shin).path.bbox.width);
  });
});

describe('a paragraph', () => {
  const unitsOf = (text: string) => splitUnits(text).map(({ start, end }) => text.slice(start, end));

  it('is broken between words, also where a script has no spaces, and never before a closing sign', () => {
    expect(unitsOf('A long-word https://a.example/x')).toEqual(['A', 'long-word', 'https://a.example/x']);
    expect(unitsOf('บริษัทจำกัด').length).toBeGreaterThan(1);
    const chinese = unitsOf('北京示例有限公司（中国）、上海市。');
    expect(chinese.length).toBeGreaterThan(3);
    for (const unit of chinese) expect(unit).not.toMatch(/^[）、。]|（$/);
    expect(chinese.join('')).toBe('北京示例有限公司（中国）、上海市。');
  });

  it('counts no character as narrower than it is drawn', () => {
    const fonts = loadRoboto().map(({ has, open }) => ({ has, font: open() }));
    for (let point = 0x20; point <= 0xffff; point += 1) {
      if (!narrow.test(String.fromCharCode(point))) continue;
      const font = fonts.find(({ has }) => has(point))?.font;
      expect(font?.glyphForCodePoint(point).advanceWidth, String.fromCharCode(point)).toBeLessThanOrEqual(
        font?.unitsPerEm ?? 0,
      );
    }
  });

  it('fits its lines into the width, and loses nothing', () => {
    const doc = new TextDocument({ font: '' });
    const text = new PdfText(doc, 'chinese');
    for (const word of ['بريد ', 'บริษัทจำกัด', '北京有限公司。', 'हिन्दी ', 'x'.repeat(90), 'word ', '\u01c4']) {
      const whole = word.repeat(40).trim();
      const lines = text.wrap(whole, 10, 120);
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(text.measure(line, 10)).toBeLessThanOrEqual(120);
      const squeeze = (value: string) => value.replaceAll(' ', '');
      expect(squeeze(lines.map((line) => line.text).join(''))).toBe(squeeze(whole));
    }
    expect(text.measure(text.fit('שלום '.repeat(50), 10, 80), 10)).toBeLessThanOrEqual(80);
  });
});
