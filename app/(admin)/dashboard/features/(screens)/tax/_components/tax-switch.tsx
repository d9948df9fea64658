'use client';

import { useId, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Select } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { apiFetch } from '@/lib/browser/api-client';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { nameCountry } from '@/lib/taxonomy/name-country';

/** Turns tax on or off, after a confirmation that says what changes for buyers. */
export function TaxSwitch({ operator }: { operator: OperatorView }) {
  const { tax, vatIds } = operator;
  const id = useId();
  const countries = [...new Set([operator.country, ...vatIds.map(({ country }) => country)])].filter(Boolean);
  const [chosen, setChosen] = useState(tax.country);
  const country = countries.includes(chosen) ? chosen : (countries[0] ?? '');
  const missing = Object.values(tax.missing);
  const turn = (enabled: boolean) =>
    apiFetch('/api/admin/tax', {
      method: 'PUT',
      body: { enabled, ...(enabled && { country }), version: tax.version },
    });
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        title={<span id={id}>Tax on orders</span>}
        description={
          tax.enabled
            ? `Prices are net. Buyers pay tax by the rules of ${nameCountry(tax.country)}.`
            : 'No tax is charged: buyers pay the prices that you set.'
        }
        actions={
          <Badge tone={tax.enabled ? 'green' : 'grey'} dot>
            {tax.enabled ? 'On' : 'Off'}
          </Badge>
        }
      />
      <CardBody className="grid gap-4 text-sm">
        {tax.enabled ? (
          <div>
            <ConfirmAction
              trigger={<Button variant="danger">Turn tax off</Button>}
              title="Turn tax off?"
              description="New orders have no tax, and the prices that buyers see are what they pay. Orders that were taxed keep their tax, also when they are refunded."
              confirmLabel="Turn tax off"
              action={() => turn(false)}
              done="Tax is off."
            />
          </div>
        ) : missing.length > 0 ? (
          <Alert tone="warning" title="Complete these before you turn tax on">
            <ul className="list-disc pl-4">
              {missing.map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </Alert>
        ) : (
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Rules of" className="min-w-48">
              {(control) => (
                <Select
                  {...control}
                  value={country}
                  options={countries.map((value) => ({ value, label: nameCountry(value) }))}
                  onChange={({ target }) => setChosen(target.value)}
                />
              )}
            </Field>
            <ConfirmAction
              trigger={<Button variant="primary">Turn tax on</Button>}
              tone="primary"
              title={`Turn tax on for ${nameCountry(country)}?`}
              confirmLabel="Turn tax on"
              action={() => turn(true)}
              done="Tax is on."
            >
              <ul className="grid list-disc gap-1 pl-4 text-muted text-sm">
                <li>
                  Prices become net: buyers who owe tax pay it on top, and see net, tax and total before they order.
                </li>
                <li>Buyers choose their country under Billing before their next order.</li>
                <li>Buyers whom your rules exclude can’t order.</li>
                <li>Orders and invoices that exist don’t change.</li>
              </ul>
            </ConfirmAction>
          </div>
        )}
      </CardBody>
    </Card>
  );
}
