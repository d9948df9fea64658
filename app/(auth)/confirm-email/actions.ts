'use server';

import { z } from 'zod';
import { systemActor } from '@/lib/auth/actor';
import { confirmEmailChange } from '@/lib/auth/confirm-email-change';
import { currentActor } from '@/lib/auth/current-actor';
import { action } from '@/lib/http/action';
import { consumeLimit } from '@/lib/limits/consume';

const input = z.object({ token: z.string({ error: 'Missing token.' }).min(1, 'Missing token.').max(200) });

/** The link is the proof: whoever opened the mail may be signed in elsewhere or nowhere. */
export const confirmEmailAction = action({ access: 'public', input }, async (_, { token }, { ip, requestId }) => {
  await consumeLimit('reset', { account: '', address: ip });
  const caller = systemActor('A mailed link', 'web', { ip, requestId });
  return { email: await confirmEmailChange(caller, token, (await currentActor())?.sessionId) };
});
