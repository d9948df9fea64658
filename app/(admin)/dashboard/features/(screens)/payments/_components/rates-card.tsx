'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Card, CardHeader } from '@/components/ui/card';
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
  const router = useRouter();
  const form = useApiForm({
    submit: (data) => {
      // The select has no default, so the value can be empty.
      const chosen = rates.find(({ currency }) => currency === getFormText(data, 'currency'));
      if (!chosen) throw new ApiError(400, 'Choose a currency.', { currency: 'Choose a currency.' });
      return callAction(() => setExchangeRateAction({ currency: chosen.currency, rate: getFormText(data, 'rate') }));
    },
    onSuccess: ({ repriced, isPending }, element) => {
      const priced = repriced === 1 ? '1 site has' : `${repriced} sites have`;
      if (isPending) toast.info('The rate changes by more than 20%. A second person must approve it.');
      else toast.success(repriced > 0 ? `Rate set. ${priced} a new price in USD.` : 'Rate set.');
      element.reset();
      router.refresh();
    },
    fallback: () => 'The rate couldn’t be set. Please try again.',
  });

  return (
    <Card aria-labelledby="rates-heading">
      <CardHeader
        title={<span id="rates-heading">Exchange rates</span>}
        description="Used to convert sites priced in another currency and WeChat Pay payments. Existing orders and payments keep their rate."
      />
      <CardForm form={form} data-unmarked="" submitLabel="Set rate">
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
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            name="currency"
            label="Currency"
            required
            placeholder="Choose"
            options={rates.map(({ currency }) => ({ value: currency, label: currency }))}
            error={form.fields.currency}
          />
          <TextField
            name="rate"
            label="USD per unit"
            required
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.1397"
            error={form.fields.rate}
          />
        </div>
      </CardForm>
    </Card>
  );
}
