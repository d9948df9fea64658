import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import type { Permission } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';
import type { MailKind } from '@/lib/mail/preferences';
import { attachContent } from '@/lib/orders/deliverables/content';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { updateOrder } from '@/lib/orders/order/update';
import { fileOf } from '@/tests/factories/file-of';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeRole } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { settle } from '@/tests/setup/settle';

const mailsTo = ({ email }: Actor) => outboxOf(email);
const subjectsTo = async (person: Actor) => (await mailsTo(person)).map(({ subject }) => subject);
const turnOff = ({ userId }: Actor, ...kinds: MailKind[]) =>
  db()
    .insert(mailOptOuts)
    .values(kinds.map((kind) => ({ userId, kind })));

const staffWith = async (...granted: Permission[]) => makeAccount({ role: await makeRole(granted) });

describe('an update by staff', () => {
  it('sends the buyer one mail with all changes', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    const adminComments = 'Placed on <b>Monday</b>.\nSee the second paragraph.';
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/a?b=1&c=2', adminComments });
    const [mail, ...more] = await mailsTo(buyer);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'order-link', subject: `Order #${id} has a live link` });
    for (const text of [
      'Its live link: https://news.example.com/a?b=1&c=2',
      'Its status is now Completed; it was Pending.',
      'Placed on <b>Monday</b>.\nSee the second paragraph.',
      'shop.example.com',
      `/user/orders?order=${id}`,
      '/user/security#mails',
    ]) {
      expect(mail?.text).toContain(text);
    }
    expect(mail?.html).toContain('&lt;b&gt;Monday&lt;/b&gt;');
    expect(mail?.html).toContain('href="https://news.example.com/a?b=1&amp;c=2"');
  });

  it.each([
    [{ status: 'Processing' }, 'is now Processing', 'Its status is now Processing; it was Pending.'],
    [{ status: 'Rejected' }, 'is now Rejected', 'Its status is now Rejected; it was Pending.'],
    [{ status: 'Refunded' }, 'was refunded', '$40.00 was returned to your wallet.'],
    [{ status: 'Refunded', isRejection: true }, 'was rejected and refunded', 'The order was rejected.'],
    [{ status: 'Processing', linkUrl: 'https://a.example/1' }, 'has a live link', 'https://a.example/1'],
  ] as const)('%j', async (input, subject, text) => {
    const { id, buyer } = await makeOrder(4_000);
    await updateOrder(await makeUser('Admin'), id, input);
    const [mail, ...more] = await mailsTo(buyer);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: `Order #${id} ${subject}`, text: expect.stringContaining(text) });
  });

  it('mentions a comment, a changed or removed link, and money charged again', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await updateOrder(admin, id, { adminComments: 'Soon.' });
    await updateOrder(admin, id, { linkUrl: 'https://a.example/1' });
    await updateOrder(admin, id, { linkUrl: 'https://a.example/2' });
    await updateOrder(admin, id, { linkUrl: '' });
    await updateOrder(admin, id, { status: 'Refunded' });
    await updateOrder(admin, id, { status: 'Processing' });
    expect(await subjectsTo(buyer)).toEqual([
      `New comment on order #${id}`,
      `Order #${id} has a live link`,
      `Order #${id} has a new live link`,
      `The live link of order #${id} was removed`,
      `Order #${id} was refunded`,
      `The refund of order #${id} was reversed`,
    ]);
  });

  it('sends nothing for changes that the buyer does not see', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await updateOrder(admin, id, { status: 'Live', adminComments: 'Soon.' });
    await db().delete(mails).where(eq(mails.recipient, buyer.email));
    await updateOrder(admin, id, { status: 'Live' });
    await updateOrder(admin, id, { status: 'Completed', adminComments: '' });
    await deleteOrder(admin, id);
    expect(await subjectsTo(buyer)).toEqual([]);
  });

  it('sends nothing when refused, and one mail for twenty concurrent updates', async () => {
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(4_000);
    await settle(Array.from({ length: 20 }, () => updateOrder(admin, id, { status: 'Refunded', version: 1 })));
    expect(await subjectsTo(buyer)).toEqual([`Order #${id} was refunded`]);
    const siteId = await makeSite((await makeUser('Seller')).userId, 100);
    await createOrder(buyer, { kind: 'custom', projectId: await makeProject(buyer), siteIds: [siteId] });
    const unpaid = updateOrder(admin, id, { status: 'Live', adminComments: 'Never read' });
    await expect(unpaid).rejects.toMatchObject({ code: 'conflict' });
    expect(await subjectsTo(buyer)).toHaveLength(1);
  });

  it('sends nothing to deleted users', async () => {
    const { id, buyer } = await makeOrder(4_000);
    await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, buyer.userId));
    await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
    expect(await mailsTo(buyer)).toEqual([]);
  });
});

describe('a mail kind that the buyer turned off', () => {
  it('is omitted from a mail, whose subject names the rest', async () => {
    const { id, buyer } = await makeOrder(4_000);
    await turnOff(buyer, 'order-link', 'order-refund');
    const admin = await makeUser('Admin');
    await updateOrder(admin, id, { linkUrl: 'https://a.example/1', adminComments: 'Soon.' });
    const [mail] = await mailsTo(buyer);
    expect(mail).toMatchObject({ kind: 'order-status', subject: `Order #${id} is now Completed` });
    expect(mail?.text).toContain('Soon.');
    expect(mail?.text).not.toContain('https://a.example/1');
  });

  it('sends no mail when nothing else is left', async () => {
    const { id, buyer } = await makeOrder(4_000);
    await turnOff(buyer, 'order-status', 'order-refund', 'order-link', 'order-comment', 'order-delivery');
    const admin = await makeUser('Admin');
    const input = { status: 'Refunded', linkUrl: 'https://a.example/1', adminComments: 'Sorry.' } as const;
    await updateOrder(admin, id, input);
    await attachContent(admin, id, fileOf('pdf'), 'a.pdf');
    expect(await mailsTo(buyer)).toEqual([]);
  });
});

it('mails the buyer about delivered content and its replacement, with any file name', async () => {
  const admin = await makeUser('Admin');
  const { id, buyer } = await makeOrder(4_000);
  await attachContent(admin, id, fileOf('pdf'), 'Ünï "quoted" <b>🌱\r\nBcc: x@example.com.pdf');
  await attachContent(admin, id, fileOf('png'), 'second.png');
  await expect(attachContent(admin, id, fileOf('exe'), 'third.pdf')).rejects.toMatchObject({ status: 415 });
  const sent = await mailsTo(buyer);
  expect(sent.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['order-delivery', `The content of order #${id} is ready`],
    ['order-delivery', `New content for order #${id}`],
  ]);
  expect(sent[0]?.text).toContain('<b>🌱');
  expect(sent[0]?.html).not.toContain('<b>🌱');
  expect(sent[1]?.text).toContain('second.png');
});

describe('a new order', () => {
  beforeEach(() => db().update(users).set({ status: 'Expired' }));

  async function orderSites(buyer: Actor, count: number, key: string | null = null) {
    const seller = await makeUser('Seller');
    const siteIds = await Promise.all(
      Array.from({ length: count }, (_, n) => makeSite(seller.userId, 1_000, { url: `https://site-${n}.example.com` })),
    );
    const input = { kind: 'custom', projectId: await makeProject(buyer), siteIds } as const;
    return { input, made: await createOrder(buyer, input, key) };
  }

  it('sends one mail to each user who manages orders, and to no others', async () => {
    const notified = [await makeUser('Admin'), await staffWith('AdminDashboard', 'ManageOrders')];
    const notNotified = [
      await staffWith('AdminDashboard', 'ManageSites'),
      await staffWith('ManageOrders'),
      await makeUser('Admin', { status: 'Suspended' }),
      await makeUser('Admin', { deletedAt: new Date() }),
      await makeUser('Admin'),
      await makeUser(),
    ];
    await turnOff(notNotified[4] ?? notified[0] ?? (await makeUser()), 'new-order');
    const buyer = await makeUser('User', { name: 'Ann\r\nBcc: x@example.com' });
    await fundWallet(buyer.userId, 100_000);
    await orderSites(buyer, 23);
    for (const person of notified) {
      const [mail, ...more] = await mailsTo(person);
      expect(more).toEqual([]);
      expect(mail).toMatchObject({ kind: 'new-order', subject: '23 new orders from Ann Bcc: x@example.com' });
      expect(mail?.text).toContain('$230.00 from the wallet');
      expect(mail?.text).toContain('site-19.example.com: $10.00');
      expect(mail?.text).not.toContain('site-20.example.com');
      expect(mail?.text).toContain('3 more orders.');
      expect(mail?.text).toContain(`/dashboard/features/orders?userId=${buyer.userId}`);
      expect(mail?.text).toContain('/dashboard/security#mails');
    }
    for (const person of [...notNotified, buyer]) expect(await mailsTo(person)).toEqual([]);
  });

  it('sends none to the ordering admin, for a refusal or for a repeated request', async () => {
    const admin = await makeUser('Admin');
    const buyer = await makeUser('Admin');
    await expect(orderSites(buyer, 1)).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await mailsTo(admin)).toEqual([]);
    await fundWallet(buyer.userId, 1_000);
    const key = newId();
    const { input, made } = await orderSites(buyer, 1, key);
    await createOrder(buyer, input, key);
    expect(await subjectsTo(admin)).toEqual([`New order #${made.orders[0]?.id} from ${buyer.name}`]);
    expect(await mailsTo(buyer)).toEqual([]);
  });
});
