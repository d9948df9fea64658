'use server';

import { headers } from 'next/headers';
import { z } from 'zod';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { action } from './action';
import {
  addPasskeyInput,
  beginSecondFactorInput,
  ownPasswordInput,
  passkeyAssertion,
  passkeySignInInput,
  removePasskeyInput,
  secondFactorInput,
} from './contract';
import { requestConfirmation } from './passkey-requests';
import { addPasskey, beginPasskey, removePasskey } from './passkeys';
import { reauthenticateWithPasskey } from './recent-authentication';
import { beginPasskeySignIn, beginPasskeyStep, signInWithPasskey, signInWithPasskeyStep } from './sign-in-with-passkey';

// Passkeys on the sign-in and security pages; they are not part of the public API.

const callerOf = async (call: { ip: string; requestId: string }) => ({
  ...call,
  userAgent: (await headers()).get('user-agent') ?? '',
});

export const beginPasskeySignInAction = action({ access: 'public', input: z.object({}) }, async (_, __, call) =>
  beginPasskeySignIn(await callerOf(call)),
);

export const passkeySignInAction = action({ access: 'public', input: passkeySignInInput }, async (_, input, call) => ({
  home: await signInWithPasskey(input, await callerOf(call)),
}));

export const beginPasskeyStepAction = action(
  { access: 'public', input: beginSecondFactorInput },
  async (_, input, call) => beginPasskeyStep(input, await callerOf(call)),
);

export const passkeyStepAction = action({ access: 'public', input: secondFactorInput }, async (_, input, call) => ({
  home: await signInWithPasskeyStep(input, await callerOf(call)),
}));

export const beginPasskeyAction = action(
  { access: 'session', beforeTwoStep: true, input: ownPasswordInput },
  (actor, { password }) => beginPasskey(actor, password),
);

/** Returns the recovery codes once, when it is the account's first second factor. */
export const addPasskeyAction = action(
  { access: 'session', beforeTwoStep: true, input: addPasskeyInput },
  async (actor, input) => {
    const added = await addPasskey(actor, input);
    deliverAfterResponse();
    return added;
  },
);

export const removePasskeyAction = action(
  { access: 'session', input: removePasskeyInput },
  async (actor, { passkeyId, password }) => {
    await removePasskey(actor, passkeyId, password);
    deliverAfterResponse();
  },
);

export const beginPasskeyConfirmationAction = action(
  { access: 'session', beforeTwoStep: true, input: z.object({}) },
  requestConfirmation,
);

/** Reauthenticates with a passkey instead of the password (POST /api/auth/reauthenticate). */
export const confirmWithPasskeyAction = action(
  { access: 'session', beforeTwoStep: true, input: z.object({ response: passkeyAssertion }) },
  (actor, { response }) => reauthenticateWithPasskey(actor, response),
);
