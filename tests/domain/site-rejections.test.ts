import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rejectionReasons } from '@/db/enums';
import { auditLogs } from '@/db/schema/audit';
import { events } from '@/db/schema/events';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { bulkSites } from '@/lib/sites/bulk';
import { createSite } from '@/lib/sites/create';
import { createSiteBody, ownSiteBody, updateSiteBody } from '@/lib/sites/edit-schemas';
import { getManagedSite, listSiteHistory } from '@/lib/sites/managed-queries';
import { bulkSitesInput } from '@/lib/sites/managed-schemas';
import { explainRejection, formatRejectionReason } from '@/lib/sites/rejection-reasons';
import { findSellerSite } from '@/lib/sites/seller-queries';
import { sellerSiteView } from '@/lib/sites/seller-view';
import { updateOwnSite, updateSite } from '@/lib/sites/update';
import { adminSiteView } from '@/lib/sites/views';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';

const change = (body: Record<string, unknown>) => updateSiteBody.parse(body);
const reject = (ids: number[], reason: string, note = '') =>
  bulkSitesInput.parse({ ids, change: { kind: 'reject', reason, note } });
const pendingSite = (ownerId: string, name: string) => makeSite(ownerId, 2_000, { status: 'Pending', name });
const sellerViewOf = async (ownerId: string, id: number) => {
  const site = await findSellerSite(ownerId, id);
  return site && sellerSiteView(site);
};

describe('the rejection of a site', () => {
  it('is recorded, mailed and shown to the seller with its reason and what to change', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const id = await pendingSite(seller.userId, 'Heron <b>');
    const note = 'The traffic is 4,000.\nNot 40,000.';
    const body = { status: 'Rejected', rejectionReason: 'metrics', rejectionNote: note };
    expect(adminSiteView(await updateSite(admin, id, change(body)))).toMatchObject(body);

    const { advice } = explainRejection({ reason: 'metrics', note });
    const [mail, ...more] = await outboxOf(seller.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'seller-site', subject: 'Heron <b> was rejected' });
    for (const text of [
      formatRejectionReason('metrics'),
      note,
      advice,
      `/seller/my-sites?site=${id}`,
      '/seller/security',
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.html).toContain('Heron &lt;b&gt;');
    expect(await sellerViewOf(seller.userId, id)).toMatchObject(body);

    const [line] = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, String(id)));
    expect(line?.after).toEqual(body);
    expect((await listSiteHistory(id))[0]?.after).toEqual(body);
    const told = await db().select().from(events).where(eq(events.type, 'site.rejected'));
    expect(told.filter(({ data }) => JSON.stringify(data).includes(`"siteId":${id},`))).toMatchObject([
      { data: { reason: 'metrics', note } },
      { data: { reason: 'metrics', note } },
    ]);
  });

  it('is mailed once for all sites of an owner that are rejected together, and not to a seller who turned it off', async () => {
    const [admin, seller, quiet] = [await makeUser('Admin'), await makeUser('Seller'), await makeUser('Seller')];
    await db().insert(mailOptOuts).values({ userId: quiet.userId, kind: 'seller-site' });
    const own = await Promise.all(
      Array.from({ length: 22 }, (_, index) => pendingSite(seller.userId, `Site ${index}.`)),
    );
    const others = [await pendingSite(quiet.userId, 'Quiet'), await pendingSite(admin.userId, 'Own')];
    expect(await bulkSites(admin, reject([...own, ...others], 'topic'))).toMatchObject({ changed: 24 });
    const mails = await outboxOf(seller.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['22 of your sites were rejected']);
    expect(mails[0]?.text).toContain('2 more sites.');
    expect(mails[0]?.text).toContain('/seller/my-sites?status=Rejected');
    expect([...(await outboxOf(quiet.email)), ...(await outboxOf(admin.email))]).toEqual([]);
    // The same again changes nothing; another reason is news.
    expect(await bulkSites(admin, reject(own, 'topic'))).toMatchObject({ changed: 0 });
    expect(await bulkSites(admin, reject(own.slice(0, 1), 'price'))).toMatchObject({ changed: 1 });
    expect((await outboxOf(seller.email)).map(({ subject }) => subject)).toHaveLength(2);
  });

  it('loses its reason when staff approve the site or its seller edits it, and the history keeps it', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const [first, second] = [await pendingSite(seller.userId, 'One'), await pendingSite(seller.userId, 'Two')];
    await bulkSites(admin, reject([first, second], 'content', 'Too many links.'));
    await bulkSites(admin, { ids: [first], change: { kind: 'approve' } });
    const body = ownSiteBody.parse({
      ...{ url: 'two.example.com', name: 'Two', country: 'Norway', niche: 'Gardening', price: 20 },
      ...{ rejectionReason: 'other', rejectionNote: 'Injected.' },
    });
    await updateOwnSite(seller, second, 2, body);
    for (const id of [first, second]) {
      expect(await getManagedSite(id)).toMatchObject({ rejectionReason: null, rejectionNote: '' });
      expect(await sellerViewOf(seller.userId, id)).not.toHaveProperty('rejectionReason');
      expect((await listSiteHistory(id)).map(({ after }) => after.rejectionReason)).toEqual([null, 'content']);
    }
  });

  it('needs no reason through the API, which the seller is told to ask for', async () => {
    const [admin, seller] = [await makeUser('Admin'), await makeUser('Seller')];
    const id = await pendingSite(seller.userId, 'Plain');
    const view = adminSiteView(await updateSite(admin, id, change({ status: 'Rejected' })));
    expect(view).not.toHaveProperty('rejectionReason');
    expect((await outboxOf(seller.email))[0]?.text).toContain('Contact our support for the reason.');
  });

  it.each([
    ['a reason for an approved site', { status: 'Approved', rejectionReason: 'price' }, 'rejectionReason'],
    ['a note for a pending site', { rejectionNote: 'Cheap.' }, 'rejectionNote'],
    ['another reason without words', { status: 'Rejected', rejectionReason: 'other' }, 'rejectionNote'],
  ])('refuses %s', async (_, body, field) => {
    const admin = await makeUser('Admin');
    const id = await pendingSite(admin.userId, 'Refused');
    const refused = { code: 'invalid_input', details: { fields: { [field]: expect.any(String) } } };
    await expect(updateSite(admin, id, change(body))).rejects.toMatchObject(refused);
    const created = createSiteBody.parse({ url: 'refused.example.com', name: 'Refused', ...body });
    await expect(createSite(admin, created)).rejects.toMatchObject(refused);
    expect(await getManagedSite(id)).toMatchObject({ status: 'Pending', version: 1 });
  });

  it('has a label for each reason, and advice for each but the one in other words', () => {
    for (const reason of rejectionReasons) {
      expect(formatRejectionReason(reason)).not.toBe('');
      expect(explainRejection({ reason, note: 'x' }).advice === '').toBe(reason === 'other');
    }
    expect(bulkSitesInput.safeParse({ ids: [1], change: { kind: 'reject' } }).success).toBe(false);
    expect(bulkSitesInput.safeParse({ ids: [1], change: { kind: 'reject', reason: 'other' } }).success).toBe(false);
  });
});
