import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { paymentConfigs, paymentModes } from '@/db/schema/payment-configs';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor, AnyActor } from '../../access/actor';
import { grantedPermissions, hasPermission } from '../../access/authorize';
import { isPermission } from '../../access/permissions';
import { env } from '../../env';
import { queueAdminNotice } from '../../mail/security-notices';
import { recordAudit } from '../../platform/audit/record';
import { openSecret, sealSecret, UnreadableSecret } from '../../platform/secrets';

/** What a provider needs to work in one mode, with its secrets in the clear: never leaves the server, never logged. */
export type PaymentConfig = {
  provider: PaymentProviderName;
  mode: ProviderMode;
  /** Plain fields by name, e.g. publishable_key. */
  fields: Readonly<Record<string, string>>;
  /** Secrets by name, e.g. secret_key. */
  secrets: Readonly<Record<string, string>>;
};

/** The mode in force for each provider that has one; a provider without is not offered. */
export async function activeModes(): Promise<Map<PaymentProviderName, ProviderMode>> {
  const rows = await db().select().from(paymentModes);
  return new Map(rows.map((row) => [row.provider, row.mode]));
}

/** The modes of a provider for which anything was entered, whether or not it can be read. */
export async function enteredModesOf(provider: PaymentProviderName): Promise<ProviderMode[]> {
  const rows = await db()
    .select({ mode: paymentConfigs.mode })
    .from(paymentConfigs)
    .where(eq(paymentConfigs.provider, provider))
    .orderBy(paymentConfigs.mode);
  return rows.map(({ mode }) => mode);
}

/** What was entered for a provider and mode, or null. @throws Error when a secret cannot be decrypted */
export async function paymentConfigOf(
  provider: PaymentProviderName,
  mode: ProviderMode,
): Promise<PaymentConfig | null> {
  const [row] = await db()
    .select()
    .from(paymentConfigs)
    .where(and(eq(paymentConfigs.provider, provider), eq(paymentConfigs.mode, mode)));
  return row ? decrypted(row) : null;
}

type ConfigChanges = Partial<PaymentConfig> &
  Pick<PaymentConfig, 'provider' | 'mode'> & {
    /** Names of secrets to forget. */
    removed?: readonly string[];
    /** False stores values of a mode that is not, or not yet, in force. */
    isInForce?: boolean;
  };

/**
 * Stores the given fields and secrets of a provider's mode, and puts that mode in force unless told otherwise; what is
 * not given stays. Secrets are encrypted; the audit log names what was changed, never to what.
 * @param beforeSwitch runs first in the same transaction; what it throws changes nothing
 */
export async function savePaymentConfig(
  actor: AnyActor,
  { provider, mode, fields = {}, secrets = {}, removed = [], isInForce = true }: ConfigChanges,
  beforeSwitch?: (tx: Executor) => Promise<unknown>,
): Promise<void> {
  const sealed = Object.fromEntries(
    Object.entries(secrets).map(([field, secret]) => [field, sealSecret({ provider, mode, field }, secret)]),
  );
  const forgotten = sql.join(
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
          secrets: sql`(${paymentConfigs.secrets} - array[${forgotten}]::text[]) || excluded.secrets`,
          updatedAt: sql`now()`,
        },
      });
    if (isInForce) {
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
    const head = isInForce ? `${provider} set to ${mode} mode` : `${provider}, values of ${mode} mode`;
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

function decrypted({ provider, mode, fields, secrets }: typeof paymentConfigs.$inferSelect): PaymentConfig {
  const opened = Object.entries(secrets).map(([field, sealed]) => [
    field,
    openSecret({ provider, mode, field }, sealed),
  ]);
  return { provider, mode, fields, secrets: Object.fromEntries(opened) };
}

/** For the admin, who can mend it. */
export const unreadableText =
  'The stored secrets cannot be decrypted: SECRET_KEYS has lost the key they were stored with. Put it back, or enter them again.';

/** What was entered for a provider and mode, null for nothing, or that its secrets do not open any more. */
export async function readableConfig(
  provider: PaymentProviderName,
  mode: ProviderMode,
): Promise<PaymentConfig | 'unreadable' | null> {
  try {
    return await paymentConfigOf(provider, mode);
  } catch (thrown) {
    if (thrown instanceof UnreadableSecret) return 'unreadable';
    throw thrown;
  }
}

/** The sandbox gateway's address, where it answers in a provider's place in this mode; undefined for the real one. */
export function sandboxOf(provider: PaymentProviderName, mode: ProviderMode): string | undefined {
  if (mode === 'live') return undefined;
  const { STRIPE_BASE_URL: stripe, PAYPAL_BASE_URL: paypal, WECHAT_BASE_URL: wechat } = env();
  return { stripe, paypal, wechat }[provider];
}

/**
 * Whether a person may top up in this mode. Test cards cost nothing, so in production only staff who set up payment
 * providers may use them; demo and test installations hold no real money.
 */
export function mayTopUpIn(mode: ProviderMode, person: Pick<Actor, 'role' | 'permissions'>): boolean {
  return mode === 'live' || env().APP_ENV !== 'production' || hasPermission(person, 'ManagePayments');
}

/** `mayTopUpIn` for the owner of a top-up, with the permissions of this moment. False for an unknown user. */
export async function mayOwnerTopUpIn(tx: Executor, mode: ProviderMode, userId: string): Promise<boolean> {
  if (mode === 'live' || env().APP_ENV !== 'production') return true;
  const [owner] = await tx
    .select({ role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(eq(users.id, userId));
  return owner ? mayTopUpIn(mode, { role: owner.role, permissions: owner.permissions.filter(isPermission) }) : false;
}
