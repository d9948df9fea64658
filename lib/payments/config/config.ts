import { eq, sql } from 'drizzle-orm';
import { cache } from 'react';
import { db, type Executor } from '@/db/client';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { openSecret, sealSecret, UnreadableSecret } from '@/lib/platform/secrets';

/** A provider's configuration for one mode, with decrypted secrets. It must never leave the server or be logged. */
export type PaymentConfig = {
  provider: PaymentProviderName;
  mode: ProviderMode;
  /** Plain fields by name, e.g. publishable_key. */
  fields: Readonly<Record<string, string>>;
  /** Secrets by name, e.g. secret_key. */
  secrets: Readonly<Record<string, string>>;
};

type ConfigRow = typeof paymentConfigs.$inferSelect;

/** Reads the configurations of all providers, which are few: once for each page (React `cache`). */
export const readConfigs = cache(
  async (): Promise<ConfigRow[]> =>
    db().select().from(paymentConfigs).orderBy(paymentConfigs.provider, paymentConfigs.mode),
);

/** Reads the active modes of all providers, once for each page. */
export const readModes = cache(async () => db().select().from(paymentModes));

/** Returns the active mode of each configured provider. A provider without one is not offered. */
export async function getActiveModes(): Promise<Map<PaymentProviderName, ProviderMode>> {
  return new Map((await readModes()).map((row) => [row.provider, row.mode]));
}

/** Lists the modes of a provider that have stored values, including values that cannot be decrypted. */
export async function listConfiguredModes(provider: PaymentProviderName): Promise<ProviderMode[]> {
  const rows = await db()
    .select({ mode: paymentConfigs.mode })
    .from(paymentConfigs)
    .where(eq(paymentConfigs.provider, provider))
    .orderBy(paymentConfigs.mode);
  return rows.map(({ mode }) => mode);
}

/** Returns a provider's configuration for a mode, or null. @throws Error when a secret cannot be decrypted */
export async function findPaymentConfig(provider: PaymentProviderName, mode: ProviderMode) {
  const row = await findRow(provider, mode);
  return row ? decryptConfig(row) : null;
}

async function findRow(provider: PaymentProviderName, mode: ProviderMode): Promise<ConfigRow | undefined> {
  return (await readConfigs()).find((row) => row.provider === provider && row.mode === mode);
}

/** Lists a provider's configurations by mode, including those whose secrets cannot be decrypted. */
export async function listConfigs(provider: PaymentProviderName) {
  const rows = (await readConfigs()).filter((row) => row.provider === provider);
  return rows.map((row) => ({ mode: row.mode, config: decryptReadable(row) }));
}

type ConfigChanges = Partial<PaymentConfig> &
  Pick<PaymentConfig, 'provider' | 'mode'> & {
    /** Names of the secrets to delete. */
    removed?: readonly string[];
    /** False stores the values without making the mode active. */
    activate?: boolean;
  };

/**
 * Stores the given fields and secrets of a provider's mode, and makes the mode active unless `activate` is false. Other
 * stored values stay unchanged. Secrets are encrypted; the audit log records the names of the changed fields, never
 * their values.
 * @param beforeSwitch runs first in the same transaction; an error rolls back the change
 */
export async function savePaymentConfig(
  actor: AnyActor,
  { provider, mode, fields = {}, secrets = {}, removed = [], activate = true }: ConfigChanges,
  beforeSwitch?: (tx: Executor) => Promise<unknown>,
): Promise<void> {
  const sealed = Object.fromEntries(
    Object.entries(secrets).map(([field, secret]) => [field, sealSecret({ provider, mode, field }, secret)]),
  );
  const removedNames = sql.join(
    removed.map((name) => sql`${name}`),
    sql`, `,
  );
  await db().transaction(async (tx) => {
    await beforeSwitch?.(tx);
    await tx
      .insert(paymentConfigs)
      .values({ provider, mode, fields, secrets: sealed })
      .onConflictDoUpdate({
        target: [paymentConfigs.provider, paymentConfigs.mode],
        set: {
          fields: sql`${paymentConfigs.fields} || excluded.fields`,
          secrets: sql`(${paymentConfigs.secrets} - array[${removedNames}]::text[]) || excluded.secrets`,
          updatedAt: sql`now()`,
        },
      });
    if (activate) {
      await tx
        .insert(paymentModes)
        .values({ provider, mode })
        .onConflictDoUpdate({ target: paymentModes.provider, set: { mode, updatedAt: sql`now()` } });
    }
    const names = [...Object.keys(fields), ...Object.keys(secrets)];
    const changes = [
      ...(names.length > 0 ? [`changed: ${names.join(', ')}`] : []),
      ...(removed.length > 0 ? [`removed: ${removed.join(', ')}`] : []),
    ].join('; ');
    const head = activate ? `${provider} set to ${mode} mode` : `${provider}, values of ${mode} mode`;
    const details = `${head}${changes === '' ? '' : `; ${changes}`}.`;
    await recordAudit(tx, actor, {
      action: 'payments.configured',
      details,
      entityType: 'payment_config',
      entityId: `${provider}:${mode}`,
    });
    await queueAdminNotice(tx, actor, { subject: 'Payment keys or settings were changed', text: details });
  });
}

function decryptConfig({ provider, mode, fields, secrets }: ConfigRow): PaymentConfig {
  const opened = Object.entries(secrets).map(([field, sealed]) => [
    field,
    openSecret({ provider, mode, field }, sealed),
  ]);
  return { provider, mode, fields, secrets: Object.fromEntries(opened) };
}

function decryptReadable(row: ConfigRow): PaymentConfig | 'unreadable' {
  try {
    return decryptConfig(row);
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return 'unreadable';
    throw thrown;
  }
}

export const unreadableSecretsText =
  'The stored secrets cannot be decrypted because their encryption key is no longer in SECRET_KEYS. Restore the key, or enter the secrets again.';

/**
 * Returns a provider's configuration for a mode, null when there is none, or `unreadable` when its secrets cannot be
 * decrypted.
 */
export async function findReadableConfig(provider: PaymentProviderName, mode: ProviderMode) {
  const row = await findRow(provider, mode);
  return row ? decryptReadable(row) : null;
}

/** Returns the URL of the sandbox that replaces a provider's API in this mode, or undefined for the real API. */
export function getSandboxUrl(provider: PaymentProviderName, mode: ProviderMode): string | undefined {
  if (mode === 'live') return undefined;
  const { STRIPE_BASE_URL: stripe, PAYPAL_BASE_URL: paypal, WECHAT_BASE_URL: wechat } = env();
  return { stripe, paypal, wechat }[provider];
}

/** Who tops up, and the account. */
type TopupUser = Pick<Actor, 'userId' | 'accountId' | 'role' | 'permissions'>;

/**
 * Checks whether a user may top up in this mode. Test cards cost nothing, so in production only staff who manage
 * payment providers may use them, and only in the personal account: all members of a team can spend its credit. Demo and
 * test installations hold no real money.
 */
export function canTopUpIn(mode: ProviderMode, user: TopupUser): boolean {
  if (mode === 'live' || env().APP_ENV !== 'production') return true;
  return user.accountId === user.userId && hasPermission(user, 'ManagePayments');
}

/** Checks `canTopUpIn` for the person of a personal account, with the current permissions; false for a team. */
export async function canOwnerTopUpIn(tx: Executor, mode: ProviderMode, userId: string): Promise<boolean> {
  if (mode === 'live' || env().APP_ENV !== 'production') return true;
  const [owner] = await tx
    .select({ role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(eq(users.id, userId));
  if (!owner) return false;
  const permissions = owner.permissions.filter(isPermission);
  return canTopUpIn(mode, { userId, accountId: userId, role: owner.role, permissions });
}
