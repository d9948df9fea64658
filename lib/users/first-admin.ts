import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { type SystemActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { emailField, newPasswordField } from '@/lib/auth/contract';
import { guessablePassword, hashPassword, isGuessable } from '@/lib/auth/password';
import { portals } from '@/lib/auth/portals';
import { isAdminAccount, isSetupCode, needsSetup } from '@/lib/auth/setup-code';
import { type SignInCaller, signIn } from '@/lib/auth/sign-in';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { nameField } from '@/lib/platform/http/fields';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { getBranding } from '@/lib/settings/branding/get-branding';

/**
 * Creates the first admin of a new installation; does nothing when an admin exists.
 * @throws Error as `createAdmin`
 */
export async function ensureFirstAdmin(email: string, password: string): Promise<'created' | 'exists'> {
  return fromEnvironment(await insertAdmin(startUp, { email, name: 'Admin', password }, isAdminAccount));
}

/**
 * Creates an admin for the operator, independent of all others: no user controls the account. Does nothing when an admin
 * has the address.
 * @throws Error when the email belongs to another account, or the password is easy to guess. The operator must resolve
 * both.
 */
export async function createAdmin(email: string, password: string): Promise<'created' | 'exists'> {
  return fromEnvironment(
    await insertAdmin(startUp, { email, name: 'Admin', password }, and(isAdminAccount, hasEmail(email))),
  );
}

const startUp = systemActor(systemActors.startUp, 'script');

function fromEnvironment(outcome: Outcome): 'created' | 'exists' {
  if (outcome === 'guessable')
    throw new Error('ADMIN_PASSWORD is easy to guess; use a longer one, or several unrelated words.');
  if (outcome === 'taken')
    throw new Error('ADMIN_EMAIL belongs to an account that is not an admin; choose another one.');
  return outcome;
}

export const setUpInput = z.object({
  code: z.string().trim().min(1, 'Enter the setup code.').max(60, 'This is not a setup code.'),
  name: nameField('Enter your name.', 120, 'Name must be at most 120 characters.'),
  email: emailField,
  password: newPasswordField,
});

/**
 * Creates the first admin with the code of the server's log, and signs the admin in. Of concurrent calls one succeeds.
 * @throws AppError not_found once there is an admin, rate_limited after too many wrong codes, invalid_input with
 * `fields.code`, `fields.email` or `fields.password`
 */
export async function setUp(
  { ip, requestId, userAgent }: SignInCaller,
  { code, ...admin }: z.output<typeof setUpInput>,
): Promise<void> {
  if (!(await needsSetup())) throw createDoneError();
  if (!(await isSetupCode(code))) {
    // Wrong codes only: those of others behind the same proxy must not lock the operator out.
    await consumeLimit('setUp', { account: '', address: ip });
    throw createFieldError('code', 'This code is not correct. Copy it from the newest lines of the server’s log.');
  }
  const { siteName } = await getBranding();
  const caller = systemActor(systemActors.setup, 'web', { ip, requestId });
  const outcome = await insertAdmin(caller, admin, isAdminAccount, [siteName]);
  if (outcome === 'exists') throw createDoneError();
  if (outcome === 'guessable') throw createFieldError('password', guessablePassword);
  if (outcome === 'taken')
    throw createFieldError('email', 'This address has an account that is not an admin. Choose another one.');
  const { email, password } = admin;
  await signIn('admin', { email, password, code: '', remember: false }, { ip, requestId, userAgent });
}

const createDoneError = () =>
  new AppError('not_found', 'This installation has an admin already. Sign in with that account.', {
    url: portals.admin.signIn,
  });

const createFieldError = (field: string, message: string) =>
  new AppError('invalid_input', message, { fields: { [field]: message } });

const hasEmail = (email: string) => eq(sql`lower(${users.email})`, email.toLowerCase());

type Outcome = 'created' | 'exists' | 'guessable' | 'taken';

/**
 * @param existing the condition for an admin with whom nothing is done
 * @param knownTexts texts that the password may not consist of, besides the name and the email
 */
async function insertAdmin(
  actor: SystemActor,
  { email, name, password }: { email: string; name: string; password: string },
  existing: SQL | undefined,
  knownTexts: readonly string[] = [],
): Promise<Outcome> {
  const passwordHash = await hashPassword(password);
  return db().transaction(async (tx) => {
    // Several instances may start, and several people may send the form, at the same time.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('first-admin')})`);
    const [admin] = await tx.select({ id: users.id }).from(users).where(existing).limit(1);
    if (admin) return 'exists';
    if (isGuessable(password, [name, email, ...knownTexts])) return 'guessable';
    const [taken] = await tx.select({ id: users.id }).from(users).where(hasEmail(email));
    if (taken) return 'taken';
    const id = newId();
    await tx
      .insert(users)
      .values({ id, email, name, passwordHash, status: 'Active', role: 'Admin', emailVerifiedAt: new Date() });
    await recordAudit(tx, actor, {
      action: 'user.created',
      details: `The admin ${email} was created ${actor.source === 'web' ? 'on the setup page' : 'from ADMIN_EMAIL'}.`,
      entityType: 'user',
      entityId: id,
    });
    return 'created';
  });
}
