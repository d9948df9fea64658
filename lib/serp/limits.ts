/** The shipped fonts that search results are measured in; Arimo is as wide as Arial. */
const serpFonts = ['Arimo', 'Roboto'] as const;
export type SerpFont = (typeof serpFonts)[number];

export const serpDevices = ['desktop', 'mobile'] as const;
export type SerpDevice = (typeof serpDevices)[number];

/** One line of a search result: how it is set, and how many pixels of it are shown. */
export type SerpLine = { font: SerpFont; sizePx: number; limitPx: number };

/** Spec 000, section 9: Arial 20 and 14 px on desktop, Roboto 18 and 14 px on mobile. */
export const serpLines: Record<SerpDevice, { title: SerpLine; description: SerpLine }> = {
  desktop: {
    title: { font: 'Arimo', sizePx: 20, limitPx: 600 },
    description: { font: 'Arimo', sizePx: 14, limitPx: 960 },
  },
  mobile: {
    title: { font: 'Roboto', sizePx: 18, limitPx: 550 },
    description: { font: 'Roboto', sizePx: 14, limitPx: 680 },
  },
};

export type SerpPart = keyof (typeof serpLines)['desktop'];

/** Longer texts are no titles; they are refused on the server and not taken by the fields. */
export const serpLengths = { domain: 253, slug: 500, title: 300, description: 1_000, intent: 200 } as const;

/** Whitespace of a text is drawn as single spaces, and accents are measured joined, whichever way they were typed. */
export function asDrawn(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
