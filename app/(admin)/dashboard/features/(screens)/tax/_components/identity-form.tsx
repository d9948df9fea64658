'use client';

import { SettingsCard } from '@/components/form/card-form';
import { type FieldSpec, getFormText } from '@/components/form/fields';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { type CountryOption, savePart } from './save-part';

type IdentityFormProps = { operator: OperatorView; countries: readonly CountryOption[] };

/** Edits who the operator is, as its documents show it. */
export function IdentityForm({ operator, countries }: IdentityFormProps) {
  const { contact } = operator;
  const fields: FieldSpec[] = [
    {
      name: 'name',
      label: 'Legal name',
      defaultValue: operator.name,
      maxLength: 200,
      hint: 'The seller on invoices. The name of the marketplace is under Branding.',
      className: 'sm:col-span-2',
    },
    {
      name: 'street',
      label: 'Street and number',
      defaultValue: operator.street,
      maxLength: 200,
      className: 'sm:col-span-2',
    },
    { name: 'postcode', label: 'Postcode', defaultValue: operator.postcode, maxLength: 20 },
    { name: 'city', label: 'City', defaultValue: operator.city, maxLength: 100 },
    { name: 'region', label: 'State or region', defaultValue: operator.region, maxLength: 100 },
    {
      name: 'country',
      label: 'Country',
      defaultValue: operator.country,
      placeholder: 'Choose a country',
      options: countries,
    },
    {
      name: 'taxNumber',
      label: 'Tax number',
      defaultValue: operator.taxNumber,
      maxLength: 40,
      hint: 'The national number, e.g. of your tax office.',
    },
    {
      name: 'registration',
      label: 'Company register',
      defaultValue: operator.registration,
      maxLength: 100,
      hint: 'The register and your number in it.',
    },
    {
      columns: 'sm:col-span-2 sm:grid-cols-3',
      legend: 'Contact for questions about documents',
      fields: [
        { name: 'contact.name', label: 'Name', defaultValue: contact.name, maxLength: 100 },
        { name: 'contact.phone', label: 'Phone', type: 'tel', defaultValue: contact.phone, maxLength: 40 },
        { name: 'contact.email', label: 'Email', type: 'email', defaultValue: contact.email, maxLength: 254 },
      ],
    },
  ];
  return (
    <SettingsCard
      title="Identity"
      description="Shown on new documents. Earlier documents keep what they were issued with."
      formClassName="gap-4 sm:grid-cols-2"
      submitLabel="Save identity"
      version={operator.version}
      submit={(data, version) => {
        const text = (name: string) => getFormText(data, name);
        const address = {
          street: text('street'),
          postcode: text('postcode'),
          city: text('city'),
          region: text('region'),
        };
        return savePart(
          {
            ...{ name: text('name'), ...address, country: text('country') },
            ...{ taxNumber: text('taxNumber'), registration: text('registration') },
            contact: { name: text('contact.name'), phone: text('contact.phone'), email: text('contact.email') },
          },
          version,
        );
      }}
      failure="The identity couldn’t be saved. Please try again."
      fields={fields}
    />
  );
}
