import type * as fontkit from 'fontkit';

/** pdfkit passes nothing but features to a font: the ones of mirrored forms stand for the direction of the run. */
export const featuresOf = (direction: 'ltr' | 'rtl'): ('rtlm' | 'ltrm')[] => [direction === 'rtl' ? 'rtlm' : 'ltrm'];

/** Above the numbers of glyphs, which have 16 bits. */
const copyOffset = 0x10000;

/**
 * Makes a font of one document shape a run in the direction of its level, not of its first letter, and leave out what
 * has no glyph. A glyph that stands for several letters, such as one stroke with different dots, is embedded once for
 * each, so that every letter is found and copied as itself.
 */
export function toShapingFont(font: fontkit.Font): fontkit.Font {
  const layout = font.layout.bind(font);
  const getGlyph = font.getGlyph.bind(font);
  const createSubset = font.createSubset.bind(font);
  // fontkit returns the same object for a glyph, with the first characters that it stood for.
  font.getGlyph = (id, codePoints) =>
    codePoints ? Object.create(getGlyph(id), { codePoints: { value: codePoints } }) : getGlyph(id);
  const copies = new Map<string, number>();
  const used = new Set<number>();
  const toCopy = ({ id, codePoints }: fontkit.Glyph): number => {
    const key = `${id}:${codePoints.join()}`;
    const known = copies.get(key);
    if (known !== undefined) return known;
    const copy = used.has(id) ? id + copyOffset * (copies.size + 1) : id;
    used.add(id);
    copies.set(key, copy);
    return copy;
  };
  font.layout = (text, features) => {
    const isRtl = Array.isArray(features) && features.includes('rtlm');
    const run = layout(text, undefined, undefined, undefined, isRtl ? 'rtl' : 'ltr');
    const isShown = run.glyphs.map((glyph, index) => !isReplaced(glyph, run.positions[index]));
    run.glyphs = run.glyphs
      .filter((_, index) => isShown[index])
      .map((glyph) => Object.create(glyph, { id: { value: toCopy(glyph) } }));
    run.positions = run.positions.filter((_, index) => isShown[index]);
    return run;
  };
  font.createSubset = () => {
    const subset = createSubset();
    const encode = subset.encode.bind(subset);
    subset.encode = () => {
      if (!('glyphs' in subset) || !Array.isArray(subset.glyphs))
        throw new Error('The subset does not list its glyphs.');
      subset.glyphs = subset.glyphs.map((id: number) => id % copyOffset);
      return encode();
    };
    return subset;
  };
  return font;
}

/** fontkit draws a joiner as a space without a width, or as a box if the file has no space. */
const isReplaced = ({ codePoints }: fontkit.Glyph, position: fontkit.GlyphPosition | undefined): boolean =>
  position?.xAdvance === 0 && codePoints.length === 1 && codePoints[0] === 0x20;
