'use client';

import { useState } from 'react';
import { type FieldSpec, Fields } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { Icon } from '@/components/ui/icon';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { EntryList } from './entry-list';
import { savePart } from './save-part';

type Account = OperatorView['bankAccounts'][number];

const kinds = {
  euro: 'Euros, with IBAN',
  american: 'US dollars, with routing number',
  dollar: 'US dollars, with IBAN',
};
type Kind = keyof typeof kinds;
const isKind = (value: string): value is Kind => Object.hasOwn(kinds, value);

/** Edits the accounts that buyers transfer money to, one for each currency. */
export function BankAccounts({ operator }: { operator: OperatorView }) {
  return (
    <EntryList
      title="Bank accounts"
      description="Buyers transfer money to them to add funds. All admins are emailed about every change."
      noun="account"
      icon={<Icon name="landmark" />}
      purpose="Add an account in euros or US dollars, so that buyers can add funds by bank transfer."
      field="bankAccounts"
      entries={operator.bankAccounts}
      max={2}
      show={({ currency, holder, iban, bic, accountNumber, routingNumber, bankName }) => ({
        name: `${currency}, ${holder}`,
        detail: [iban || `${routingNumber} / ${accountNumber}`, bic, bankName].filter(Boolean).join(' · '),
      })}
      consequence="Buyers can no longer see it. Transfers that are on their way still arrive there."
      save={(bankAccounts) => savePart({ bankAccounts }, operator.version)}
      read={(text) => ({
        currency: text('kind') === 'euro' ? ('EUR' as const) : ('USD' as const),
        ...{ holder: text('holder'), iban: text('iban'), bic: text('bic') },
        ...{ accountNumber: text('accountNumber'), routingNumber: text('routingNumber'), bankName: text('bankName') },
      })}
    >
      {(entry, path, errors) => <AccountFields account={entry} path={path} errors={errors} />}
    </EntryList>
  );
}

function kindOf(account: Account | null): Kind {
  if (!account || account.currency === 'EUR') return 'euro';
  return account.iban === '' ? 'american' : 'dollar';
}

type AccountFieldsProps = { account: Account | null; path: string; errors: FieldErrors };

function AccountFields({ account, path, errors }: AccountFieldsProps) {
  const [kind, setKind] = useState(kindOf(account));
  const field = (name: keyof Account, label: string, more = {}): FieldSpec => ({
    ...{ name: `${path}.${name}`, label, defaultValue: account?.[name], maxLength: 70, ...more },
  });
  const required = { required: true, spellCheck: false };
  const numbers =
    kind === 'american'
      ? [
          field('routingNumber', 'Routing number', { ...required, inputMode: 'numeric' }),
          field('accountNumber', 'Account number', required),
        ]
      : [
          field('iban', 'IBAN', { ...required, className: 'col-span-full' }),
          field('bic', 'BIC', {
            spellCheck: false,
            required: kind === 'dollar',
            hint: kind === 'euro' ? 'Required outside the European Economic Area.' : undefined,
          }),
        ];
  return (
    <Fields
      errors={errors}
      fields={[
        {
          name: `${path}.kind`,
          label: 'Account',
          required: true,
          value: kind,
          options: kinds,
          className: 'col-span-full',
          onChange: ({ target }: { target: { value: string } }) => {
            if (isKind(target.value)) setKind(target.value);
          },
        },
        field('holder', 'Account holder', { required: true, className: 'col-span-full' }),
        ...numbers,
        field('bankName', 'Bank', kind === 'american' ? { className: 'col-span-full' } : {}),
      ]}
    />
  );
}
