'use server';

import { z } from 'zod';
import { systemActor } from '@/lib/access/actor';
import { action } from '@/lib/auth/action';
import { currentActor } from '@/lib/auth/current-actor';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { confirmEmailChange } from './confirm-email-change';

const confirmEmailInput = z.object({ token: z.string({ error: 'Missing token.' }).min(1, 'Missing token.').max(200) });

/** Public because the token is the proof. The user may be signed in with another account, or not at all. */
export const confirmEmailAction = action(
  { access: 'public', input: confirmEmailInput },
  async (_, { token }, { ip, requestId }) => {
    await consumeLimit('reset', { account: '', address: ip });
    const caller = systemActor('Email link', 'web', { ip, requestId });
    return { email: await confirmEmailChange(caller, token, (await currentActor())?.sessionId) };
  },
);
