'use client';

import { useState } from 'react';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { parseMoney, toDecimalString } from '@/lib/money';

type ClientPricesProps = {
  /** The choices by value, which are of `readClientPrices`. */
  names: Readonly<Record<string, string>>;
  /** The hint of the mark-up. */
  hint: string;
  errors: FieldErrors;
  /** What was chosen before. */
  chosen?: { prices: string; markupPercent: number | null; fixedCents: number | null };
};

/** Renders the fields of the prices that a client sees: none, a mark-up or a fixed price. */
export function ClientPrices({ names, hint, errors, chosen }: ClientPricesProps) {
  const [prices, setPrices] = useState(chosen?.prices ?? '');
  const { markupPercent = null, fixedCents = null } = chosen ?? {};
  return (
    <>
      <SelectField
        name="prices"
        label="Prices"
        options={names}
        value={prices}
        onChange={(event) => setPrices(event.target.value)}
        error={errors.prices}
      />
      {prices === 'markup' ? (
        <TextField
          name="markupPercent"
          type="number"
          label="Mark-up in percent"
          hint={hint}
          defaultValue={markupPercent ?? undefined}
          error={errors.markupPercent}
        />
      ) : null}
      {prices === 'fixed' ? (
        <TextField
          name="fixedPrice"
          label="Price a link in USD"
          type="number"
          step="0.01"
          currency="USD"
          defaultValue={fixedCents === null ? undefined : toDecimalString(fixedCents)}
          error={errors.fixedCents}
        />
      ) : null}
    </>
  );
}

/** Reads the fields of ClientPrices. Numbers that cannot be read are refused by the server with a message. */
export function readClientPrices(data: FormData) {
  const chosen = getFormText(data, 'prices');
  if (chosen === 'markup')
    return { prices: 'markup' as const, markupPercent: Number(getFormText(data, 'markupPercent')) || 0 };
  if (chosen === 'fixed')
    return { prices: 'fixed' as const, fixedCents: parseMoney(getFormText(data, 'fixedPrice')) ?? 0 };
  return chosen === 'none' ? { prices: 'none' as const } : {};
}
