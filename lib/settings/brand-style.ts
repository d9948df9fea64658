import { textOn } from './brand-colors';
import { type Branding, defaultBranding } from './branding';

type BrandColors = Pick<Branding, 'primaryColor' | 'secondaryColor'>;
type BrandStyle = Record<`--${string}`, string>;

/** The tokens of app/globals.css that carry the brand, for the style of `<html>`; undefined where they are as shipped. */
export function brandStyle(colors: BrandColors): BrandStyle | undefined {
  const isShipped =
    colors.primaryColor === defaultBranding.primaryColor && colors.secondaryColor === defaultBranding.secondaryColor;
  return isShipped ? undefined : brandTokens(colors);
}

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
