'use server';

import { z } from 'zod';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { action } from '@/lib/auth/action';
import { testConnection } from '@/lib/payments/config/test-connection';
import { setRateInput } from '@/lib/settings/rates/schemas';
import { setExchangeRate } from '@/lib/settings/rates/set-exchange-rate';

const input = z.object({ provider: z.enum(paymentProviders), mode: z.enum(providerModes) });

/** Asks a provider whether it accepts what is saved for a mode; changes nothing. */
export const testConnectionAction = action({ access: 'ManagePayments', input }, (_actor, { provider, mode }) =>
  testConnection(provider, mode),
);

/** Sets what a currency is worth from now on, and prices its sites anew. */
export const setExchangeRateAction = action({ access: 'ManagePayments', input: setRateInput }, setExchangeRate);
