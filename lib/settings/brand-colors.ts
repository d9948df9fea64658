import { contrastRatio, mixInOklab, type Rgb, rgbOf } from './color';

/** Of WCAG 2.2, 1.4.3, for text of any size. */
const readable = 4.5;

const white = '#ffffff';
const black = '#000000';
/** --ink of the light palette. */
const ink = '#18181d';

/** The surfaces of app/globals.css that links stand on, and what its --accent-ink and --accent-soft are mixed from. */
export const linkGrounds = {
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

/** The colour of text on a brand colour: white where that can be read, else nearly black. */
export function textOn(color: string): typeof white | typeof ink {
  const onWhite = contrastRatio(rgbOf(color), rgbOf(white));
  return onWhite >= readable || onWhite >= contrastRatio(rgbOf(color), rgbOf(ink)) ? white : ink;
}

/** What is wrong with the primary colour, in words with the ratio; undefined where everything can be read. */
export function primaryColorComplaint(color: string): string | undefined {
  return textComplaint(color) ?? linkComplaint(color, 'light') ?? linkComplaint(color, 'dark');
}

/** The secondary colour carries text and is no colour of links. */
export function secondaryColorComplaint(color: string): string | undefined {
  return textComplaint(color);
}

function textComplaint(color: string): string | undefined {
  const text = textOn(color);
  const ratio = contrastRatio(rgbOf(color), rgbOf(text));
  if (ratio >= readable) return undefined;
  const name = text === white ? 'White' : 'Dark';
  return `${name} text on this colour reaches a contrast of ${inWords(ratio)}; ${readable}:1 is needed. Choose a darker or a lighter one.`;
}

function linkComplaint(color: string, theme: keyof typeof linkGrounds): string | undefined {
  const { surfaces, link, soft } = linkGrounds[theme];
  const mixed = ({ share, with: other }: typeof link | typeof soft): Rgb =>
    mixInOklab(rgbOf(color), share, rgbOf(other));
  const written = mixed(link);
  const worst = Math.min(...[...surfaces.map(rgbOf), mixed(soft)].map((ground) => contrastRatio(written, ground)));
  if (worst >= readable) return undefined;
  return `Links in this colour reach a contrast of ${inWords(worst)} in the ${theme} theme; ${readable}:1 is needed. Choose a ${theme === 'light' ? 'darker' : 'lighter'} one.`;
}

/** Cut, not rounded: 4.49 shall not be refused as 4.5. */
const inWords = (ratio: number) => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
