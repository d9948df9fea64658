'use client';

import type { ReactNode } from 'react';
import { EntityDialog, fieldText, restEntity } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import { getAmountError } from '@/components/wallet/amount-field';
import { currencies, parseMoney } from '@/lib/money';
import type { AdminPackageView } from '@/lib/packages/contract';

type PackageEditorProps = {
  /** Null for a new package. */
  record: AdminPackageView | null;
  closeHref: string;
  /** Server-rendered. */
  preview?: ReactNode;
};

/** Creates or edits a package. */
export function PackageEditor({ record, closeHref, preview }: PackageEditorProps) {
  return (
    <EntityDialog
      record={record}
      name={record?.name}
      noun="package"
      at={{ closeHref }}
      store={restEntity('/api/packages', record, bodyOf)}
      getFormText={(row, field) => (field === 'price' ? row.price.toFixed(2) : fieldText(row, field))}
      validate={validate}
      deletion={{ consequence: 'It’s removed from every list. Existing orders won’t change.' }}
      fields={() => [
        { name: 'name', label: 'Name', required: true, maxLength: 120 },
        {
          columns: 'sm:grid-cols-3',
          fields: [
            {
              name: 'price',
              label: 'Price',
              required: true,
              type: 'number',
              min: 0,
              step: '0.01',
              currencyField: 'currency',
            },
            { name: 'currency', label: 'Currency', options: currencies },
            { name: 'isOnSale', label: 'Sale', options: { true: 'On sale', false: 'Not on sale' } },
          ],
        },
        { name: 'desc', label: 'Description', rows: 3, maxLength: 2000, hint: 'Shown to buyers before they order.' },
        {
          name: 'links',
          label: 'Links',
          rows: 5,
          spellCheck: false,
          className: '[&_textarea]:font-mono',
          hint: 'What the package contains, as CSV with a header or as JSON. Visible to staff only.',
          placeholder: 'type,quantity,min_dr\nGuest posts,3,20',
        },
      ]}
      below={preview}
    />
  );
}

const bodyOf = ({ price, ...fields }: Record<string, FormDataEntryValue>) =>
  price === undefined ? fields : { ...fields, price: amountOf(price) };

/** Returns the price in major units; 0 if the field is empty. */
const amountOf = (typed: FormDataEntryValue) => (typeof typed === 'string' ? (parseMoney(typed) ?? 0) / 100 : 0);

function validate(data: FormData): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  const price = getFormText(data, 'price');
  const wrong = price.trim() === '' ? 'Enter a price.' : getAmountError(price, 'Price');
  if (wrong) found.price = wrong;
  return found;
}
