'use server';

import { headers } from 'next/headers';
import { z } from 'zod';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { action } from '@/lib/auth/action';
import { resetBody } from '@/lib/auth/contract';
import { currentActor } from '@/lib/auth/current-actor';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { agreedVersions } from '@/lib/settings/legal/schemas';
import { cancelEmailChange, confirmEmailChange } from './confirm-email-change';
import { profileInput } from './contract';
import { setUp, setUpInput } from './first-admin';
import { acceptInvitation, resendInvitation, revokeInvitation } from './invitations';
import { requestTwoStepReset, requestTwoStepResetInput } from './reset-two-step';
import { saveProfile } from './save-profile';
import {
  deleteFilter,
  deleteFilterInput,
  renameFilter,
  renameViewInput,
  saveFilter,
  saveViewInput,
} from './saved-filters';

const confirmEmailInput = z.object({ token: z.string({ error: 'Missing token.' }).min(1, 'Missing token.').max(200) });

/** Public because the token is the proof. The user may be signed in with another account, or not at all. */
export const confirmEmailAction = action(
  { access: 'public', input: confirmEmailInput },
  async (_, { token }, { ip, requestId }) => {
    await consumeLimit('reset', { account: '', address: ip });
    const caller = systemActor(systemActors.emailLink, 'web', { ip, requestId });
    return { email: await confirmEmailChange(caller, token, (await currentActor())?.sessionId) };
  },
);

const acceptInvitationInput = resetBody.extend({ agreedTo: agreedVersions.default({}) });

/** Public because the token is the proof. Replaces the session of this browser, because the user enters a password. */
export const acceptInvitationAction = action(
  { access: 'public', input: acceptInvitationInput },
  async (_, input, { ip, requestId }) => {
    await consumeLimit('reset', { account: '', address: ip });
    const userAgent = (await headers()).get('user-agent') ?? '';
    const caller = systemActor(systemActors.invitation, 'web', { ip, requestId });
    return { home: await acceptInvitation(caller, input, { ip, userAgent }) };
  },
);

const invitedUser = z.object({ userId: z.string().min(1).max(64) });

export const resendInvitationAction = action(
  { access: 'ManageUsers', recentAuthentication: true, input: invitedUser },
  async (actor, { userId }) => {
    await resendInvitation(actor, userId);
    deliverAfterResponse();
  },
);

export const revokeInvitationAction = action({ access: 'ManageUsers', input: invitedUser }, (actor, { userId }) =>
  revokeInvitation(actor, userId),
);

export const saveProfileAction = action({ access: 'AdminDashboard', input: profileInput }, async (actor, input) => {
  const saved = await saveProfile(actor, input);
  deliverAfterResponse();
  return saved;
});

export const cancelEmailChangeAction = action({ access: 'AdminDashboard', input: z.object({}) }, cancelEmailChange);

/** Creates the first admin and signs in. Public because the code of the server's log is the proof. */
export const setUpAction = action({ access: 'public', input: setUpInput }, async (_, input, call) => {
  await setUp({ ...call, userAgent: (await headers()).get('user-agent') ?? '' }, input);
});

/** Requests the reset of a user's second factors. `requestTwoStepReset` allows Admins only. */
export const requestTwoStepResetAction = action(
  { access: 'ManageUsers', recentAuthentication: true, input: requestTwoStepResetInput },
  async (actor, { userId }) => {
    await requestTwoStepReset(actor, userId);
  },
);

export const saveViewAction = action({ access: 'AdminDashboard', input: saveViewInput }, saveFilter);

export const renameViewAction = action({ access: 'AdminDashboard', input: renameViewInput }, renameFilter);

export const deleteViewAction = action({ access: 'AdminDashboard', input: deleteFilterInput }, (actor, { id }) =>
  deleteFilter(actor, id),
);
