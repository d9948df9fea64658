import { type Branding, defaultBranding } from './branding';

/** The minimum contrast of WCAG 2.2, 1.4.3, for text of any size. */
const minContrast = 4.5;

const white = '#ffffff';
const black = '#000000';
/** --ink of the light palette. */
const ink = '#18181d';

/** The backgrounds of links in app/globals.css, and the mixtures of its --accent-ink and --accent-soft. */
export const linkBackgrounds = {
  light: {
    surfaces: ['#ffffff', '#f8f8fa', '#f2f2f5'],
    link: { share: 0.92, with: black },
    soft: { share: 0.08, with: white },
  },
  dark: {
    surfaces: ['#0d0d10', '#141418', '#1b1b20', '#1a1a1f'],
    link: { share: 0.46, with: white },
    soft: { share: 0.2, with: '#141418' },
  },
} as const;

/** Returns the text colour for a brand colour: white if it is readable, otherwise nearly black. */
export function getTextColor(color: string): typeof white | typeof ink {
  const onWhite = contrastRatio(parseHexColor(color), parseHexColor(white));
  return onWhite >= minContrast || onWhite >= contrastRatio(parseHexColor(color), parseHexColor(ink)) ? white : ink;
}

/** Checks the contrast of the primary colour. @returns an error message with the ratio, or undefined */
export function checkPrimaryColor(color: string): string | undefined {
  return checkTextContrast(color) ?? checkLinkContrast(color, 'light') ?? checkLinkContrast(color, 'dark');
}

/** Checks the contrast of the secondary colour, which is not used for links. */
export function checkSecondaryColor(color: string): string | undefined {
  return checkTextContrast(color);
}

function checkTextContrast(color: string): string | undefined {
  const text = getTextColor(color);
  const ratio = contrastRatio(parseHexColor(color), parseHexColor(text));
  if (ratio >= minContrast) return undefined;
  const name = text === white ? 'White' : 'Dark';
  return `${name} text on this color has a contrast of ${formatRatio(ratio)}; ${minContrast}:1 is required. Choose a darker or a lighter one.`;
}

function checkLinkContrast(color: string, theme: keyof typeof linkBackgrounds): string | undefined {
  const { surfaces, link, soft } = linkBackgrounds[theme];
  const mixed = ({ share, with: other }: typeof link | typeof soft): Rgb =>
    mixInOklab(parseHexColor(color), share, parseHexColor(other));
  const written = mixed(link);
  const worst = Math.min(
    ...[...surfaces.map(parseHexColor), mixed(soft)].map((ground) => contrastRatio(written, ground)),
  );
  if (worst >= minContrast) return undefined;
  return `Links in this color have a contrast of ${formatRatio(worst)} in the ${theme} theme; ${minContrast}:1 is required. Choose a ${theme === 'light' ? 'darker' : 'lighter'} one.`;
}

/** Formats a ratio, truncated: 4.499 must not be reported as 4.5. */
const formatRatio = (ratio: number) => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;

/** Red, green and blue of sRGB, each from 0 to 1. */
type Rgb = readonly [number, number, number];

/** Parses a colour. @param hex `#rrggbb` */
export function parseHexColor(hex: string): Rgb {
  const channel = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

/** Computes the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Computes `color-mix(in oklab, one share, other)` (CSS Color 5; the matrices are Oklab's, CSS Color 4). */
export function mixInOklab(one: Rgb, share: number, other: Rgb): Rgb {
  const [a, b] = [toOklab(one), toOklab(other)];
  const mixed = (index: 0 | 1 | 2) => a[index] * share + b[index] * (1 - share);
  return fromOklab([mixed(0), mixed(1), mixed(2)]);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const gamma = (channel: number) => (channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055);
const clamped = (channel: number) => Math.min(1, Math.max(0, channel));

function toOklab(color: Rgb): [number, number, number] {
  const [red, green, blue] = [linear(color[0]), linear(color[1]), linear(color[2])];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

function fromOklab([lightness, a, b]: readonly [number, number, number]): Rgb {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clamped(gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)),
    clamped(gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)),
    clamped(gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)),
  ];
}

type BrandColors = Pick<Branding, 'primaryColor' | 'secondaryColor'>;
type BrandStyle = Record<`--${string}`, string>;

/**
 * Returns the CSS variables of the brand for the style of `<html>`; undefined for the default branding. They include
 * the name, because the global error page has no other source for it.
 */
export function brandStyle({ siteName, ...colors }: BrandColors & Pick<Branding, 'siteName'>): BrandStyle | undefined {
  const shipped = defaultBranding;
  const isNamedAsShipped = siteName === shipped.siteName;
  const isColoredAsShipped =
    colors.primaryColor === shipped.primaryColor && colors.secondaryColor === shipped.secondaryColor;
  if (isNamedAsShipped && isColoredAsShipped) return undefined;
  return {
    ...(!isNamedAsShipped && { '--site-name': cssString(siteName) }),
    ...(!isColoredAsShipped && brandTokens(colors)),
  };
}

/** Quotes a string for CSS. */
const cssString = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Returns the CSS variables of the colours, also for a preview inside a page with other colours. */
export function brandTokens({ primaryColor, secondaryColor }: BrandColors): BrandStyle {
  const text = getTextColor(primaryColor);
  return {
    '--accent': primaryColor,
    '--on-accent': text,
    // A pressed button becomes darker or lighter, away from its text colour, which keeps the contrast.
    '--accent-away': text === '#ffffff' ? 'black' : 'white',
    '--secondary': secondaryColor,
    '--on-secondary': getTextColor(secondaryColor),
  };
}
