import type { FieldSpec } from '@/components/form/fields';
import { type SiteFigure, siteFigures } from '@/lib/sites/figures';

/** Returns the options of a site's field, with the site's own value where that was removed from the list. */
export const includeCurrent = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;

/** Returns the field of a site's figure. @param name the field's name, where it is not that of the figure */
export function figureField(figure: SiteFigure, name: string = figure) {
  const { label, kind, min, max } = siteFigures[figure];
  return { name, label, type: 'number', min, max, step: kind === 'count' ? 1 : 'any' };
}

/** The field of a site's turnaround. */
export const turnaroundField = {
  name: 'tat',
  label: 'Turnaround',
  placeholder: '5 days',
  maxLength: 100,
  hint: 'Calendar days from the acceptance to the publication',
};

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
