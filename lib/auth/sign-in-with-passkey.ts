import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { AppError } from '@/lib/errors';
import { consumeLimit, refundAttempt, resetLimit } from '@/lib/platform/rate-limits/consume';
import type { AgreedVersions } from '@/lib/settings/legal/legal';
import type { PasskeyAssertion } from './contract';
import { type PasskeyRequest, requestPasskey, verifyPasskey } from './passkey-requests';
import { findHome } from './portal-home';
import type { Portal } from './portals';
import {
  checkPassword,
  openSession,
  requireAgreement,
  requirePortalAccess,
  type SignInCaller,
  signInColumns,
} from './sign-in';
import { recordStepFailure } from './sign-in-failures';

/**
 * Starts a sign-in with a passkey alone; the user's device offers its passkeys for this site.
 * @throws AppError rate_limited after too many attempts from the address
 */
export async function beginPasskeySignIn(caller: SignInCaller): Promise<PasskeyRequest> {
  await consumeLimit('passkey', { account: '', address: caller.ip });
  return requestPasskey({ purpose: 'sign-in', userId: null });
}

/**
 * Signs a user in with a passkey alone. With user verification it replaces both factors.
 * @returns the path of the page to open
 * @throws AppError unauthenticated when it is not accepted, forbidden for an account that may not sign in or a role
 * without access to the portal, rate_limited after too many attempts from the address
 */
export async function signInWithPasskey(
  { portal, remember, agreedTo, response }: Choices & { portal: Portal },
  caller: SignInCaller,
): Promise<string> {
  const unknown = { email: '', ip: caller.ip, requestId: caller.requestId };
  const passkey = await recordStepFailure('passkey', unknown, async () => {
    await consumeLimit('passkey', { account: '', address: caller.ip });
    return verifyPasskey(caller, { purpose: 'sign-in', userId: null }, response);
  });
  const [user] = await db()
    .select(signInColumns)
    .from(users)
    .where(and(eq(users.id, passkey.userId), isNull(users.deletedAt)));
  if (!user) throw new AppError('unauthenticated', 'This passkey does not belong to any account.');
  const attempt = { userId: user.id, ip: caller.ip, requestId: caller.requestId };
  const actor = await recordStepFailure('passkey', attempt, async () => requirePortalAccess(portal, user, caller));
  await requireAgreement(actor, agreedTo);
  await openSession(actor, user, { ...caller, portal, remember, passkey, agreedTo });
  return findHome(portal, actor);
}

type Choices = { remember: boolean; agreedTo?: AgreedVersions | undefined; response: PasskeyAssertion };

type Credentials = { portal: Portal; email: string; password: string };

/**
 * Requests a passkey as the second factor, after the correct password.
 * @throws AppError as `signIn`, and conflict when the account has no passkey
 */
export async function beginPasskeyStep(input: Credentials, caller: SignInCaller): Promise<PasskeyRequest> {
  const { actor, limited } = await checkPassword(input.portal, input, caller);
  await refundAttempt('signIn', limited);
  return requestPasskey({ purpose: 'second-factor', userId: actor.userId });
}

/**
 * Signs a user in with the password and a passkey.
 * @returns the path of the page to open
 * @throws AppError as `signIn`, and unauthenticated when the passkey is not accepted
 */
export async function signInWithPasskeyStep(input: Credentials & Choices, caller: SignInCaller): Promise<string> {
  const { portal, remember, agreedTo, response } = input;
  const { user, actor, limited } = await checkPassword(portal, input, caller);
  const passkey = await recordStepFailure('code', actor, () =>
    verifyPasskey(caller, { purpose: 'second-factor', userId: actor.userId }, response),
  );
  await resetLimit('signIn', limited);
  await requireAgreement(actor, agreedTo);
  await openSession(actor, user, { ...caller, portal, remember, passkey, agreedTo });
  return findHome(portal, actor);
}
