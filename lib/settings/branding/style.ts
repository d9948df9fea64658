import { type Branding, defaultBranding } from './branding';
import { textOn } from './colors';

type BrandColors = Pick<Branding, 'primaryColor' | 'secondaryColor'>;
type BrandStyle = Record<`--${string}`, string>;

/**
 * The tokens of app/globals.css that carry the brand, for the style of `<html>`; undefined where they are as shipped. The
 * name is among them for the page in place of one that failed, which has nothing else to read it from.
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

/** As CSS quotes a line of text. */
const cssString = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The same for a preview, which may stand inside a page of other colours. */
export function brandTokens({ primaryColor, secondaryColor }: BrandColors): BrandStyle {
  const text = textOn(primaryColor);
  return {
    '--accent': primaryColor,
    '--on-accent': text,
    // A pressed button moves away from its text, so that it never reads worse than it was checked.
    '--accent-away': text === '#ffffff' ? 'black' : 'white',
    '--secondary': secondaryColor,
    '--on-secondary': textOn(secondaryColor),
  };
}
