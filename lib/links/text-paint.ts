import { findWorst, type Level, rateBelow, rateFactor } from './box-rules';
import { blend, type Color, measureContrast, parseColor } from './css-values';
import type { Style } from './inline-style';

/** The colors of a text and of what is behind it, as far as styles in the page give them. */
export type Paint = Readonly<{
  color: Color | null;
  /** Whether links have this color. Those without a color of their own have one of the browser or a style sheet. */
  isColorSure: boolean;
  /** Of `-webkit-text-fill-color`, which takes the place of the color. */
  fill: Color | null;
  /** Of `<body link>`. */
  linkColor: Color | null;
  background: Color;
  /** `image`: pictures and gradients can be of any color. `likely`: a style sheet can give another one. */
  backgroundSource: 'style' | 'likely' | 'image' | 'none';
  /** The background is seen through the letters. */
  isClipped: boolean;
  /** The letters have a shadow or an outline. */
  isOutlined: boolean;
}>;

/** The entry of a style with the color of links in the page. */
export const linkColor = '*link';

const white: Color = { rgb: [255, 255, 255], alpha: 1 };

export const rootPaint: Paint = {
  color: null,
  isColorSure: false,
  fill: null,
  linkColor: null,
  background: white,
  backgroundSource: 'none',
  isClipped: false,
  isOutlined: false,
};

type Context = {
  isLink: boolean;
  /** The element has a class or an id. */
  isNamed: boolean;
};

/** Reads the colors of an element. */
export function readPaint(style: Style, parent: Paint, { isLink, isNamed }: Context): Paint {
  if (style.size === 0 && !isLink && !isNamed) return parent;
  let paint = style.has(linkColor) ? { ...parent, linkColor: parseColor(style.get(linkColor)) } : parent;
  if (isLink) paint = { ...paint, color: parent.linkColor ?? parent.color, isColorSure: parent.linkColor !== null };
  const color = style.get('color');
  if (color === 'inherit' || color === 'unset' || color === 'currentcolor') {
    paint = { ...paint, color: parent.color, isColorSure: parent.isColorSure };
  } else if (color !== undefined) paint = { ...paint, color: parseColor(color), isColorSure: true };
  const fill = style.get('-webkit-text-fill-color');
  if (fill !== undefined && fill !== 'inherit') paint = { ...paint, fill: parseColor(fill) };
  const isDrawn = (property: string) => !/^(none|0|0px|)$/.test(style.get(property) ?? '');
  if (isDrawn('text-shadow') || isDrawn('-webkit-text-stroke')) paint = { ...paint, isOutlined: true };
  return readBackground(style, paint, isNamed);
}

function readBackground(style: Style, paint: Paint, isNamed: boolean): Paint {
  const image = style.get('background-image') ?? 'none';
  const plain = readGradient(image);
  if (style.get('background-clip') === 'text' && image.includes('(')) {
    return plain ? { ...paint, fill: plain } : { ...paint, isClipped: true };
  }
  const name = style.get('background-color');
  const own = name === 'currentcolor' ? paint.color : parseColor(name);
  if (own !== null && own.alpha > 0) {
    const isSure = own.alpha > 0.9 && !image.includes('(');
    return { ...paint, background: blend(own, paint.background), backgroundSource: isSure ? 'style' : 'likely' };
  }
  if (plain) return { ...paint, background: blend(plain, paint.background), backgroundSource: 'likely' };
  if (image.includes('(')) return { ...paint, backgroundSource: 'image' };
  return isNamed && paint.backgroundSource === 'style' ? { ...paint, backgroundSource: 'likely' } : paint;
}

/** Returns the color of a gradient whose colors are nearly equal, and null for any other image. */
function readGradient(image: string): Color | null {
  if (!image.includes('gradient(')) return null;
  const words = image.replace(/[\w-]*gradient\(/g, '(').match(/#[\da-f]+|[a-z]+\([^()]*\)|[a-z]+/g) ?? [];
  const colors = words.flatMap((word) => parseColor(word) ?? []);
  const [first] = colors;
  return first && colors.every((color) => measureContrast(color, first) < 1.1) ? first : null;
}

/** Rates how far the colors let a text be seen. */
export function ratePaint({ color, fill, background, backgroundSource, ...paint }: Paint): Level {
  const front = fill ?? color;
  if (front === null || paint.isClipped) return 'shown';
  const isSure = fill !== null || paint.isColorSure;
  const seen = blend(front, background);
  const contrast = measureContrast(seen, background);
  const isCompared = backgroundSource !== 'image' && (isSure || backgroundSource !== 'none');
  // Red on a gray of its luminance has no contrast, but is seen.
  const isAlike = seen.rgb.every((channel, index) => Math.abs(channel - (background.rgb[index] ?? 0)) < 50);
  const compared = isCompared ? rateBelow(contrast, isAlike ? 1.1 : 0, 1.3) : 'shown';
  const level = findWorst([
    rateFactor(front.alpha),
    compared === 'hidden' && backgroundSource !== 'style' ? 'doubtful' : compared,
  ]);
  return level === 'hidden' && (!isSure || paint.isOutlined) ? 'doubtful' : level;
}
