import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { sourceRefunds } from '@/db/schema/source-refunds';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { reverseTestCredits } from '@/lib/payments/reversals/reverse-test-credits';
import { readSmallFile } from '@/lib/platform/http/receive-file';
import { getProviderSettings, type ProviderSettings, resolveMode } from './admin-config';
import { savePaymentConfig } from './config';
import { parseConfigChanges, parseMode } from './contract';
import { configWarnings, privateKeyField, providerForms, secretMask } from './fields';

/**
 * Saves changes of a provider's form. Each mode has its own values. A value equal to the mask keeps the stored secret,
 * an empty secret is deleted, and `mode` in the body makes that mode active.
 * @param requestedMode the mode to change when the body has no `mode`; by default the active mode
 * @param reverseTestCreditsCents the sum of test credits, in USD cents, that the admin confirmed to remove on going
 * live
 * @returns the new settings, the changed mode, and warnings about the values
 * @throws AppError invalid_input for unknown fields and modes; conflict when going live would leave test credits in
 * wallets (see reverseTestCredits), and for another account while refunds or payouts of the stored one are in progress
 */
export async function updateProviderConfig(
  actor: Actor,
  provider: PaymentProviderName,
  body: Record<string, unknown>,
  requestedMode?: string,
  reverseTestCreditsCents?: number,
) {
  const { mode: chosen, values } = parseConfigChanges(provider, body);
  const parsedMode = parseMode(provider, requestedMode);
  const before = await getProviderSettings(provider);
  const mode = chosen ?? parsedMode ?? resolveMode(before);
  const { fields, secrets, removed } = diffConfig(before, mode, values);
  // The first stored values make their mode active, unless the request names a mode to prepare.
  const shouldActivate = chosen !== undefined || (before.activeMode === null && parsedMode === undefined);
  const isSwitch = shouldActivate && before.activeMode !== mode;
  const isChange = isSwitch || removed.length + Object.keys(fields).length + Object.keys(secrets).length > 0;
  if (isChange) {
    const changes = { provider, mode, fields, secrets, removed };
    await savePaymentConfig(actor, { ...changes, activate: isSwitch }, async (tx) => {
      const known = before.modes.find((one) => one.mode === mode)?.fields ?? {};
      await requireSameAccount(tx, { provider, mode, known, changed: fields });
      if (isSwitch && mode === 'live') await reverseTestCredits(tx, actor, provider, reverseTestCreditsCents);
    });
  }
  const settings = isChange ? await getProviderSettings(provider) : before;
  return { settings, mode, warnings: configWarnings(provider, mode, values) };
}

/** Returns the values that differ from the stored ones. */
function diffConfig(before: ProviderSettings, mode: ProviderMode, values: Readonly<Record<string, string>>) {
  const known = before.modes.find((one) => one.mode === mode);
  const fields: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const removed: string[] = [];
  for (const { name, isSecret } of providerForms[before.provider].fields) {
    const value = values[name];
    if (value === undefined || value === secretMask) continue;
    if (!isSecret) {
      if (value !== (known?.fields[name] ?? '')) fields[name] = value;
    } else if (value !== '') secrets[name] = value;
    else if (known?.stored.includes(name)) removed.push(name);
  }
  return { fields, secrets, removed };
}

/** A key of 8192 bits has 6.4 kB; a larger file, such as a certificate chain, is a mistake. */
export const maxPrivateKeyBytes = 20_000;

/** WeChat Pay requires RSA keys of at least 2048 bits. */
const minBits = 2048;

/**
 * Stores the merchant's private key for WeChat Pay, encrypted. It replaces an earlier key.
 * @param requestedMode the mode of the key; by default the active mode
 * @throws AppError invalid_input, unsupported_type or too_large with the problem of the file
 */
export async function storePrivateKey(actor: Actor, file: Readable, name: string, requestedMode?: string) {
  const parsedMode = parseMode('wechat', requestedMode);
  const bytes = await readSmallFile(file, maxPrivateKeyBytes, () =>
    invalidFile('too_large', 'The file is larger than 20 kB, so it is not a private key.'),
  );
  const pem = bytes.toString('utf8').trim();
  if (!/\.pem$/i.test(name)) throw invalidFile('unsupported_type', 'The private key must be a .pem file.');
  requireRsaKey(pem);
  const settings = await getProviderSettings('wechat');
  const mode = parsedMode ?? resolveMode(settings);
  await savePaymentConfig(actor, {
    provider: 'wechat',
    mode,
    secrets: { [privateKeyField]: pem },
    activate: settings.activeMode === null && parsedMode === undefined,
  });
}

function requireRsaKey(pem: string): void {
  if (/ENCRYPTED/.test(pem)) {
    throw invalidFile('invalid_input', 'The private key is protected by a passphrase. Upload it without one.');
  }
  const key = parseKey(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < minBits) {
    throw invalidFile('invalid_input', 'WeChat Pay requires an RSA key of at least 2048 bits.');
  }
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The OpenSSL error is not shown: it does not help the admin, and the file's content must not reach a log.
    throw invalidFile('invalid_input', 'The file contains no private key in PEM format.');
  }
}

const invalidFile = (code: 'invalid_input' | 'unsupported_type' | 'too_large', message: string) =>
  new AppError(code, message, { fields: { private_key: message } });

/** The field that identifies our account at a provider. Stripe's account follows from its secret key alone. */
const accountFields: Partial<Record<PaymentProviderName, { field: string; name: string; by: string }>> = {
  paypal: { field: 'client_id', name: 'client ID', by: 'PayPal' },
  wechat: { field: 'mchid', name: 'merchant ID', by: 'WeChat Pay' },
};

type Change = {
  provider: PaymentProviderName;
  mode: ProviderMode;
  /** The stored values, and those that change. */
  known: Readonly<Record<string, string>>;
  changed: Readonly<Record<string, string>>;
};

/**
 * Refuses the change to another account of the provider while money moves in the stored one: the other account does not
 * know these refunds and payouts, so they would be made again or never end.
 * @throws AppError conflict
 */
async function requireSameAccount(tx: Executor, { provider, mode, known, changed }: Change): Promise<void> {
  const account = accountFields[provider];
  if (!account || changed[account.field] === undefined || !known[account.field]) return;
  const refunds = await tx
    .select({ id: sourceRefunds.id })
    .from(sourceRefunds)
    .where(
      and(eq(sourceRefunds.provider, provider), eq(sourceRefunds.mode, mode), eq(sourceRefunds.state, 'processing')),
    );
  const open =
    provider === 'paypal'
      ? await tx
          .select({ id: payouts.id })
          .from(payouts)
          .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
          .where(and(eq(payouts.state, 'sent'), eq(payoutBatches.kind, 'paypal'), eq(payoutBatches.mode, mode)))
      : [];
  const waiting = [
    ...(refunds.length > 0 ? [refunds.length === 1 ? '1 refund' : `${refunds.length} refunds`] : []),
    ...(open.length > 0 ? [open.length === 1 ? '1 payout' : `${open.length} payouts`] : []),
  ];
  if (waiting.length === 0) return;
  throw new AppError(
    'conflict',
    `${waiting.join(' and ')} by ${account.by} ${refunds.length + open.length === 1 ? 'is' : 'are'} in progress in the account of the stored ${account.name}. Wait for the result, then change the ${account.name}. Nothing was changed.`,
  );
}
