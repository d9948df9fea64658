'use server';

import { z } from 'zod';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { setExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { takeEcbRates } from '@/lib/approvals/take-ecb-rates';
import { action } from '@/lib/auth/action';
import { ecbSwitchInput, saveEcbSwitch } from '@/lib/settings/ecb-rates';
import { setRateInput } from '@/lib/settings/exchange-rates';
import { testConnection } from './providers/test-connection';
import { cancelTopup, settleReturn } from './top-ups/checkout';
import { topupIdField, topupReturnInput } from './top-ups/contract';

/** Settles a top-up after the buyer returns from the provider. */
export const settleReturnAction = action({ access: 'account:wallet', input: topupReturnInput }, settleReturn);

/** Cancels a top-up after the buyer returns without paying. */
export const cancelTopupAction = action(
  { access: 'account:wallet', input: z.object({ topupId: topupIdField }) },
  (actor, input) => cancelTopup(actor, input.topupId),
);

const input = z.object({ provider: z.enum(paymentProviders), mode: z.enum(providerModes) });

/** Tests whether a provider accepts the saved credentials of a mode. Changes nothing. */
export const testConnectionAction = action({ access: 'ManagePayments', input }, (_actor, { provider, mode }) =>
  testConnection(provider, mode),
);

/** Turns the daily rates of the European Central Bank on or off. They are read at once. */
export const saveEcbSwitchAction = action({ access: 'ManagePayments', input: ecbSwitchInput }, async (actor, input) => {
  await saveEcbSwitch(actor, input);
  return takeEcbRates();
});

/** Sets the exchange rate of a currency and recalculates the prices of its sites. */
export const setExchangeRateAction = action({ access: 'ManagePayments', input: setRateInput }, setExchangeRate);
