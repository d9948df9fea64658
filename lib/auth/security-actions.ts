'use server';

import { renderSVG } from 'uqr';
import { z } from 'zod';
import { setMailPreference, setMailPreferenceInput, setWeeklyMail, setWeeklyMailInput } from '@/lib/mail/preferences';
import { action } from './action';
import { changePassword } from './change-password';
import { changePasswordInput, ownPasswordInput, sessionInput, totpCodeInput, userSessionsInput } from './contract';
import { renewRecoveryCodes } from './recovery-codes';
import { endOtherSessions, endOwnSession, endUserSessions } from './revoke-access';
import { beginTotp, confirmTotp, disableTotp } from './totp';

// The writes of the security page, which the three portals share; they are not part of the public API.

export const endSessionAction = action(
  { access: 'session', beforeTwoStep: true, input: sessionInput },
  (actor, { sessionId }) => endOwnSession(actor, sessionId),
);

export const endOtherSessionsAction = action(
  { access: 'session', beforeTwoStep: true, input: z.object({}) },
  endOtherSessions,
);

export const endUserSessionsAction = action({ access: 'ManageUsers', input: userSessionsInput }, (actor, { email }) =>
  endUserSessions(actor, email),
);

export const changePasswordAction = action(
  { access: 'session', beforeTwoStep: true, input: changePasswordInput },
  (actor, { current, password }) => changePassword(actor, current, password),
);

export const beginTwoStepAction = action(
  { access: 'session', beforeTwoStep: true, input: ownPasswordInput },
  async (actor, { password }) => {
    const { secret, uri } = await beginTotp(actor, password);
    const svg = renderSVG(uri, { border: 2, ecc: 'M' });
    return { secret, qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
  },
);

export const confirmTwoStepAction = action(
  { access: 'session', beforeTwoStep: true, input: totpCodeInput },
  (actor, { code }) => confirmTotp(actor, code),
);

/** Returns the new codes once. */
export const renewRecoveryCodesAction = action(
  { access: 'session', beforeTwoStep: true, input: ownPasswordInput },
  (actor, { password }) => renewRecoveryCodes(actor, password),
);

export const turnOffTwoStepAction = action({ access: 'session', input: ownPasswordInput }, (actor, { password }) =>
  disableTotp(actor, password),
);

/** Part of the security page of every portal; not part of the public API. */
export const setMailPreferenceAction = action({ access: 'session', input: setMailPreferenceInput }, setMailPreference);

export const setWeeklyMailAction = action({ access: 'session', input: setWeeklyMailInput }, setWeeklyMail);
