'use server';

import { z } from 'zod';
import { paymentProviders, providerModes } from '@/db/schema/topups';
import { action } from '@/lib/http/action';
import { testConnection } from '@/lib/payments/test-connection';

const input = z.object({ provider: z.enum(paymentProviders), mode: z.enum(providerModes) });

/** Asks a provider whether it accepts what is saved for a mode; changes nothing. */
export const testConnectionAction = action({ access: 'ManagePayments', input }, (_actor, { provider, mode }) =>
  testConnection(provider, mode),
);
