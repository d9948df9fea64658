import type { FieldSpec } from '@/components/form/fields';
import type { ListingMetric } from '@/db/enums';
import type { DayKind } from '@/lib/settings/placement-rules';
import type { ShownFigures } from '@/lib/sites/domain-figures/describe-figure';
import { type SiteFigure, siteFigures } from '@/lib/sites/figures';

/** Returns the options of a site's field, with the site's own value where that was removed from the list. */
export const includeCurrent = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;

/** The names of the figures' fields, which are those of the metrics. */
const fieldMetrics = {
  dr: 'dr',
  da: 'da',
  authorityScore: 'as',
  spam: 'spam',
  traffic: 'traffic',
  keywordsCount: 'keywords',
  refDomains: 'ref_domains',
} as const satisfies Partial<Record<SiteFigure, ListingMetric>>;

/** Returns the field of a site's figure. @param shown what buyers see instead of the entered figures */
export function figureField(figure: keyof typeof fieldMetrics, shown: ShownFigures = {}) {
  const name = fieldMetrics[figure];
  return { ...numberField(figure, name), hint: shown[name] };
}

/** The field of the number of words of an article. */
export const wordsField = { ...numberField('words', 'words'), placeholder: '600' };

function numberField(figure: SiteFigure, name: string) {
  const { label, kind, min, max } = siteFigures[figure];
  return { name, label, type: 'number', min, max, step: kind === 'count' ? 1 : 'any' };
}

/** Returns the field of a site's turnaround. */
export const turnaroundField = (kind: DayKind): FieldSpec => ({
  name: 'tat',
  label: 'Turnaround',
  placeholder: '5 days',
  maxLength: 100,
  hint: `${kind === 'business' ? 'Business days (Monday to Friday, UTC)' : 'Calendar days'} from the acceptance to the publication`,
});

/** Returns the fields of what a site shows to buyers in its details. */
export const detailFields = (rulesHint: string): FieldSpec[] => [
  {
    name: 'samplePosts',
    label: 'Sample posts',
    hint: 'Up to 5 links to posts on the site, one a line.',
    rows: 3,
    spellCheck: false,
  },
  { name: 'rules', label: 'Rules', hint: rulesHint, rows: 3, maxLength: 2000 },
];
