import { parseFunctions, parseLength, parseNumber } from './css-values';
import { type Style, unread } from './inline-style';

/** `doubtful`: it depends on what is not known, as style sheets, the size of the window or the sight of the visitor. */
export type Level = 'hidden' | 'doubtful' | 'shown';

const order: readonly Level[] = ['hidden', 'doubtful', 'shown'];

/** Returns the level of what several causes hide. */
export function findWorst(levels: Level[]): Level {
  return order.find((level) => levels.includes(level)) ?? 'shown';
}

/** Returns the level of a measure that hides below one limit and is doubtful below another one. */
export function rateBelow(value: number, hidden: number, doubtful: number): Level {
  return value <= hidden ? 'hidden' : value <= doubtful ? 'doubtful' : 'shown';
}

/** Rates a part, of an opacity or a scale. */
export const rateFactor = (factor: number): Level => rateBelow(factor, 0.05, 0.2);

/**
 * What an element generates. `line`: parts of lines, to which sizes and transforms do not apply, by its own style;
 * `assumed-line`: the same, unless a style sheet gives it another display; `cell`: a part of a table, which grows with
 * its content; `none`: only its content is shown.
 */
export type BoxKind = 'box' | 'line' | 'assumed-line' | 'cell' | 'none';

export type Box = {
  kind: BoxKind;
  style: Style;
  /** In pixels. */
  fontSize: number;
  /** A picture or the like: its content is never larger than its box. */
  isReplaced: boolean;
};

/** Returns a length of a box in pixels. */
export function lengthOf({ style, fontSize }: Box, property: string): number | null {
  return parseLength(style.get(property), fontSize);
}

export const isPositioned = ({ style }: Box): boolean =>
  /^(relative|absolute|fixed)$/.test(style.get('position') ?? '');

const anyBox: readonly BoxKind[] = ['box', 'cell', 'line', 'assumed-line'];

/** The ways in which an element hides all that it contains. None of them can be undone by an element inside. */
const rules: readonly { kinds: readonly BoxKind[]; rate: (box: Box) => Level }[] = [
  { kinds: ['box'], rate: rateSize },
  { kinds: ['box', 'cell'], rate: ({ style }) => (style.get('content-visibility') === 'hidden' ? 'hidden' : 'shown') },
  { kinds: anyBox, rate: rateClip },
  { kinds: anyBox, rate: rateClipPath },
  { kinds: anyBox, rate: rateFarSides },
  { kinds: anyBox, rate: rateWindow },
  { kinds: anyBox, rate: rateEffects },
  { kinds: [...anyBox, 'none'], rate: rateLetters },
  { kinds: [...anyBox, 'none'], rate: ({ style }) => (style.has(unread) ? 'doubtful' : 'shown') },
];

/** Rates how far an element shows what it contains. */
export function rateBox(box: Box): Level {
  return findWorst(
    rules.map(({ kinds, rate }) => {
      if (kinds.includes(box.kind)) return rate(box);
      return box.kind === 'assumed-line' && rate({ ...box, kind: 'box' }) !== 'shown' ? 'doubtful' : 'shown';
    }),
  );
}

const axes = [
  { size: 'width', before: 'padding-left', after: 'padding-right', overflow: 'overflow-x', across: 'overflow-y' },
  { size: 'height', before: 'padding-top', after: 'padding-bottom', overflow: 'overflow-y', across: 'overflow-x' },
] as const;

/** Rates a size without room for text, of a box that cuts off what is larger. */
function rateSize(box: Box): Level {
  const { style, isReplaced } = box;
  const levels = axes.map(({ size, before, after, overflow, across }): Level => {
    const cuts =
      isReplaced ||
      /^(hidden|scroll|auto|clip|overlay)$/.test(style.get(overflow) ?? '') ||
      /^(hidden|scroll|auto|overlay)$/.test(style.get(across) ?? '');
    // A folded part of a page, which a style sheet cuts off.
    if (!cuts) return size === 'height' && lengthOf(box, 'max-height') === 0 ? 'doubtful' : 'shown';
    const limits = [lengthOf(box, size), lengthOf(box, `max-${size}`)].filter((limit) => limit !== null && limit >= 0);
    if (limits.length === 0) {
      // Lines without a height, which a line inside can end.
      const line = parseNumber(style.get('line-height')) ?? lengthOf(box, 'line-height');
      return size === 'height' && !isReplaced && line !== null && line < 0.2 ? 'doubtful' : 'shown';
    }
    const limit = Math.max(Math.min(...limits.map(Number)), lengthOf(box, `min-${size}`) ?? 0);
    const level = rateBelow(limit + (lengthOf(box, after) ?? 0), isReplaced ? 1 : 2, isReplaced ? 3 : 7);
    // A background in the room before the content; a part of a height that is not known; a size to grow from.
    const isOpen =
      (lengthOf(box, before) ?? 0) > 2 ||
      (size === 'height' && style.get('height')?.endsWith('%') === true) ||
      (parseNumber(style.get('flex-grow')) ?? 0) > 0;
    return level === 'hidden' && isOpen ? 'doubtful' : level;
  });
  return findWorst(levels);
}

/** Rates the shape of `clip`, which only works outside of the flow. */
function rateClip({ style, fontSize }: Box): Level {
  const shape = style.get('clip');
  if (shape === undefined || !/^(absolute|fixed)$/.test(style.get('position') ?? '')) return 'shown';
  return rateRectangle(parseFunctions(shape)?.[0]?.values ?? [], fontSize);
}

/** 100% of an element. */
const whole = 1_000;

function rateRectangle([top, right, bottom, left]: string[], fontSize: number): Level {
  const edge = (value: string | undefined, auto: number) => parseLength(value, fontSize) ?? auto;
  const [onRight, onBottom] = [edge(right, whole), edge(bottom, whole)];
  return rateBelow(Math.min(onRight, onBottom, onRight - edge(left, 0), onBottom - edge(top, 0)), 2, 7);
}

function rateClipPath({ style, fontSize }: Box): Level {
  const value = style.get('clip-path')?.replace(/[a-z]+-box/g, '') ?? 'none';
  const shape = (parseFunctions(value) ?? []).find(({ name }) => name !== 'url');
  const end = shape?.values.findIndex((word) => word === 'round' || word === 'at');
  const values = shape?.values.slice(0, end === -1 ? undefined : end) ?? [];
  const length = (value: string | undefined) => parseLength(value, fontSize);
  switch (shape?.name) {
    case 'inset': {
      const [top = '0', right = top, bottom = top, left = right] = values;
      return findWorst(
        [
          [left, right],
          [top, bottom],
        ].map((pair) => {
          const taken = pair.reduce((sum, value) => sum + (length(value) ?? 0), 0);
          const isPart = pair.every((value) => value.endsWith('%') || length(value) === 0);
          return rateBelow(whole - taken, 10, isPart ? 100 : whole - 200);
        }),
      );
    }
    case 'circle':
    case 'ellipse': {
      const radii = values.map((value) => length(value) ?? whole);
      const center = shape.values.slice(values.length + 1).map((value) => length(value) ?? whole);
      const ends = center.map((place) => place + Math.max(...radii, radii.length > 0 ? 0 : whole));
      return findWorst([...radii, ...ends].map((value) => rateBelow(value, 2, 7)));
    }
    case 'rect':
      return rateRectangle(values, fontSize);
    case 'xywh':
      return findWorst(values.slice(2, 4).map((value) => rateBelow(length(value) ?? whole, 2, 7)));
    case 'polygon':
      return ratePolygon(values.flatMap((value) => length(value) ?? []));
    case undefined:
      return 'shown';
    default:
      return 'doubtful';
  }
}

/** Rates the area of a polygon, given as x and y of its corners, and whether it is outside of the element. */
function ratePolygon(numbers: number[]): Level {
  const xs = numbers.filter((_, index) => index % 2 === 0);
  const ys = numbers.filter((_, index) => index % 2 === 1);
  const last = ys.length - 1;
  const doubled = ys.reduce((sum, y, index) => {
    const before = index === 0 ? last : index - 1;
    return sum + (xs[before] ?? 0) * y - (xs[index] ?? 0) * (ys[before] ?? 0);
  }, 0);
  const isOutside = [xs, ys].some((values) => Math.max(...values) <= 0 || Math.min(...values) >= whole);
  return isOutside ? 'hidden' : rateBelow(Math.abs(doubled) / 2, 100, 2_000);
}

/** Rates distances from the right and the lower edge, which count where the opposite one is not set. */
function rateFarSides(box: Box): Level {
  if (!isPositioned(box)) return 'shown';
  return findWorst(
    (
      [
        ['left', 'right', 4_000, 1_280],
        ['top', 'bottom', 9_000, 2_000],
      ] as const
    ).map(([near, far, hidden, doubtful]) => {
      const distance = lengthOf(box, near) === null ? lengthOf(box, far) : null;
      if (distance === null) return 'shown';
      return distance < 0 ? rateBelow(distance, -800, -150) : rateBelow(-distance, -hidden, -doubtful);
    }),
  );
}

/** A move to the right by the width of a window. */
const wholeWidth = /(?:^|translate(?:x|3d)?\()[1-9]\d{2,}(?:\.\d+)?[sld]?v[wi]\b/;

/** Rates places beside the window, to which no one scrolls: the same distance in pixels may be inside of a large one. */
function rateWindow({ style, fontSize }: Box): Level {
  const isBeside = ['left', 'margin-left', 'transform', 'translate'].some((name) =>
    wholeWidth.test(style.get(name) ?? ''),
  );
  if (isBeside) return 'doubtful';
  if (style.get('position') !== 'fixed') return 'shown';
  const sides = { left: 1_280, right: 1_280, top: 1_000, bottom: 1_000 };
  return findWorst(
    Object.entries(sides).map(([side, size]) =>
      rateBelow(-(parseLength(style.get(side), fontSize, size / 100) ?? 0), -5_000, -size),
    ),
  );
}

/** Rates effects whose result depends on what is behind the element. */
function rateEffects(box: Box): Level {
  const isBehind = isPositioned(box) && (parseNumber(box.style.get('z-index')) ?? 0) < 0;
  const isMasked = (box.style.get('mask') ?? 'none') !== 'none';
  const isBlurred = (parseFunctions(box.style.get('filter') ?? 'none') ?? []).some(({ name, values: [value] }) => {
    if (name === 'blur') return (parseLength(value, box.fontSize) ?? 0) > 2;
    const factor = parseNumber(value) ?? 1;
    return /^(contrast|brightness)$/.test(name) && (factor < 0.3 || factor > 3);
  });
  return isBehind || isMasked || isBlurred ? 'doubtful' : 'shown';
}

/** Rates letters that are drawn onto each other or far away. */
function rateLetters(box: Box): Level {
  const spacing = (name: string) => (lengthOf(box, name) ?? 0) / (box.fontSize || 16);
  return findWorst([
    rateBelow(spacing('letter-spacing'), -20, -0.4),
    spacing('word-spacing') < -2 ? 'doubtful' : 'shown',
    rateFactor(parseNumber(box.style.get('font-size-adjust')) ?? 1),
  ]);
}
