import type { NumberField } from '@/lib/platform/parse-number';

const score = { kind: 'score', min: 0, max: 100 } as const;
const count = (max: number) => ({ kind: 'count', min: 0, max }) as const;

/** The figures of a site, as forms and files take them. */
export const siteFigures = {
  dr: { label: 'DR', ...score },
  da: { label: 'DA', ...score },
  authorityScore: { label: 'Authority score', ...score },
  spam: { label: 'Spam score', ...score },
  traffic: { label: 'Monthly traffic', ...count(1_000_000_000_000) },
  keywordsCount: { label: 'Keywords', ...count(2_000_000_000) },
  refDomains: { label: 'Referring domains', ...count(2_000_000_000) },
  words: { label: 'Words', ...count(100_000) },
} satisfies Record<string, NumberField>;

export type SiteFigure = keyof typeof siteFigures;
