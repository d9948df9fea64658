'use server';

import { z } from 'zod';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { action } from '@/lib/auth/action';
import { testConnection } from '@/lib/payments/test-connection';
import { setRateInput } from '@/lib/settings/rates/schemas';
import { setExchangeRate } from '@/lib/settings/rates/set-exchange-rate';

const input = z.object({ provider: z.enum(paymentProviders), mode: z.enum(providerModes) });

/** Tests whether a provider accepts the saved credentials of a mode. Changes nothing. */
export const testConnectionAction = action({ access: 'ManagePayments', input }, (_actor, { provider, mode }) =>
  testConnection(provider, mode),
);

/** Sets the exchange rate of a currency and recalculates the prices of its sites. */
export const setExchangeRateAction = action({ access: 'ManagePayments', input: setRateInput }, setExchangeRate);
