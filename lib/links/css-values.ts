import { calc } from '@csstools/css-calc';
import { color, serializeRGB } from '@csstools/css-color-parser';
import { parseComponentValue } from '@csstools/css-parser-algorithms';
import { tokenize } from '@csstools/css-tokenizer';

/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export type Color = Readonly<{ rgb: readonly [number, number, number]; alpha: number }>;

/** Pixels of a unit. Those of windows count for one of 1280 by 1000. */
const pixels: Readonly<Record<string, number>> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
  rem: 16,
  rex: 8,
  rch: 8,
  rlh: 20,
  vw: 12.8,
  vi: 12.8,
  vmax: 12.8,
  vh: 10,
  vb: 10,
  vmin: 10,
  cqw: 10,
  cqi: 10,
  cqmax: 10,
  cqh: 10,
  cqb: 10,
  cqmin: 10,
};
/** The part of the font size. */
const fontUnits: Readonly<Record<string, number>> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 };

const dimension = /(?<![\w.#-])([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]+)/g;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/;
const mathFunction =
  /^(calc|min|max|clamp|round|mod|rem|sin|cos|tan|asin|acos|atan|atan2|pow|sqrt|hypot|log|exp|abs|sign)\(/;

/** Keeps the newest results of a function, because the same values are read again and again. */
function remember<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? read(text);
    if (known.size >= 1_000) known.clear();
    known.set(text, result);
    return result;
  };
}

const solve = remember((text) => (mathFunction.test(text) ? calc(text) : text));

/**
 * Returns a length in pixels, or null for what is not a length. Values are written as by `readStyle`.
 * @param em the font size in pixels
 * @param percent the pixels of one percent; those of a window if not given
 */
export function parseLength(text: string | undefined, em: number, percent = 10): number | null {
  if (text === undefined) return null;
  const inPixels = text.replace(dimension, (whole, value: string, unit: string) => {
    const viewport = /^[sld](v\w+)$/.exec(unit)?.[1];
    const font = fontUnits[unit];
    const factor = unit === '%' ? percent : font === undefined ? pixels[viewport ?? unit] : font * em;
    return factor === undefined ? whole : `${(Number(value) * factor).toFixed(4)}px`;
  });
  const solved = solve(inPixels);
  if (solved.endsWith('px') && number.test(solved.slice(0, -2))) return Number(solved.slice(0, -2));
  return number.test(solved) && Number(solved) === 0 ? 0 : null;
}

/** Returns a number, with 1 for 100%, or null for what is neither. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const solved = solve(text);
  const value = solved.endsWith('%') ? solved.slice(0, -1) : solved;
  return number.test(value) ? Number(value) / (value === solved ? 1 : 100) : null;
}

/** Returns the cosine of an angle, or null for what is not an angle. */
export function parseCosine(text: string | undefined): number | null {
  const [, value, unit = ''] = /^([^a-z]+)(deg|grad|rad|turn|)$/.exec(text ?? '') ?? [];
  if (value === undefined || !number.test(value)) return null;
  const turn = { deg: 360, grad: 400, rad: 2 * Math.PI, turn: 1 }[unit];
  return turn === undefined ? null : Math.cos((Number(value) / turn) * 2 * Math.PI);
}

/** Returns a color of any notation, or null for what is not a color of its own, as `currentcolor`. That of the light scheme counts. */
export function parseColor(text: string | undefined): Color | null {
  if (text === undefined || !/^[#a-z]/.test(text)) return null;
  const [, ofSchemes] = /^light-dark\((.*)\)$/.exec(text) ?? [];
  return ofSchemes === undefined ? readColor(text).color : parseColor(splitValue(ofSchemes, ',')[0]);
}

const readColor = remember((text): { color: Color | null } => {
  const component = parseComponentValue(tokenize({ css: text }));
  const parsed = component ? color(component) : false;
  if (!parsed || typeof parsed.alpha !== 'number') return { color: null };
  const [red = 0, green = 0, blue = 0] = (
    serializeRGB(parsed)
      .toString()
      .match(/[\d.]+/g) ?? []
  ).map(Number);
  return { color: { rgb: [red, green, blue], alpha: parsed.alpha } };
});

/** Returns the color that is seen where a color lies on another one. */
export function blend(front: Color, back: Color): Color {
  const mix = (index: 0 | 1 | 2) => front.rgb[index] * front.alpha + back.rgb[index] * (1 - front.alpha);
  return { rgb: [mix(0), mix(1), mix(2)], alpha: 1 };
}

/** Returns the contrast of two colors, from 1 to 21, as the Web Content Accessibility Guidelines define it. */
export function measureContrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [measureLuminance(one), measureLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function measureLuminance({ rgb }: Color): number {
  const linear = (channel: number) =>
    channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

/** Splits a value at a separator that is not inside of brackets. */
export function splitValue(text: string, separator: ' ' | ','): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter(Boolean);
}

/** Reads functions such as `scale(0) translate(1px, 2px)`; null for anything else. Commas and spaces separate arguments. */
export function parseFunctions(text: string): { name: string; values: string[] }[] | null {
  const functions = splitValue(text, ' ').map((part) => {
    const [, name, content] = /^([a-z0-9-]+)\((.*)\)$/.exec(part) ?? [];
    if (name === undefined || content === undefined) return null;
    return { name, values: splitValue(content, ',').flatMap((value) => splitValue(value, ' ')) };
  });
  return functions.some((entry) => entry === null) ? null : functions.filter((entry) => entry !== null);
}
