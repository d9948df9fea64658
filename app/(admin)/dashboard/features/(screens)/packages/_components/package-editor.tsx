'use client';

import type { ReactNode } from 'react';
import { EntityDialog, fieldText, restEntity } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { getAmountError } from '@/components/wallet/amount-field';
import { currencies, parseMoney } from '@/lib/money';
import type { AdminPackageView } from '@/lib/packages/contract';

const labels = {
  name: 'Name',
  price: 'Price',
  currency: 'Currency',
  isOnSale: 'Sale',
  desc: 'Description',
  links: 'Links',
};

const sales = [
  { value: 'true', label: 'On sale' },
  { value: 'false', label: 'Not on sale' },
];

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
      labels={labels}
      getFormText={(row, field) => (field === 'price' ? priceText(row) : fieldText(row, field))}
      validate={validate}
      deletion={{ consequence: 'It’s removed from every list. Existing orders won’t change.' }}
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={120}
            autoComplete="off"
            defaultValue={row?.name}
            error={errors.name}
          />
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField
              name="price"
              label={labels.price}
              required
              inputMode="decimal"
              autoComplete="off"
              defaultValue={row ? priceText(row) : ''}
              error={errors.price}
            />
            <SelectField
              name="currency"
              label={labels.currency}
              options={currencies.map((value) => ({ value, label: value }))}
              defaultValue={row?.currency}
              error={errors.currency}
            />
            <SelectField
              name="isOnSale"
              label={labels.isOnSale}
              options={sales}
              defaultValue={row ? String(row.isOnSale) : undefined}
              error={errors.isOnSale}
            />
          </div>
          <TextareaField
            name="desc"
            label={labels.desc}
            rows={3}
            maxLength={2000}
            hint="Shown to buyers before they order."
            defaultValue={row?.desc}
            error={errors.desc}
          />
          <TextareaField
            name="links"
            label={labels.links}
            rows={5}
            spellCheck={false}
            className="[&_textarea]:font-mono"
            hint="What the package contains, as CSV with a header or as JSON. Visible to staff only."
            placeholder={'type,quantity,min_dr\nGuest posts,3,20'}
            defaultValue={row?.links}
            error={errors.links}
          />
          {preview}
        </>
      )}
    </EntityDialog>
  );
}

const priceText = ({ price }: AdminPackageView) => price.toFixed(2);

const bodyOf = ({ price, ...fields }: Record<string, FormDataEntryValue>) =>
  price === undefined ? fields : { ...fields, price: amountOf(price) };

/** The price in major units; 0 if the field is empty. */
const amountOf = (typed: FormDataEntryValue) => (typeof typed === 'string' ? (parseMoney(typed) ?? 0) / 100 : 0);

function validate(data: FormData): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  const price = getFormText(data, 'price');
  const wrong = price.trim() === '' ? 'Enter a price.' : getAmountError(price);
  if (wrong) found.price = wrong;
  return found;
}
