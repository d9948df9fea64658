'use server';

import { z } from 'zod';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { action } from '@/lib/http/action';
import { testConnection } from '@/lib/payments/test-connection';
import { setRateInput } from '@/lib/settings/exchange-rate-schemas';
import { setExchangeRate } from '@/lib/settings/set-exchange-rate';

const input = z.object({ provider: z.enum(paymentProviders), mode: z.enum(providerModes) });

/** Asks a provider whether it accepts what is saved for a mode; changes nothing. */
export const testConnectionAction = action({ access: 'ManagePayments', input }, (_actor, { provider, mode }) =>
  testConnection(provider, mode),
);

/** Sets what a currency is worth from now on, and prices its sites anew. */
export const setExchangeRateAction = action({ access: 'ManagePayments', input: setRateInput }, setExchangeRate);
