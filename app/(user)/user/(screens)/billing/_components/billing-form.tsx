'use client';

import { type ChangeEvent, useState } from 'react';
import { SettingsCard } from '@/components/form/card-form';
import { type FieldSpec, getFormText } from '@/components/form/fields';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { getAddressFields } from '@/lib/tax/address-fields';
import type { BillingProfile } from '@/lib/tax/billing-contract';
import { getIdPrefix } from '@/lib/tax/countries';

type BillingFormProps = {
  profile: BillingProfile;
  /** Shown on documents without an address of their own. */
  accountEmail: string;
  countries: { value: string; label: string }[];
};

const names = ['company', 'street', 'postcode', 'city', 'region', 'country', 'vatId', 'reference', 'email'] as const;

/** Renders the form of what the documents of a buyer are addressed to, with the fields of the country. */
export function BillingForm({ profile, accountEmail, countries }: BillingFormProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const country = chosen ?? profile.country;
  const { postcode, region } = getAddressFields(country);
  const prefix = getIdPrefix(country);
  const field = (name: (typeof names)[number], label: string) => ({ name, label, defaultValue: profile[name] });
  const fields: FieldSpec[] = [
    {
      ...field('country', 'Country'),
      ...{ required: true, autoComplete: 'country', placeholder: 'Choose a country', options: countries },
      onChange: (event: ChangeEvent<HTMLSelectElement>) => setChosen(event.target.value),
    },
    {
      ...field('company', 'Company'),
      ...{ autoComplete: 'organization', hint: 'Leave it empty to be billed as a person.' },
    },
    { ...field('street', 'Street and number'), autoComplete: 'street-address' },
    {
      columns: 'sm:grid-cols-2',
      fields: [
        ...(postcode ? [{ ...field('postcode', postcode), autoComplete: 'postal-code', maxLength: 20 }] : []),
        { ...field('city', 'City'), autoComplete: 'address-level2' },
        ...(region ? [{ ...field('region', region), autoComplete: 'address-level1' }] : []),
      ],
    },
    {
      ...field('vatId', prefix ? 'VAT id' : 'Tax number'),
      ...{ maxLength: 40, hint: `${prefix ? `Begins with ${prefix}. ` : ''}Leave it empty if you have none.` },
    },
    {
      ...field('reference', 'Your reference'),
      ...{ maxLength: 100, hint: 'Shown on every invoice, e.g. a cost center.' },
    },
    {
      ...field('email', 'Email for documents'),
      ...{ type: 'email', autoComplete: 'email', placeholder: accountEmail },
      hint: 'Shown on every document. Leave it empty to use the address of your account.',
    },
  ];
  return (
    <SettingsCard<BillingProfile>
      title="Billing details"
      description="Copied to each document when it is issued. A later change rewrites none."
      submitLabel="Save billing details"
      failure="The billing details could not be saved. Try again."
      version={profile.version}
      fields={fields}
      submit={(data, version) => {
        const texts = Object.fromEntries(names.map((name) => [name, getFormText(data, name)]));
        return apiFetch<BillingProfile>('/api/user/billing-profile', {
          method: 'PUT',
          body: { ...texts, version },
        }).catch(redirectIfSignedOut);
      }}
    />
  );
}
