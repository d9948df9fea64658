import type { FieldSpec } from '@/components/form/fields';
import { detailFields, figureField, includeCurrent, turnaroundField } from '@/components/sites/site-fields';
import type { DayKind } from '@/lib/settings/placement-rules';
import type { ShownFigures } from '@/lib/sites/domain-figures/describe-figure';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { countries } from '@/lib/taxonomy/countries';

export type OwnSiteChoices = {
  niches: readonly string[];
  postTypes: readonly string[];
  /** The days that a turnaround counts. */
  dayKind: DayKind;
  /** The figures of the site that buyers see and its seller did not enter. */
  shown?: ShownFigures;
};

/** Returns the form fields of a seller's site; null for a new one. */
export function ownSiteFields(
  site: SellerSiteRow | null,
  { niches, postTypes, dayKind, shown }: OwnSiteChoices,
): FieldSpec[] {
  const currency = site?.currency ?? 'USD';
  return [
    {
      columns: 'sm:grid-cols-2',
      fields: [
        { name: 'name', label: 'Name', required: true, maxLength: 200 },
        {
          name: 'url',
          label: 'URL',
          required: true,
          inputMode: 'url',
          spellCheck: false,
          placeholder: 'https://example.com',
        },
        {
          name: 'country',
          label: 'Country',
          required: true,
          suggestions: countries,
          placeholder: 'USA',
          maxLength: 100,
        },
        {
          name: 'niche',
          label: 'Niche',
          required: true,
          placeholder: 'Choose a niche',
          options: includeCurrent(niches, site?.niche),
        },
        {
          name: 'price',
          label: 'Your price',
          required: true,
          type: 'number',
          min: 0.01,
          step: '0.01',
          currency,
          leading: currency === 'USD' ? '$' : undefined,
          trailing: currency,
          hint: 'Per placement',
        },
        turnaroundField(dayKind),
        { name: 'postType', label: 'Post type', options: includeCurrent(postTypes, site?.postType) },
        { name: 'followType', label: 'Follow type', options: ['DoFollow', 'NoFollow'] },
        { name: 'language', label: 'Language', placeholder: 'English', maxLength: 100 },
      ],
    },
    {
      columns: 'grid-cols-2 sm:grid-cols-4',
      fields: [
        figureField('dr', shown),
        figureField('da', shown),
        figureField('traffic', shown),
        { ...figureField('spam', shown), trailing: '%' },
      ],
    },
    {
      columns: 'sm:grid-cols-2',
      fields: detailFields(
        'What you accept: topics, links, languages. Buyers see this text, so leave out contact data and your price.',
      ),
    },
  ];
}
