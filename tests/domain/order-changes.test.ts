import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkProofs } from '@/db/schema/links';
import { notices } from '@/db/schema/notices';
import { orderBriefs } from '@/db/schema/placements';
import { siteOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { getMarketplaceFigures, resolvePeriod } from '@/lib/dashboard/marketplace-figures';
import { newId } from '@/lib/ids';
import { listInvoices } from '@/lib/invoices/queries';
import { getWalletBalance } from '@/lib/ledger/balance';
import { findProof } from '@/lib/links/passport/proofs';
import { openDispute } from '@/lib/orders/disputes/open';
import { getAdminOrder } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { changeView, sellerChangeView } from '@/lib/orders/placements/changes/contract';
import { lockChange } from '@/lib/orders/placements/changes/move';
import { offerChange } from '@/lib/orders/placements/changes/queries';
import { runChangeClocks } from '@/lib/orders/placements/changes/run-clocks';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { settlePlacement } from '@/lib/orders/placements/review';
import { savePolicy } from '@/lib/orders/requests/save-limits';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { deleteUser } from '@/lib/workflows/delete-user';
import { fundWallet } from '@/tests/factories/fund-wallet';
import type { Offer } from '@/tests/factories/make-offer';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import {
  acceptAsked,
  agree,
  approveAsked,
  ask,
  changeOf,
  declineAsked,
  deliverAsked,
  passChangeTime,
  reprice,
  withdraw,
} from '@/tests/setup/change-verbs';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, deliverOffer, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import { listNotices } from '@/tests/setup/list-notices';
import { approve, placementOf } from '@/tests/setup/placement-verbs';

const settle = async ({ id }: Offer) =>
  db().transaction(async (tx) =>
    settlePlacement(tx, systemActor(systemActors.orderDeadlines, 'job'), await lockPlacement(tx, id), {
      ...{ role: 'staff', outcome: 'decided', buyerPercent: 40 },
    }),
  );
const day = 86_400_000;

/** An order of $100, of which the seller has $50, with an approved link, and $100 more in the wallet. */
async function publish() {
  const offer = await deliverOffer();
  await approve(offer);
  await checkLink(offer.id, 'ok');
  await fundWallet(offer.buyer.userId, 10_000);
  return offer;
}

describe('a paid change', () => {
  it('is refused above a limit of the account, when it is asked for and when the seller accepts it', async () => {
    const offer = await publish();
    const { buyer } = offer;
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 2_499 });
    await expect(ask(offer)).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('$24.99') });
    await savePolicy(buyer, buyer.accountId, {});
    await ask(offer);
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 2_499 });
    await expect(acceptAsked(offer)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.not.stringMatching(/limit|24\.99/),
    });
    expect(await listNotices(buyer.userId)).toContain('order.change_unpaid');
    expect(await getWalletBalance(buyer.userId)).toBe(10_000);
    await savePolicy(buyer, buyer.accountId, { approvalAboveCents: 2_500 });
    await acceptAsked(offer);
    expect(await getWalletBalance(buyer.userId)).toBe(7_500);
  });

  it('is priced, reserved at the acceptance and earned at the approval, and gives the link a new passport', async () => {
    const offer = await publish();
    const [before] = await db().select().from(linkProofs).where(eq(linkProofs.orderId, offer.id));
    expect(await offerChange(await getAdminOrder(offer.id))).toEqual({ priceCents: 2_500, taxCents: 0, reason: null });
    await ask(offer, { shownTotalCents: 2_500 });
    await expect(ask(offer)).rejects.toThrow('has an open change already');
    expect(await getWalletBalance(offer.buyer.userId)).toBe(10_000);
    await acceptAsked(offer);
    await expect(acceptAsked(offer)).rejects.toThrow('is accepted: it can be accepted only once');
    expect(await getWalletBalance(offer.buyer.userId)).toBe(7_500);
    expect(await placementOf(offer.id)).toMatchObject({ sellerCents: 5_000, marginCents: 5_000 });
    await expectSoundBooks();
    // The page already has the new link, which is not a fault.
    expect((await checkLink(offer.id, 'broken', 'ok'))?.targetUrl).toBe('https://shop.example.com/new');
    await deliverAsked(offer);
    await approveAsked(offer);
    await expect(approveAsked(offer)).rejects.toThrow('only a delivered change can be approved');
    expect(await placementOf(offer.id)).toMatchObject({ sellerCents: 6_250, marginCents: 6_250 });
    expect(await getAdminOrder(offer.id)).toMatchObject({ chargedCents: 12_500, priceCents: 12_500 });
    expect(await watchOf(offer.id)).toMatchObject({ targetUrl: 'https://shop.example.com/new', anchor: 'new spade' });
    const [brief] = await db().select().from(orderBriefs).where(eq(orderBriefs.orderId, offer.id));
    expect(brief).toMatchObject({ targetUrl: 'https://shop.example.com/new', anchor: 'new spade' });
    await checkLink(offer.id, 'ok');
    const newest = (await getAdminOrder(offer.id)).placement?.proofId ?? '';
    expect(await findProof(before?.id ?? '')).toMatchObject({ revokedAt: null, replacedBy: newest });
    expect(await findProof(newest)).toMatchObject({ replacedBy: null });
    await expectSoundBooks();
  });

  it('has the price of its listing, and another one only when the buyer agrees', async () => {
    const offer = await publish();
    await db().insert(siteOptions).values({ id: newId(), siteId: offer.siteId, kind: 'change', sellerCents: 700 });
    expect(await offerChange(await getAdminOrder(offer.id))).toEqual({ priceCents: 1_400, taxCents: 0, reason: null });
    await expect(ask(offer, { shownTotalCents: 1_399 })).rejects.toThrow('The price of a change is now $14.00.');
    await ask(offer);
    await reprice(offer, 4_000);
    await expect(acceptAsked(offer)).rejects.toThrow('the buyer has to agree to it');
    // Neither side learns the other's price.
    const change = await changeOf(offer.id);
    expect(changeView(change)).toMatchObject({ priceCents: 8_000, sellerNote: 'A long article' });
    expect(JSON.stringify(changeView(change))).not.toMatch(/4000|sellerCents|earns/);
    expect(JSON.stringify(sellerChangeView(change))).not.toMatch(/8000|[pP]riceCents|margin/);
    await agree(offer);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(2_000);
    await declineAsked(offer);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(10_000);
    await expectSoundBooks();
    // An amount in another currency is no price in USD.
    await db().update(sites).set({ publicCurrency: 'EUR' }).where(eq(sites.id, offer.siteId));
    expect(await offerChange(await getAdminOrder(offer.id))).toEqual({ priceCents: 2_500, taxCents: 0, reason: null });
  });

  it('counts against the daily limit of an API token when its user asks and when its user agrees', async () => {
    const offer = await publish();
    const { id } = await makeToken(offer.buyer.userId, ['orders:write'], { dailyLimitCents: 8_000 });
    const byToken = {
      ...offer,
      buyer: { ...offer.buyer, token: { id, name: 'Reports', scopes: ['orders:write' as const] } },
    };
    await ask(byToken);
    await reprice(offer, 3_000);
    await expect(agree(byToken)).rejects.toThrow('can spend $55.00 more today');
    await reprice(offer, 2_750);
    await agree(byToken);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(4_500);
    await expectSoundBooks();
  });

  it('is in invoices, figures and the search of the wallet, and ends with the account of a side', async () => {
    const offer = await publish();
    const period = resolvePeriod({});
    const { period: before } = await getMarketplaceFigures(period);
    for (const end of ['declined', 'deleted'] as const) {
      await ask(offer);
      await acceptAsked(offer);
      const { period: charged } = await getMarketplaceFigures(period);
      expect(charged.orders).toBe(before.orders);
      if (end === 'declined') await declineAsked(offer);
      else await deleteUser(await makeUser('Admin'), offer.seller.userId);
      expect((await changeOf(offer.id)).state).toBe(end === 'declined' ? 'declined' : 'expired');
    }
    expect(await getWalletBalance(offer.buyer.userId)).toBe(10_000);
    const { invoices } = await listInvoices(offer.buyer, offer.id);
    const title = expect.stringMatching(/^Change after publication: /);
    const ofChange = { line: { title, amountMinor: 2_500, details: [expect.stringMatching(/^For /)] } };
    expect(invoices.slice(1)).toMatchObject([
      ...[
        { kind: 'invoice', creditedCents: 2_500, ...ofChange },
        { kind: 'credit_note', ...ofChange },
      ],
      ...[
        { kind: 'invoice', creditedCents: 2_500, ...ofChange },
        { kind: 'credit_note', ...ofChange },
      ],
    ]);
    for (const q of [`paid change of order #${offer.id}`, `refund of the paid change of order #${offer.id}`]) {
      const { total } = await listWalletTransactions(offer.buyer.userId, { q, limit: 9, offset: 0 });
      expect(total, q).toBeGreaterThan(1);
    }
    await expectSoundBooks();
  });

  it('is not accepted without the money, of which the buyer is told once', async () => {
    const offer = await deliverOffer();
    await approve(offer);
    await ask(offer);
    await expect(acceptAsked(offer)).rejects.toThrow('The buyer’s wallet does not cover this change');
    await expect(acceptAsked(offer)).rejects.toMatchObject({ code: 'conflict' });
    expect((await changeOf(offer.id)).state).toBe('asked');
    const told = await db().select().from(notices).where(eq(notices.kind, 'order.change_unpaid'));
    expect(told.filter(({ userId }) => userId === offer.buyer.userId)).toHaveLength(1);
    await fundWallet(offer.buyer.userId, 2_500);
    await acceptAsked(offer);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(0);
    await expectSoundBooks();
  });

  it('ends by its clocks: late work returns the money, and silence approves only what a check found', async () => {
    const [late, silent, unanswered] = [await publish(), await publish(), await publish()];
    for (const offer of [late, silent, unanswered]) await ask(offer);
    for (const offer of [late, silent]) await acceptAsked(offer);
    await deliverAsked(silent, 'changed', 'The old text reads better');
    for (const { id } of [late, silent, unanswered]) await passChangeTime(id, 30 * day);
    await runChangeClocks();
    expect((await changeOf(late.id)).state).toBe('expired');
    expect((await changeOf(unanswered.id)).state).toBe('expired');
    expect(await getWalletBalance(late.buyer.userId)).toBe(10_000);
    expect((await changeOf(silent.id)).state).toBe('delivered');
    await checkLink(silent.id, 'broken', 'ok');
    await runChangeClocks();
    expect((await changeOf(silent.id)).state).toBe('approved');
    await expectSoundBooks();
  });

  it('can be withdrawn after its delivery only while a check does not find it', async () => {
    const offer = await publish();
    await ask(offer);
    await acceptAsked(offer);
    await expect(withdraw(offer)).rejects.toThrow('can be withdrawn only before the seller accepts it');
    await expect(deliverAsked(offer, 'broken')).rejects.toMatchObject({ code: 'link_not_in_order' });
    await deliverAsked(offer, 'unknown', 'The site blocks robots');
    await expect(withdraw(offer)).rejects.toThrow('at the end of the review');
    // Another delivery without the link does not prolong the review.
    const { dueAt } = await changeOf(offer.id);
    await deliverAsked(offer, 'unknown', 'The site blocks robots');
    expect((await changeOf(offer.id)).dueAt).toEqual(dueAt);
    await deliverAsked(offer);
    await expect(withdraw(offer)).rejects.toThrow('a check found it in order');
    await checkLink(offer.id, 'ok', 'broken');
    const { version } = await watchOf(offer.id);
    await withdraw(offer);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(10_000);
    // The link of before is checked at once, and the seller is told to restore it.
    const watch = await watchOf(offer.id);
    expect([watch.version, watch.targetUrl]).toEqual([version + 1, 'https://shop.example.com/spades']);
    expect(watch.nextCheckAt?.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await checkLink(offer.id, 'broken', 'ok'))?.verdict).toBe('broken');
    await expectSoundBooks();
  });

  it('ends with its order, pauses in a dispute, and a closed placement earns it at once', async () => {
    const [refunded, disputed, closed] = [await publish(), await publish(), await publish()];
    for (const offer of [refunded, disputed, closed]) await ask(offer);
    for (const offer of [refunded, disputed, closed]) await acceptAsked(offer);
    const admin = await makeUser('Admin');
    await updateOrder(admin, refunded.id, { status: 'Refunded' });
    expect((await changeOf(refunded.id)).state).toBe('expired');
    await openDispute(disputed.buyer, disputed.id, 'buyer', { reason: 'other', text: 'The anchor differs.' });
    await passChangeTime(disputed.id, 60 * day);
    await runChangeClocks();
    expect((await changeOf(disputed.id)).state).toBe('accepted');
    await expect(deliverAsked(disputed)).rejects.toThrow('is disputed: only a published article can be changed');
    await passLinkTime(closed.id, 100 * day);
    await checkLink(closed.id, 'ok');
    expect((await placementOf(closed.id)).state).toBe('closed');
    await deliverAsked(closed);
    await approveAsked(closed);
    expect(await placementOf(closed.id)).toMatchObject({ sellerCents: 6_250, ripenedCents: 6_250 });
    await checkLink(closed.id, 'ok');
    expect(await watchOf(closed.id)).toMatchObject({ endReason: 'over', targetUrl: 'https://shop.example.com/new' });
    await expectSoundBooks();
    // A refund after the end returns the change as well, and its reversal charges it again.
    await updateOrder(admin, closed.id, { status: 'Refunded' });
    expect(await getWalletBalance(closed.buyer.userId)).toBe(20_000);
    await updateOrder(admin, closed.id, { status: 'Completed' });
    expect(await getWalletBalance(closed.buyer.userId)).toBe(7_500);
    await expectSoundBooks();
  });

  it('is made once, however many press at once', async () => {
    const offer = await publish();
    const won = async (...attempts: Promise<unknown>[]) =>
      (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled').length;
    expect(await won(ask(offer), ask(offer))).toBe(1);
    expect(await won(acceptAsked(offer), acceptAsked(offer), withdraw(offer))).toBe(1);
    if ((await changeOf(offer.id)).state === 'withdrawn') {
      await ask(offer);
      await acceptAsked(offer);
    }
    await deliverAsked(offer);
    expect(await won(approveAsked(offer), approveAsked(offer), settle(offer))).toBeGreaterThan(0);
    await expectSoundBooks();
  });

  it('is not found under another order, nor by another user', async () => {
    const [one, other] = [await publish(), await publish()];
    await ask(one);
    const { id: changeId } = await changeOf(one.id);
    for (const [orderId, owner] of [
      [other.id, { buyer: other.buyer }],
      [one.id, { buyer: other.buyer }],
      [one.id, { sellerId: other.seller.userId }],
    ] as const)
      await expect(db().transaction((tx) => lockChange(tx, { orderId, changeId }, owner))).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});
