import { type Branding, defaultBranding } from './branding';
import { getTextColor } from './colors';

type BrandColors = Pick<Branding, 'primaryColor' | 'secondaryColor'>;
type BrandStyle = Record<`--${string}`, string>;

/**
 * The CSS variables of the brand for the style of `<html>`; undefined for the default branding. They include the name,
 * because the global error page has no other source for it.
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

/** The CSS variables of the colours, also for a preview inside a page with other colours. */
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
