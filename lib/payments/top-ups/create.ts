import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import { accountParam } from '@/lib/access/account-choice';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { canTopUpIn } from '@/lib/payments/config/config';
import { providerNames } from '@/lib/payments/providers/names';
import { openProvider, openProviderOf } from '@/lib/payments/providers/open-provider';
import {
  type Checkout,
  type CheckoutRequest,
  isInProgress,
  type PaymentProvider,
  ProviderError,
} from '@/lib/payments/providers/provider';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { createIntent, findIntent, quoteCharge, requireTopupAmount } from './create-intent';
import type { Topup } from './queries';

type CreateTopupInput = {
  provider: PaymentProviderName;
  /** Integer USD cents. */
  amountCents: number;
  /** Our page that the buyer returns to. `cancelUrl` is the page after cancellation, by default the same. */
  returnUrl: string;
  cancelUrl?: string | undefined;
  /** The origin of the buyer's page, to which the payment returns; the one of APP_URL by default. */
  origin?: string;
  /** On a phone WeChat opens its app instead of showing a QR code. */
  isMobile?: boolean;
};

/**
 * Starts a top-up. The intent is committed first, then the checkout is created at the provider, then its response is
 * stored. So no payment exists without its intent, and no database transaction waits for a provider.
 * @param idempotencyKey a repeated request with the same key returns the first response. A repetition before the first
 * response, or after its process ended, requests the checkout of the same intent.
 * @returns the top-up's id and the provider's page where the buyer pays
 * @throws AppError invalid_input for the amount or the return address, not_configured, rate_limited (each checkout is a
 * request to the provider), provider_failed, conflict when the key was used for another request or the first call is
 * still in progress
 */
export async function createTopup(actor: Actor, input: CreateTopupInput, idempotencyKey: string | null = null) {
  const amountCents = requireTopupAmount(input.amountCents);
  const repeat =
    idempotencyKey === null ? null : { idempotencyKey, requestHash: hashRequest({ ...input, amountCents }) };
  const known = repeat && (await findIntent(actor.accountId, repeat));
  if (known?.checkoutUrl) return { id: known.id, url: known.checkoutUrl };

  // An existing intent continues while the provider is disabled.
  if (!known) await requireFlag(`topup-${input.provider}`);
  const id = known?.id ?? newId();
  // Rejects invalid URLs before anything is stored.
  const appOrigin = new URL(env().APP_URL).origin;
  const origins = [input.origin ?? appOrigin, appOrigin] as const;
  topupReturnUrls(input, id, origins);
  const provider = await openProvider(input.provider, known?.mode);
  if (!canTopUpIn(provider.mode, actor)) {
    throw new AppError(
      'not_configured',
      `${providerNames[provider.name]} is in test mode and accepts no payments yet. Choose another payment method, or contact support.`,
    );
  }
  await consumeLimit('topup', { account: actor.userId, address: actor.ip });
  const create = async () =>
    createIntent(actor, provider, { id, amountCents, charge: await quoteCharge(provider, amountCents), repeat });
  const written = known ?? (await create());
  const isOwn = !known && written.id === id;
  const topup = isOwn || written.checkoutUrl ? written : await joinIntent(written);
  if (topup.checkoutUrl) return { id: topup.id, url: topup.checkoutUrl };

  // The active mode may have changed since another call created the intent.
  const checkoutProvider = await openProviderOf(topup, provider);
  const url = await createCheckout(
    actor,
    checkoutProvider,
    { topup, isOwn },
    {
      topupId: topup.id,
      amountMinor: topup.chargeAmountMinor,
      currency: topup.chargeCurrency,
      description: 'Wallet top-up',
      customerEmail: actor.email,
      buyer: { ip: actor.ip, isMobile: input.isMobile ?? false },
      // Another tab may choose another account while the buyer pays.
      ...topupReturnUrls(input, topup.id, origins, actor.memberOf.length > 1 ? actor.accountId : null),
      expiresAt: topup.expiresAt,
    },
  );
  return { id: topup.id, url };
}

/** Hashes a request. The device is not part of its identity. */
function hashRequest({ provider, amountCents, returnUrl, cancelUrl }: CreateTopupInput) {
  return createHash('sha256')
    .update(JSON.stringify([provider, amountCents, returnUrl, cancelUrl]))
    .digest('hex');
}

/**
 * Joins an intent that another call created and that has no checkout yet. Changes its next check, so that the other
 * call, if it fails, does not end the intent or release its key.
 * @returns the updated top-up
 * @throws AppError conflict when the intent has ended
 */
async function joinIntent({ id }: Topup): Promise<Topup> {
  const [joined] = await db()
    .update(topups)
    .set({ nextCheckAt: sql`greatest(${topups.nextCheckAt} + interval '1 second', now() + interval '2 minutes')` })
    .where(and(eq(topups.id, id), eq(topups.status, 'created')))
    .returning();
  if (joined) return joined;
  const [known] = await db().select().from(topups).where(eq(topups.id, id));
  if (known?.checkoutUrl) return known;
  throw new AppError('conflict', 'Another attempt at this top-up just failed. Please try again.');
}

/** A failed top-up without a checkout is reopened when its checkout becomes known, and has to be checked. */
const isRevived = sql`(${topups.status} = 'failed' and ${topups.checkoutUrl} is null
  and ${topups.paymentReference} is null)`;

/**
 * Creates the checkout of an intent at the provider and stores the response. For a repeated request the provider
 * returns the same checkout, or refuses while an earlier request is in progress.
 * @param intent as created or joined by this call; only the failure of the call that created it may end it
 * @returns the provider's page where the buyer pays
 * @throws AppError provider_failed, conflict while another call for this intent is in progress
 */
async function createCheckout(
  actor: Actor,
  provider: PaymentProvider,
  { topup, isOwn }: { topup: Topup; isOwn: boolean },
  request: CheckoutRequest,
): Promise<string> {
  const { id } = topup;
  let checkout: Checkout;
  try {
    checkout = await provider.createCheckout(request);
  } catch (thrown) {
    const [now] = await db().select({ url: topups.checkoutUrl }).from(topups).where(eq(topups.id, id));
    if (now?.url) return now.url;
    const isEnded = isOwn && (await saveFailure(actor, provider, topup, thrown));
    // When no other call joined, the request in progress is this call's own first attempt: the provider is slow.
    if (isInProgress(thrown) && !isEnded) {
      throw new AppError('conflict', 'This top-up is already being started. Please wait a moment and try again.');
    }
    throw thrown;
  }
  await db()
    .update(topups)
    .set({
      providerReference: checkout.reference,
      checkoutUrl: checkout.url,
      // A repeated request from a phone has no code; the code of the first request is kept.
      ...(checkout.payCode !== undefined && { payCode: checkout.payCode }),
      // A webhook event may already have settled it.
      status: sql`case when ${topups.status} = 'created' or ${isRevived} then 'pending' else ${topups.status} end`,
      reason: sql`case when ${isRevived} then null else ${topups.reason} end`,
      nextCheckAt: sql`case when ${isRevived} then now() + interval '2 minutes' else ${topups.nextCheckAt} end`,
    })
    .where(eq(topups.id, id));
  return checkout.url;
}

/**
 * Marks the intent as failed, unless another call joined it and waits for the provider. A checkout that the provider
 * created nevertheless is still credited when it is paid.
 * @returns whether the intent was marked
 */
async function saveFailure(actor: Actor, provider: PaymentProvider, topup: Topup, thrown: unknown): Promise<boolean> {
  const reason = thrown instanceof ProviderError ? thrown.reason : 'The checkout could not be created.';
  const { id, nextCheckAt } = topup;
  const isUntouched = nextCheckAt === null ? sql`${topups.nextCheckAt} is null` : eq(topups.nextCheckAt, nextCheckAt);
  return db().transaction(async (tx) => {
    const failed = await tx
      .update(topups)
      .set({ status: 'failed', reason, nextCheckAt: null })
      .where(and(eq(topups.id, id), eq(topups.status, 'created'), isUntouched))
      .returning({ id: topups.id });
    if (failed.length === 0) return false;
    await recordAudit(tx, actor, {
      action: 'topup.failed',
      details: `${providerNames[provider.name]} created no checkout: ${reason}`,
      entityType: 'topup',
      entityId: id,
    });
    return true;
  });
}

/** Characters that a URL parser drops or converts to a slash, which could hide another host. */
const unsafeCharacters = /[\s\\\p{Cc}]/u;

/** Query parameters that this server or a provider adds to the return URL. */
const returnParams = ['success', 'cancelled', 'topup', 'session_id', 'token', 'PayerID'];

/**
 * Returns the URLs that a provider redirects the buyer to: the given pages with the outcome as a query parameter.
 * @param pages paths ("/user/wallet") or absolute URLs with our own origin; `cancelUrl` defaults to `returnUrl`
 * @param origins our own origins; paths get the first one
 * @param accountId the account in which the pages open; null for a buyer with one account
 * @throws AppError invalid_input for any other origin, and for an invalid URL
 */
export function topupReturnUrls(
  { returnUrl, cancelUrl }: { returnUrl: string; cancelUrl?: string | undefined },
  topupId: string,
  origins: readonly [string, ...string[]],
  accountId: string | null = null,
): { successUrl: string; cancelUrl: string } {
  const markPage = (page: string, mark: string) => {
    const url = parseOwnPage(page, origins);
    for (const name of returnParams) url.searchParams.delete(name);
    url.searchParams.set(mark, '1');
    url.searchParams.set('topup', topupId);
    if (accountId !== null) url.searchParams.set(accountParam, accountId);
    return url.href;
  };
  return { successUrl: markPage(returnUrl, 'success'), cancelUrl: markPage(cancelUrl ?? returnUrl, 'cancelled') };
}

function parseOwnPage(returnUrl: string, origins: readonly [string, ...string[]]): URL {
  const [origin] = origins;
  const isPath = returnUrl.startsWith('/') && !returnUrl.startsWith('//');
  const isAbsolute = /^https?:\/\//i.test(returnUrl);
  if (unsafeCharacters.test(returnUrl) || !(isPath || isAbsolute) || !canParseUrl(returnUrl, origin))
    throw invalidReturnUrl();
  const url = new URL(returnUrl, origin);
  if (!origins.includes(url.origin) || url.username !== '' || url.password !== '') throw invalidReturnUrl();
  url.hash = '';
  return url;
}

function invalidReturnUrl() {
  const message = 'The return URL must be a page of this site.';
  return new AppError('invalid_input', message, { fields: { returnUrl: message } });
}
