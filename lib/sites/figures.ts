import type { FigureSource } from '@/db/enums';
import type { SiteRow } from './views';

/** The figures of a site that have a date and a source in common. */
export const figureNames = ['dr', 'da', 'authorityScore', 'spam', 'traffic', 'keywordsCount', 'refDomains'] as const;

type Figures = { [Name in (typeof figureNames)[number]]?: number | null | undefined };

/** The date and the source of figures that were just entered; neither without any figure. */
export function datedFigures(
  figures: Figures,
  source: FigureSource,
): Pick<SiteRow, 'figuresUpdatedAt' | 'figuresSource'> {
  const hasAny = figureNames.some((name) => typeof figures[name] === 'number');
  return hasAny
    ? { figuresUpdatedAt: new Date(), figuresSource: source }
    : { figuresUpdatedAt: null, figuresSource: null };
}
