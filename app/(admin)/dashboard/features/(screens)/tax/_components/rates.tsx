'use client';

import { Card, CardHeader } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { parseMoney, toDecimalString } from '@/lib/money';
import { formatTaxRate } from '@/lib/tax/amounts';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { nameCountry } from '@/lib/taxonomy/name-country';
import { CountryEntries } from './entry-list';
import { type CountryOption, savePart } from './save-part';

type OwnRatesProps = { operator: OperatorView; countries: readonly CountryOption[] };

/** Edits the rates that replace the built-in ones from their first day on. */
export function OwnRates({ operator, countries }: OwnRatesProps) {
  return (
    <CountryEntries
      title="Your rates"
      description="They replace the built-in rate of the country from their first day on."
      noun="rate"
      icon={<Icon name="percent" />}
      purpose="The standard rates of the European Union are built in. Add a rate for another country, or when one changes."
      field="rates"
      entries={operator.rates}
      max={200}
      show={({ country, from, rate }) => ({
        name: `${nameCountry(country)}, from ${from}`,
        detail: formatTaxRate(rate),
      })}
      consequence="The rate before it, or the built-in one, applies to new orders. Orders keep their tax."
      save={(rates) => savePart({ rates }, operator.version)}
      read={(text) => ({
        country: text('country'),
        from: text('from'),
        rate: parseMoney(text('rate')) ?? Number.NaN,
      })}
      countries={countries}
      fields={(entry, path) => [
        {
          name: `${path}.rate`,
          label: 'Rate',
          required: true,
          type: 'number',
          min: 0,
          max: 100,
          step: '0.01',
          trailing: '%',
          defaultValue: entry ? toDecimalString(entry.rate) : undefined,
        },
        { name: `${path}.from`, label: 'First day', required: true, type: 'date', defaultValue: entry?.from },
      ]}
    />
  );
}

/** Lists the rates of today with their source. */
export function RatesInForce({ rates }: { rates: OperatorView['ratesInForce'] }) {
  const byName = rates
    .map((rate) => ({ ...rate, name: nameCountry(rate.country) }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  return (
    <Card aria-label="Rates in force">
      <CardHeader
        title="Rates in force"
        description="Built-in rates are the standard rates that the European Commission publishes. Check yours with your accountant."
      />
      <ul className="grid gap-x-8 px-4 py-2 text-sm sm:grid-cols-2 sm:px-5">
        {byName.map(({ country, name, from, rate, isOwn }) => (
          <li key={country} className="flex items-baseline justify-between gap-3 py-1.5">
            <span className="min-w-0">
              <span className="text-ink">{name}</span>{' '}
              <span className="text-muted text-xs">
                {isOwn ? 'yours' : 'built in'}, since {from}
              </span>
            </span>
            <span className="text-ink tabular-nums">{formatTaxRate(rate)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
