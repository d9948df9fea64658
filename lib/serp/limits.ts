/** The bundled fonts for measuring search results. Arimo is metric-compatible with Arial. */
const serpFonts = ['Arimo', 'Roboto'] as const;
export type SerpFont = (typeof serpFonts)[number];

export const serpDevices = ['desktop', 'mobile'] as const;
export type SerpDevice = (typeof serpDevices)[number];

/** One line of a search result: its font, its size and its maximum width. */
export type SerpLine = { font: SerpFont; sizePx: number; limitPx: number };

/** Arial at 20 and 14 px on desktop, Roboto at 18 and 14 px on mobile. */
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

/** Maximum lengths, enforced by the server and by the form fields. */
export const serpLengths = { domain: 253, slug: 500, title: 300, description: 1_000, intent: 200 } as const;

/** Normalizes a text as it is displayed: collapsed whitespace and composed accents (NFC). */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
