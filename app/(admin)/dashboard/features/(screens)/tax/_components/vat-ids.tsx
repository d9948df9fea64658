'use client';

import { Icon } from '@/components/ui/icon';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { nameCountry } from '@/lib/taxonomy/name-country';
import { CountryEntries } from './entry-list';
import { type CountryOption, savePart } from './save-part';

type VatIdsProps = { operator: OperatorView; countries: readonly CountryOption[] };

/** Edits the VAT ids of the operator, at most one for each country. */
export function VatIds({ operator, countries }: VatIdsProps) {
  return (
    <CountryEntries
      title="VAT ids"
      description="One for each country in which you are registered. Documents show that of the country whose rules apply."
      noun="VAT id"
      icon={<Icon name="file-badge" />}
      purpose="Enter your VAT id, or the tax id of your company outside the European Union. Tax can’t be turned on without it."
      field="vatIds"
      entries={operator.vatIds}
      show={({ country, number }) => ({ name: number, detail: nameCountry(country) })}
      consequence="New documents no longer show it."
      save={(vatIds) => savePart({ vatIds }, operator.version)}
      read={(text) => ({ country: text('country'), number: text('number') })}
      countries={countries}
      country={operator.vatIds.length === 0 ? operator.country : ''}
      fields={(entry, path) => [
        {
          name: `${path}.number`,
          label: 'VAT id',
          required: true,
          maxLength: 40,
          spellCheck: false,
          defaultValue: entry?.number,
          hint: 'With or without its prefix.',
          className: 'col-span-full',
        },
      ]}
    />
  );
}
