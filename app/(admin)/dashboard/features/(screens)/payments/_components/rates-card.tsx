'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { Alert } from '@/components/ui/alert';
import { FieldError } from '@/components/ui/field';
import { Switch } from '@/components/ui/switch';
import { TimeAgo } from '@/components/ui/time-ago';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { saveEcbSwitchAction, setExchangeRateAction } from '@/lib/payments/actions';
import type { SetRateInput } from '@/lib/settings/exchange-rates';
import type { ServiceAnswer } from '@/lib/settings/service-answers';

type RatesCardProps = {
  /**
   * All convertible currencies. `rate` is USD per unit; null if not set. `held` says that a rate of the European Central
   * Bank was not taken.
   */
  rates: Rate[];
  ecb: EcbState;
};

type Rate = {
  currency: SetRateInput['currency'];
  rate: string | null;
  since: Date | null;
  source: string;
  isStale: boolean;
  held: string | null;
};

type EcbState = { isOn: boolean; version: number; day: string | null; answer: ServiceAnswer | null };

/** Edits the exchange rates to USD, which convert site prices and WeChat Pay amounts. */
export function RatesCard({ rates, ecb }: RatesCardProps) {
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
      clears
      onSuccess={({ repriced, isPending }) => {
        const priced = repriced === 1 ? '1 site has' : `${repriced} sites have`;
        if (isPending) toast.info('The rate changes by more than 20%. A second person must approve it.');
        else toast.success(repriced > 0 ? `Rate set. ${priced} a new price in USD.` : 'Rate set.');
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
        <>
          <EcbSwitch {...ecb} />
          <ul className="grid gap-2 text-sm" aria-label="Current rates">
            {rates.map((rate) => (
              <RateLine key={rate.currency} {...rate} />
            ))}
          </ul>
        </>
      )}
    </SettingsCard>
  );
}

function RateLine({ currency, rate, since, source, isStale, held }: Rate) {
  return (
    <li>
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-ink">{rate ? `1 ${currency} = ${rate} USD` : `1 ${currency}`}</span>
        {since ? (
          <span className={isStale ? 'text-red-ink text-xs' : 'text-muted text-xs'}>
            {source} · <TimeAgo at={since} />
            {isStale ? ' (stale)' : null}
          </span>
        ) : (
          <span className="text-muted text-xs">No rate yet</span>
        )}
      </span>
      {held ? (
        <Alert tone="warning" className="mt-2">
          {held}
        </Alert>
      ) : null}
    </li>
  );
}

/** Turns the daily rates of the European Central Bank on and off. */
function EcbSwitch({ isOn, version, day, answer }: EcbState) {
  const router = useRouter();
  const { pending, error, run } = useOperation({ fallback: (status) => `Save failed (HTTP ${status})` });
  const turn = async (next: boolean) => {
    const { taken, failed } = await callAction(() => saveEcbSwitchAction({ isOn: next, version })).finally(() =>
      router.refresh(),
    );
    if (failed) return;
    toast.success(
      next ? `Daily rates are on. ${taken} ${taken === 1 ? 'rate' : 'rates'} taken.` : 'Daily rates are off.',
    );
  };
  return (
    <div className="grid gap-1 text-sm">
      <Switch
        label="Daily rates of the European Central Bank"
        checked={isOn}
        disabled={pending}
        onCheckedChange={(next) => void run(() => turn(next))}
      />
      {isOn ? (
        <p className="text-muted text-xs">
          {day ? `Newest file: ${day}. ` : null}A rate that you set here stays until the next file.
        </p>
      ) : null}
      {isOn && answer && !answer.ok ? (
        <p className="wrap-anywhere text-red-ink text-xs">
          {answer.message} <TimeAgo at={answer.at} />
        </p>
      ) : null}
      {error ? <FieldError>{error}</FieldError> : null}
    </div>
  );
}
