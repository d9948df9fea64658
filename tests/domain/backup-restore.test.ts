import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { auditLogs } from '@/db/schema/audit';
import { linkHosts, linkProofs } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { orderContents } from '@/db/schema/orders';
import { briefArticles } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { inviteMember } from '@/lib/accounts/invite';
import { listInvitations } from '@/lib/accounts/queries';
import { sealAuditLogs } from '@/lib/audit/seal';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { checkBackup } from '@/lib/backup/check';
import { getRestoreProgress } from '@/lib/backup/progress';
import { restoreBackup } from '@/lib/backup/restore';
import { appendOnlyTables } from '@/lib/backup/tables';
import { newId } from '@/lib/ids';
import { listPublishedKeys } from '@/lib/links/passport/keys';
import { findProof } from '@/lib/links/passport/proofs';
import { verifyProof } from '@/lib/links/passport/verify-proof';
import { uploadArticle } from '@/lib/orders/briefs/articles';
import { openContent } from '@/lib/orders/deliverables/content';
import { listChecks } from '@/lib/orders/link-checks/queries';
import { createLink } from '@/lib/orders/requests/client-link';
import { findLink } from '@/lib/orders/requests/client-read';
import { getRequest } from '@/lib/orders/requests/queries';
import { contentStore } from '@/lib/platform/storage/store';
import { getSettings } from '@/lib/settings/settings';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { makeOrder } from '@/tests/factories/make-order';
import { makeAgency, makeRequest } from '@/tests/factories/make-request';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam } from '@/tests/factories/make-team';
import { makeToken } from '@/tests/factories/make-token';
import { makeUser } from '@/tests/factories/make-user';
import {
  archiveOf,
  everything,
  makeBackup,
  makeHistory,
  partsOf,
  uploadArchive,
  withBackups,
} from '@/tests/setup/backups';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, deliverOffer, watchOf } from '@/tests/setup/link-checks';

const { second } = withBackups();
let admin: Actor;
beforeEach(async () => {
  admin = await makeUser('Admin');
});

const proofsOf = (orderId: number) =>
  db().select().from(linkProofs).where(eq(linkProofs.orderId, orderId)).orderBy(desc(linkProofs.id));

/** The mails that a restore adds: one to every admin. */
const removeNotices = () => db().delete(mails).where(eq(mails.subject, 'A backup was restored'));

describe('a restore', () => {
  it('reports its progress while it runs, and none afterwards', async () => {
    const archive = await archiveOf(admin, await makeBackup(admin));
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      const { id } = await uploadArchive(owner, archive);
      const reader = await there.owner.reserve();
      await reader`begin`;
      await reader`select count(*) from niches`;
      const restoring = restoreBackup(owner, { id });
      await expect.poll(() => getRestoreProgress(id)).toBeGreaterThan(0);
      await reader`commit`;
      reader.release();
      await restoring;
      expect(await getRestoreProgress(id)).toBeNull();
    });
  });

  it('recreates every table, the books, the audit log and the files in a fresh installation', async () => {
    const { orderId } = await makeHistory(admin);
    await uploadArticle(admin, Readable.from([Buffer.from('written words')]), 'article.txt');
    await db().execute(sql`update mails set sent_at = now()`);
    const id = await makeBackup(admin);
    const archive = await archiveOf(admin, id);
    const [content] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
    const [article] = await db().select().from(briefArticles).where(eq(briefArticles.accountId, admin.userId));
    for (const row of [content, article]) await contentStore().delete(row?.storageKey ?? '');

    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      await sealAuditLogs();
      const { id: uploaded } = await uploadArchive(owner, archive);
      const report = await checkBackup(owner, { id: uploaded });
      expect(report).toMatchObject({ refusal: null, books: 'replace', files: 2, missingFiles: 0 });
      expect(report.changes).toContainEqual(expect.objectContaining({ name: 'public.orders', rowsNow: 0 }));

      await restoreBackup(owner, { id: uploaded });
      await expectSoundBooks();
      await removeNotices();
      // The actor keeps the account, and the audit lines of the restore follow the archive's.
      const added = ['public.users', 'public.accounts', 'public.account_members', ...appendOnlyTables.slice(2)];
      expect(await everything(added)).toEqual(await partsOf(uploaded, added));
      const known = await db().select().from(users).where(eq(users.id, owner.userId));
      expect(known).toMatchObject([{ role: 'Admin', status: 'Active' }]);
      expect(await db().select().from(sessions)).toEqual([]);
      await sealAuditLogs();
      expect(await verifyAuditChain()).toMatchObject({ isSound: true, waiting: 0 });
      const [newest] = await db().select().from(auditLogs).orderBy(sql`id desc`).limit(1);
      expect(newest).toMatchObject({ action: 'backup.restored', user: owner.email });
      expect((await buffer((await openContent(orderId)).stream)).toString()).toBe('delivered words');
      const stored = await contentStore().get(article?.storageKey ?? '');
      expect((await buffer(stored)).toString()).toBe('written words');

      // The installation works: numbers continue and money moves.
      const next = await makeOrder(900);
      expect(next.id).toBeGreaterThan(orderId);
      await expectSoundBooks();
    });
  });

  it('brings back teams with their members and requests, and no invitation, token or link', async () => {
    const { id: accountId, name: accountName, owner, projectId } = await makeAgency(0);
    const values = { projectIds: [projectId], monthlyLimitCents: 5_000 };
    const buyer = await joinTeam(await makeUser(), { accountId, accountName }, 'buyer', values);
    const request = await makeRequest({ id: accountId, projectId }, buyer, [1_000]);
    const { url } = await createLink(owner, request.id, { prices: 'none' });
    const everywhere = { projectIds: 'all', monthlyLimitCents: null } as const;
    await inviteMember(owner, accountId, { email: `${newId()}@example.com`, role: 'client', ...everywhere });
    await makeToken(owner.userId, ['read'], { accountId });
    const archive = await archiveOf(admin, await makeBackup(admin));
    await (await second()).run(async () => {
      const actor = await makeUser('Admin');
      await restoreBackup(actor, { id: (await uploadArchive(actor, archive)).id });
      const rows = db().select().from(accountMembers).orderBy(accountMembers.createdAt);
      expect(await rows.where(eq(accountMembers.userId, buyer.userId))).toMatchObject([
        { accountId: buyer.userId, role: 'owner', projectIds: null, monthlyLimitCents: null },
        { accountId, role: 'buyer', ...values },
      ]);
      expect(await getRequest(owner, request.id)).toMatchObject({
        state: 'open',
        link: null,
        lines: [{ cents: 1_000 }],
      });
      expect(await findLink(new URL(url).pathname.split('/').at(-1) ?? '')).toBeNull();
      expect(await listInvitations(owner, accountId)).toEqual([]);
      expect(await db().$count(apiTokens)).toBe(0);
    });
  });

  it('brings back links with their checks, schedule and passports, and the key that signs', async () => {
    const { id: orderId } = await deliverOffer();
    await checkLink(orderId, 'ok');
    const [watch, [proof]] = [await watchOf(orderId), await proofsOf(orderId)];
    const archive = await archiveOf(admin, await makeBackup(admin));

    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      const { id } = await uploadArchive(owner, archive);
      await db().insert(linkHosts).values({ host: 'blog.example.com', hour: new Date(), count: 30 });
      await restoreBackup(owner, { id });
      expect(await watchOf(orderId)).toEqual(watch);
      // The requests of this hour are not undone.
      expect(await db().select().from(linkHosts)).toHaveLength(1);
      const passport = await findProof(proof?.id ?? '');
      const verified = passport && (await verifyProof(passport, await listPublishedKeys(), proof?.id));
      expect(verified).toMatchObject({ state: 'valid' });

      const next = await checkLink(orderId, 'changed');
      const [first, second] = await listChecks(orderId, { limit: 50 });
      expect([first, second?.verdict]).toEqual([next, 'ok']);
      const [newest] = await proofsOf(orderId);
      expect(newest).toMatchObject({ keyId: proof?.keyId, checkId: next?.id });
      await expect(db().execute(sql`delete from link_checks`)).rejects.toThrow();
      await expect(db().execute(sql`update link_proofs set statement = ''`)).rejects.toThrow();
    });
  });

  it('can follow an older archive of the same source without duplicate audit lines', async () => {
    const source = await second();
    const archives = await source.run(async () => {
      const owner = await makeUser('Admin');
      const older = await archiveOf(owner, await makeBackup(owner));
      return [older, await archiveOf(owner, await makeBackup(owner))];
    });
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      for (const archive of archives) {
        const { id } = await uploadArchive(owner, archive);
        expect(await checkBackup(owner, { id })).toMatchObject({ refusal: null, books: 'replace' });
        await restoreBackup(owner, { id });
        await sealAuditLogs();
        expect(await verifyAuditChain()).toMatchObject({ isSound: true, faults: [] });
      }
    });
  });

  it('by an owner who is in the archive restores every table byte for byte', async () => {
    await makeHistory(admin);
    await db().execute(sql`update mails set sent_at = now() where sent_at is null`);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin', { email: admin.email });
      const { id } = await uploadArchive(owner, archive);
      await restoreBackup(owner, { id });
      await removeNotices();
      const restored = await everything(appendOnlyTables.slice(2));
      expect(restored).toEqual(await partsOf(id, appendOnlyTables.slice(2)));
      expect(await db().select().from(users).where(eq(users.email, admin.email))).toMatchObject([{ id: admin.userId }]);
    });
  });

  it('restores lost rows in place while no money has moved, and changes the catalogue version', async () => {
    const site = await makeSite((await makeUser('Seller')).userId, 5_000);
    const id = await makeBackup(admin);
    const version = await getCatalogueVersion();
    const linesBefore = await db().$count(auditLogs);
    await db().execute(sql`delete from sites where id = ${site}`);
    const late = await makeUser('User');
    const report = await checkBackup(admin, { id });
    expect(report).toMatchObject({ refusal: null, books: 'keep' });
    expect(report.changes.map(({ name }) => name).sort()).toEqual([
      ...['public.account_members', 'public.accounts', 'public.sites', 'public.users'],
    ]);

    await restoreBackup(admin, { id });
    expect(await db().execute(sql`select id from sites where id = ${site}`)).toHaveLength(1);
    expect(await db().select().from(users).where(eq(users.id, late.userId))).toEqual([]);
    expect(await getCatalogueVersion()).not.toBe(version);
    // The audit log keeps the lines written since.
    expect(await db().$count(auditLogs)).toBeGreaterThan(linesBefore);
    await sealAuditLogs();
    expect(await verifyAuditChain()).toMatchObject({ isSound: true });
    await expectSoundBooks();
  });

  it('applies at once to the settings that each process keeps', async () => {
    const write = (value: number) =>
      db()
        .insert(settings)
        .values({ key: 'counter', value })
        .onConflictDoUpdate({ target: settings.key, set: { value } });
    const read = async () => (await getSettings()).get('counter')?.value;
    await write(1);
    const id = await makeBackup(admin);
    await write(2);
    expect(await read()).toBe(2);
    await restoreBackup(admin, { id });
    expect(await read()).toBe(1);
  });

  it('discards the mails that were queued in the archive', async () => {
    await db().insert(mails).values({ id: newId(), kind: 'test', recipient: 'a@example.com', subject: 'Waits' });
    const id = await makeBackup(admin);
    await db().execute(sql`update mails set sent_at = now() where sent_at is null`);
    await restoreBackup(admin, { id });
    const waiting = await db().execute(
      sql`select subject, recipient from mails where sent_at is null and failed_at is null and recipient = ${admin.email}`,
    );
    expect(waiting).toEqual([{ subject: 'A backup was restored', recipient: admin.email }]);
  });
});
