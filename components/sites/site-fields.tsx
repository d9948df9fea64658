import type { FieldSpec } from '@/components/form/fields';

/** Returns the options of a site's field, with the site's own value where that was removed from the list. */
export const includeCurrent = (names: readonly string[], own: string | undefined) =>
  own && !names.includes(own) ? [own, ...names] : names;

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
