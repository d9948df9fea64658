import { createHash } from 'node:crypto';
import type { PaymentProviderName } from '../../db/schema/topups';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { requireFlag } from '../flags/read-flags';
import { newId } from '../ids';
import { consumeLimit } from '../limits/consume';
import { providerNames } from '../payments/names';
import { openProvider } from '../payments/open-provider';
import { mayTopUpIn } from '../payments/test-mode';
import { checkTopupAmount } from './amount';
import { joinIntent } from './join-intent';
import { openCheckout } from './open-checkout';
import { quoteCharge } from './quote';
import { topupReturnUrls } from './return-urls';
import { findIntent, type Repeat, writeIntent } from './write-intent';

type CreateTopupInput = {
  provider: PaymentProviderName;
  /** Integer USD cents. */
  amountCents: number;
  /** The page of ours the buyer comes back to; `cancelUrl` without having paid, by default the same. */
  returnUrl: string;
  cancelUrl?: string | undefined;
  /** In the browser of a phone WeChat opens its app instead of showing a code to scan. */
  isMobile?: boolean;
};

/**
 * Starts a top-up: the intent is written and committed first, then the provider is asked, then its answer is stored,
 * so that no payment can exist without its intent, and no database transaction waits for a provider.
 * @param idempotencyKey a repeat with the same key and request answers what the first answered. One that comes before
 * the first was answered, or after its process died, asks the provider for the same intent.
 * @returns the top-up's id and the provider's page where the buyer pays
 * @throws AppError invalid_input for the amount or the return address, not_configured, rate_limited (decision 5),
 * provider_failed, conflict when the key was used for another request or the first call is still under way
 */
export async function createTopup(
  actor: Actor,
  input: CreateTopupInput,
  idempotencyKey: string | null = null,
): Promise<{ id: string; url: string }> {
  const amountCents = checkTopupAmount(input.amountCents);
  const repeat = idempotencyKey === null ? null : { idempotencyKey, requestHash: hashOf({ ...input, amountCents }) };
  const known = repeat && (await findIntent(actor.userId, repeat));
  if (known?.checkoutUrl) return { id: known.id, url: known.checkoutUrl };

  // What was begun goes on while an admin takes no new ones.
  if (!known) await requireFlag(`topup-${input.provider}`);
  const id = known?.id ?? newId();
  // Refused before anything is written.
  topupReturnUrls(input, id);
  const provider = await openProvider(input.provider, known?.mode);
  if (!mayTopUpIn(provider.mode, actor)) {
    throw new AppError(
      'not_configured',
      `${providerNames[provider.name]} is in test mode and accepts no payments yet. Choose another payment method, or contact support.`,
    );
  }
  await consumeLimit('topup', { account: actor.userId, address: actor.ip });
  const written =
    known ??
    (await writeIntent(actor, provider, { id, amountCents, charge: await quoteCharge(provider, amountCents), repeat }));
  const isOwn = !known && written.id === id;
  const topup = isOwn || written.checkoutUrl ? written : await joinIntent(written);
  if (topup.checkoutUrl) return { id: topup.id, url: topup.checkoutUrl };

  // The mode in force may have changed since another call wrote it.
  const asked = topup.mode === provider.mode ? provider : await openProvider(input.provider, topup.mode);
  const intent = { topup, isOwn };
  const url = await openCheckout(actor, asked, intent, {
    topupId: topup.id,
    amountMinor: topup.chargeAmountMinor,
    currency: topup.chargeCurrency,
    description: 'Wallet top-up',
    customerEmail: actor.email,
    buyer: { ip: actor.ip, isMobile: input.isMobile ?? false },
    ...topupReturnUrls(input, topup.id),
    expiresAt: topup.expiresAt,
  });
  return { id: topup.id, url };
}

/** Not of the device: it is no part of what was asked. */
function hashOf({ provider, amountCents, returnUrl, cancelUrl }: CreateTopupInput): Repeat['requestHash'] {
  return createHash('sha256')
    .update(JSON.stringify([provider, amountCents, returnUrl, cancelUrl]))
    .digest('hex');
}
