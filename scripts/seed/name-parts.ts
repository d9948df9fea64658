import type { NameLanguage } from './places';

/** Words for any niche, before or after the word of the niche. */
export const nameParts: Record<Exclude<NameLanguage, 'en'>, { before: readonly string[]; after: readonly string[] }> = {
  de: {
    before: ['Ratgeber', 'Treffpunkt', 'Forum', 'Netzwerk'],
    after: ['Magazin', 'Journal', 'heute', 'Ratgeber', 'Kompass', 'Blick'],
  },
  fr: {
    before: ['Le Guide', 'Le Journal', 'Passion', 'Objectif', 'Planète'],
    after: ['Magazine', 'Pratique', 'Infos', 'Mag'],
  },
  es: { before: ['Mundo', 'Revista', 'Guía', 'Planeta', 'Todo'], after: ['Hoy', 'Digital', 'Actual', 'Diario'] },
  it: { before: ['Mondo', 'Pianeta', 'Rivista', 'Tutto', 'Punto'], after: ['Oggi', 'Magazine', 'Facile', 'News'] },
  nl: { before: ['Alles over', 'Puur', 'De Wereld van', 'Platform'], after: ['Magazine', 'Gids', 'Vandaag', 'Blog'] },
  pt: { before: ['Mundo', 'Guia', 'Portal', 'Revista'], after: ['Hoje', 'Brasil', 'Digital', 'Diário'] },
  pl: { before: ['Świat', 'Portal', 'Magazyn', 'Strefa'], after: ['Dziś', 'Online', 'Porady', 'Info'] },
  sv: { before: ['Allt om', 'Magasinet', 'Portalen', 'Nyheter om'], after: ['Bladet', 'Guiden', 'Nytt', 'Idag'] },
};

/** Endings of English-language names, e.g. "Alpine Gardening Review". */
export const englishEndings = [
  'Journal',
  'Review',
  'Weekly',
  'Digest',
  'Post',
  'Notes',
  'Daily',
  'Guide',
  'Report',
  'Hub',
];
