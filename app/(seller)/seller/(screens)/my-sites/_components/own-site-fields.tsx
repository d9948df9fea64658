import type { FieldSpec } from '@/components/form/fields';
import { detailFields, includeCurrent } from '@/components/sites/site-fields';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { countries } from '@/lib/taxonomy/countries';

export type OwnSiteChoices = { niches: readonly string[]; postTypes: readonly string[] };

/** Returns the form fields of a seller's site; null for a new one. */
export function ownSiteFields(site: SellerSiteRow | null, { niches, postTypes }: OwnSiteChoices): FieldSpec[] {
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
          inputMode: 'decimal',
          leading: currency === 'USD' ? '$' : undefined,
          trailing: currency,
          hint: 'Per placement',
        },
        { name: 'tat', label: 'Turnaround', placeholder: '5 Days', maxLength: 100 },
        { name: 'postType', label: 'Post type', options: includeCurrent(postTypes, site?.postType) },
        { name: 'followType', label: 'Follow type', options: ['DoFollow', 'NoFollow'] },
        { name: 'language', label: 'Language', placeholder: 'English', maxLength: 100 },
      ],
    },
    {
      columns: 'grid-cols-2 sm:grid-cols-4',
      fields: [
        { name: 'dr', label: 'DR', inputMode: 'decimal' },
        { name: 'da', label: 'DA', inputMode: 'decimal' },
        { name: 'traffic', label: 'Monthly traffic', inputMode: 'decimal' },
        { name: 'spam', label: 'Spam score', inputMode: 'decimal', trailing: '%' },
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
