import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import type { Actor } from '../../access/actor';
import { env } from '../../env';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { recordAudit } from '../../platform/audit/record';
import { consumeLimit } from '../../platform/rate-limits/consume';
import { requireFlag } from '../../settings/feature-flags/read-flags';
import { mayTopUpIn } from '../config/config';
import { providerNames } from '../providers/names';
import { openProvider } from '../providers/open-provider';
import {
  type Checkout,
  type CheckoutRequest,
  isInProgress,
  type PaymentProvider,
  ProviderError,
} from '../providers/provider';
import type { Topup } from './find-topup';
import { checkTopupAmount, quoteCharge } from './quote';
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

/**
 * Takes up an intent that another call wrote and that has no checkout yet. Its next check moves, which tells that call,
 * should it fail, that somebody else waits for the provider too: the intent is not ended then, and keeps its key.
 * @returns it as it now stands
 * @throws AppError conflict when it ended a moment ago
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
  throw new AppError('conflict', 'Another try of this top-up failed just now. Please try again.');
}

type Intent = {
  /** As this call wrote or joined it. */
  topup: Topup;
  /** Written by this call: only then may its failure end it. */
  isOwn: boolean;
};

/** What failed before its checkout was known: now that there is one, it is open, and has to be asked about. */
const isRevived = sql`(${topups.status} = 'failed' and ${topups.checkoutUrl} is null
  and ${topups.paymentReference} is null)`;

/**
 * Asks the provider for the checkout of an intent and stores its answer. Asked again for the same intent, the provider
 * answers with the same checkout, or refuses while an earlier call still waits for it.
 * @returns the provider's page where the buyer pays
 * @throws AppError provider_failed, conflict while another call for this intent is under way
 */
async function openCheckout(
  actor: Actor,
  provider: PaymentProvider,
  { topup, isOwn }: Intent,
  request: CheckoutRequest,
): Promise<string> {
  const { id } = topup;
  let checkout: Checkout;
  try {
    checkout = await provider.createCheckout(request);
  } catch (thrown) {
    const [now] = await db().select({ url: topups.checkoutUrl }).from(topups).where(eq(topups.id, id));
    if (now?.url) return now.url;
    const isEnded = isOwn && (await writeFailure(actor, provider, topup, thrown));
    // Where nobody joined, what is under way over there is this call's own first try: the provider is slow, no more.
    if (isInProgress(thrown) && !isEnded) {
      throw new AppError('conflict', 'This top-up is being started already. Please wait a moment and try again.');
    }
    throw thrown;
  }
  await db()
    .update(topups)
    .set({
      providerReference: checkout.reference,
      checkoutUrl: checkout.url,
      // A repeat from a phone gets none, and the page of the first still shows its own.
      ...(checkout.payCode !== undefined && { payCode: checkout.payCode }),
      // A very fast notification may have settled it already.
      status: sql`case when ${topups.status} = 'created' or ${isRevived} then 'pending' else ${topups.status} end`,
      reason: sql`case when ${isRevived} then null else ${topups.reason} end`,
      nextCheckAt: sql`case when ${isRevived} then now() + interval '2 minutes' else ${topups.nextCheckAt} end`,
    })
    .where(eq(topups.id, id));
  return checkout.url;
}

/**
 * A failure is written down, unless a repeat joined the intent and waits for the provider as well. Should the provider
 * have made the checkout after all and be paid, that still counts.
 * @returns whether it was
 */
async function writeFailure(actor: Actor, provider: PaymentProvider, topup: Topup, thrown: unknown): Promise<boolean> {
  const reason = thrown instanceof ProviderError ? thrown.reason : 'The checkout could not be made.';
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
      details: `${providerNames[provider.name]} made no checkout: ${reason}`,
      entityType: 'topup',
      entityId: id,
    });
    return true;
  });
}

/** What a URL parser silently drops or turns into a slash, and so could hide another host. */
const misleading = /[\s\\\p{Cc}]/u;

/** What we or a provider put into the address of somebody who comes back. */
const marks = ['success', 'cancelled', 'topup', 'session_id', 'token', 'PayerID'];

/**
 * The addresses a provider sends the buyer back to: the given pages of ours, marked with what happened.
 * @param pages paths of ours ("/user/wallet") or absolute addresses with our own origin; without `cancelUrl` both are one
 * @throws AppError invalid_input for any other origin, and for what is no plain address
 */
export function topupReturnUrls(
  { returnUrl, cancelUrl }: { returnUrl: string; cancelUrl?: string | undefined },
  topupId: string,
  appUrl = env().APP_URL,
): { successUrl: string; cancelUrl: string } {
  const { origin } = new URL(appUrl);
  const marked = (page: string, mark: string) => {
    const url = ownPage(page, origin);
    for (const name of marks) url.searchParams.delete(name);
    url.searchParams.set(mark, '1');
    url.searchParams.set('topup', topupId);
    return url.href;
  };
  return { successUrl: marked(returnUrl, 'success'), cancelUrl: marked(cancelUrl ?? returnUrl, 'cancelled') };
}

function ownPage(returnUrl: string, origin: string): URL {
  const isPath = returnUrl.startsWith('/') && !returnUrl.startsWith('//');
  const isAbsolute = /^https?:\/\//i.test(returnUrl);
  if (misleading.test(returnUrl) || !(isPath || isAbsolute) || !URL.canParse(returnUrl, origin)) throw foreign();
  const url = new URL(returnUrl, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') throw foreign();
  url.hash = '';
  return url;
}

const foreign = () =>
  new AppError('invalid_input', 'The return address must be a page of this site.', {
    fields: { returnUrl: 'The return address must be a page of this site.' },
  });
