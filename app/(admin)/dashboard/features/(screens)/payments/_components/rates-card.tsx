'use client';

import { toast } from 'sonner';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { TimeAgo } from '@/components/ui/time-ago';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { setExchangeRateAction } from '@/lib/payments/actions';
import type { SetRateInput } from '@/lib/settings/exchange-rates';

type RatesCardProps = {
  /** All convertible currencies. `rate` is USD per unit; null if not set. */
  rates: { currency: SetRateInput['currency']; rate: string | null; since: Date | null }[];
};

/** Edits the exchange rates to USD, which convert site prices and WeChat Pay amounts. */
export function RatesCard({ rates }: RatesCardProps) {
  return (
    <SettingsCard
      title="Exchange rates"
      description="Used to convert sites priced in another currency and WeChat Pay payments. Existing orders and payments keep their rate."
      isUnmarked
      submitLabel="Set rate"
      submit={(data) => {
        // The select has no default, so the value can be empty.
        const chosen = rates.find(({ currency }) => currency === getFormText(data, 'currency'));
        if (!chosen) throw new ApiError(400, 'Choose a currency.', { currency: 'Choose a currency.' });
        return callAction(() => setExchangeRateAction({ currency: chosen.currency, rate: getFormText(data, 'rate') }));
      }}
      onSuccess={({ repriced, isPending }, element) => {
        const priced = repriced === 1 ? '1 site has' : `${repriced} sites have`;
        if (isPending) toast.info('The rate changes by more than 20%. A second person must approve it.');
        else toast.success(repriced > 0 ? `Rate set. ${priced} a new price in USD.` : 'Rate set.');
        element.reset();
      }}
      failure="The rate couldn’t be set. Please try again."
      fields={[
        {
          columns: 'grid-cols-2',
          fields: [
            {
              name: 'currency',
              label: 'Currency',
              required: true,
              placeholder: 'Choose',
              options: rates.map(({ currency }) => currency),
            },
            {
              name: 'rate',
              label: 'USD per unit',
              required: true,
              type: 'number',
              min: 0,
              step: 'any',
              placeholder: '0.1397',
            },
          ],
        },
      ]}
    >
      {() => (
        <ul className="grid gap-2 text-sm" aria-label="Current rates">
          {rates.map(({ currency, rate, since }) => (
            <li key={currency} className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="text-ink">{rate ? `1 ${currency} = ${rate} USD` : `1 ${currency}`}</span>
              {since ? (
                <TimeAgo at={since} className="text-muted text-xs" />
              ) : (
                <span className="text-muted text-xs">No rate yet</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </SettingsCard>
  );
}
