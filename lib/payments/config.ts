import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { paymentConfigs, paymentModes } from '../../db/schema/payment-configs';
import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { recordAudit } from '../audit/record';
import type { AnyActor } from '../auth/actor';
import { queueAdminNotice } from '../mail/security-notices';
import { openSecret, sealSecret } from './secrets';

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
