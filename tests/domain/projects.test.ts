import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { getProjectOrderStats, getProjectSpend, listLiveLinks } from '@/lib/orders/order/project-figures';
import { listOrders } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { createProjectBody, listProjectsQuery } from '@/lib/projects/contract';
import {
  createProject,
  deleteProject,
  getProject,
  listProjectChoices,
  listProjects,
  listProjectsOf,
  updateProject,
} from '@/lib/projects/projects';
import { getMarketplaceData } from '@/lib/sites/preferences/marketplace';
import { saveView } from '@/lib/sites/preferences/preferences';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';

const typed = {
  domain: ' https://Shop.Example.com/path?x=1 ',
  description: 'Garden tools',
  niche: 'Beekeeping',
  postType: 'Guest posts',
  targetUrl: 'shop.example.com/spades',
  keywords: ' spade,, rake ,',
  country: 'USA',
};
const all = listProjectsQuery.parse({});
const project = createProjectBody.parse(typed);

describe('a project', () => {
  it('is normalized', () => {
    expect(project).toEqual({
      ...typed,
      domain: 'shop.example.com',
      targetUrl: 'https://shop.example.com/spades',
      keywords: 'spade, rake',
    });
    // The API accepts any country, in the spelling of the catalog where it is known.
    const country = (text: string) => createProjectBody.parse({ ...typed, country: text }).country;
    expect(['UK', 'deutschland', 'NOR', 'Atlantis'].map(country)).toEqual([
      ...['United Kingdom', 'Germany', 'Norway', 'Atlantis'],
    ]);
  });

  it.each(Object.keys(typed))('requires %s', (name) => {
    for (const value of ['', '   ', undefined, null, 5]) {
      const parsed = createProjectBody.safeParse({ ...typed, [name]: value });
      expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
    }
  });

  it.each([
    ['domain', 'no domain'],
    ['domain', 'localhost'],
    ['domain', `${'a'.repeat(64)}.example.com`],
    ['targetUrl', 'javascript:alert(1)'],
    ['targetUrl', 'ftp://example.com/x'],
    ['targetUrl', 'https://user:word@example.com/'],
    ['targetUrl', 'https://'],
    ['keywords', ' , ,'],
    ['keywords', `spade, ${'k'.repeat(101)}`],
    ['description', 'x'.repeat(2_001)],
  ])('rejects %s "%s"', (name, value) => {
    const parsed = createProjectBody.safeParse({ ...typed, [name]: value });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });

  it('of a member is named although it is older than those that are offered', async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const [oldest, gone, foreign] = [await makeProject(owner), await makeProject(owner), await makeProject(other)];
    await deleteProject(owner, gone);
    const values = { ...project, accountId: owner.accountId, createdAt: new Date(Date.now() + 1_000) };
    await db()
      .insert(projects)
      .values(Array.from({ length: 1_000 }, () => ({ ...values, id: newId() })));
    expect((await listProjectChoices(owner)).map(({ id }) => id)).not.toContain(oldest);
    const named = [{ id: oldest, domain: 'shop.example.com' }];
    expect(await listProjectsOf(owner, [oldest, gone, foreign])).toEqual(named);
    expect(await listProjectsOf({ ...owner, projectIds: [] }, [oldest])).toEqual([]);
  });

  it('belongs to its creator, newest first', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const first = await createProject(one, project);
    const second = await createProject(one, { ...project, domain: 'two.example.com' });
    await createProject(other, project);
    expect((await listProjects(one, all)).rows.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await listProjects(other, all)).total).toBe(1);
    expect((await listProjects(one, { limit: 1, offset: 1 })).rows.map(({ id }) => id)).toEqual([first.id]);
    expect(await listProjects(one, { limit: 1, offset: 2 })).toEqual({ rows: [], total: 2 });
    expect(await listProjectChoices(one)).toEqual([
      {
        id: second.id,
        domain: 'two.example.com',
        targetUrl: project.targetUrl,
        isLast: false,
        hidesLinked: false,
      },
      {
        id: first.id,
        domain: 'shop.example.com',
        targetUrl: project.targetUrl,
        isLast: false,
        hidesLinked: false,
      },
    ]);
  });

  it('is the one to choose first if the last order was for it', async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    const [first, second] = [await createProject(owner, project), await createProject(owner, project)];
    await createProject(other, project);
    const seller = await makeUser('Seller');
    await fundWallet(owner.userId, 10_000);
    const lastOf = async (actor: typeof owner) =>
      (await listProjectChoices(actor)).flatMap(({ id, isLast }) => (isLast ? id : []));
    for (const { id } of [first, second, first]) {
      await createOrder(owner, { kind: 'custom', projectId: id, siteIds: [await makeSite(seller.userId, 1_000)] });
      expect(await lastOf(owner)).toEqual([id]);
    }
    expect(await lastOf(other)).toEqual([]);
  });

  it('is deleted only by its owner, once, and audited', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const { id } = await createProject(owner, project);
    await expect(deleteProject(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteProject(owner, 'no-such-project')).rejects.toMatchObject({ code: 'not_found' });
    expect((await listProjects(owner, all)).total).toBe(1);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => deleteProject(owner, id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listProjects(owner, all)).toEqual({ rows: [], total: 0 });
    expect(await listProjectChoices(owner)).toEqual([]);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id)).orderBy(auditLogs.id);
    expect(lines.map(({ action, userId }) => [action, userId])).toEqual([
      ['project.created', owner.userId],
      ['project.deleted', owner.userId],
    ]);
  });

  it('is changed only by its owner, is audited with what changed, and its orders keep their texts', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    await fundWallet(owner.userId, 20_000);
    const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
    const { id } = await createProject(owner, project);
    await createOrder(owner, { kind: 'custom', projectId: id, siteIds });
    const changed = { ...project, keywords: 'hoe', country: 'Canada' };
    await expect(updateProject(stranger, id, changed)).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateProject(owner, 'no-such-project', changed)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getProject(owner, id)).toMatchObject(project);
    expect(await updateProject(owner, id, changed)).toMatchObject({ id, ...changed });
    // An unchanged project leaves no line in the audit log.
    await updateProject(owner, id, changed);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id)).orderBy(auditLogs.id);
    expect(lines.map(({ action }) => action)).toEqual(['project.created', 'project.updated']);
    expect(lines[1]).toMatchObject({
      before: { keywords: 'spade, rake', country: 'USA' },
      after: { keywords: 'hoe', country: 'Canada' },
    });
    const [order] = await db().select().from(orders).where(eq(orders.accountId, owner.userId));
    expect(order).toMatchObject({ projectKeywords: 'spade, rake' });
    await deleteProject(owner, id);
    await expect(updateProject(owner, id, changed)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not overwritten by an edit of an older version, and without a version always', async () => {
    const owner = await makeUser();
    const colleague = await joinTeam(await makeUser(), owner, 'buyer');
    const { id, version } = await createProject(owner, project);
    const edit = (keywords: string, base?: number) => updateProject(owner, id, { ...project, keywords, version: base });
    const results = await Promise.allSettled(['hoe', 'rake', 'fork'].map((keywords) => edit(keywords, version)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    let saved = await getProject(owner, id);
    expect(saved.version).toBe(version + 1);
    await expect(edit('shears', version)).rejects.toMatchObject({ code: 'conflict' });
    expect(await getProject(owner, id)).toEqual(saved);
    const view = `niche=Law&projectId=${id}&hideLinked=0`;
    for (const member of [owner, colleague]) await saveView(member, view);
    expect(await edit(saved.keywords, saved.version)).toEqual(saved);
    const readView = async (member = owner) => (await getMarketplaceData(member)).preferences.query;
    expect(await readView()).toBe(view);
    // A setting that is not sent stays as it is.
    const hiding = await updateProject(owner, id, { ...project, keywords: saved.keywords, hidesLinked: true });
    expect(hiding).toEqual({ ...saved, hidesLinked: true, version: saved.version + 1, updatedAt: hiding.updatedAt });
    for (const member of [owner, colleague]) expect(await readView(member)).toBe(`niche=Law&projectId=${id}`);
    saved = hiding;
    // Saving without changes keeps the version.
    expect(await edit(saved.keywords, saved.version)).toMatchObject({ version: saved.version });
    expect(await edit('shears')).toMatchObject({ keywords: 'shears', version: saved.version + 1 });
  });

  it('accepts no order once deleted; its orders keep its texts', async () => {
    const owner = await makeUser();
    await fundWallet(owner.userId, 20_000);
    const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
    const { id: projectId } = await createProject(owner, project);
    await createOrder(owner, { kind: 'custom', projectId, siteIds });
    await deleteProject(owner, projectId);
    await expect(createOrder(owner, { kind: 'custom', projectId, siteIds })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [order] = await db().select().from(orders).where(eq(orders.accountId, owner.userId));
    expect(order).toMatchObject({ projectDomain: 'shop.example.com', projectKeywords: 'spade, rake' });
  });
});

describe('the page of a project', () => {
  /** A buyer with a project, and a function that orders a site for it at a price in USD cents. */
  async function withOrders() {
    const owner = await makeUser();
    await fundWallet(owner.userId, 1_000_000);
    const seller = await makeUser('Seller');
    const projectId = await makeProject(owner);
    const order = async (priceCents: number, id = projectId) => {
      const siteIds = [await makeSite(seller.userId, priceCents)];
      const { orders: made } = await createOrder(owner, { kind: 'custom', projectId: id, siteIds });
      return made[0]?.id ?? 0;
    };
    return { owner, projectId, order, admin: await makeUser('Admin') };
  }

  it('is visible to its owner only, until the project is deleted', async () => {
    const { owner, projectId } = await withOrders();
    expect(await getProject(owner, projectId)).toMatchObject({ id: projectId, accountId: owner.userId });
    for (const other of [await makeUser(), await makeUser('Admin')]) {
      await expect(getProject(other, projectId)).rejects.toMatchObject({ code: 'not_found' });
    }
    await deleteProject(owner, projectId);
    await expect(getProject(owner, projectId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sums its cost from the books: net of refunds, with deleted orders', async () => {
    const { owner, projectId, order, admin } = await withOrders();
    expect(await getProjectSpend(projectId)).toEqual({ spentCents: 0, refundedCents: 0, unlistedCents: 0 });
    const [kept, refunded, deleted] = [await order(10_000), await order(7_000), await order(3_000)];
    await order(99_000, await makeProject(owner));
    expect(await getProjectSpend(projectId)).toEqual({ spentCents: 20_000, refundedCents: 0, unlistedCents: 0 });
    await updateOrder(admin, refunded, { status: 'Refunded' });
    await deleteOrder(admin, deleted);
    expect(await getProjectSpend(projectId)).toEqual({
      spentCents: 13_000,
      refundedCents: 7_000,
      unlistedCents: 3_000,
    });
    await updateOrder(admin, refunded, { status: 'Pending' });
    expect(await getProjectSpend(projectId)).toMatchObject({ spentCents: 20_000 });
    await updateOrder(admin, kept, { status: 'Refunded' });
    await deleteOrder(admin, kept);
    expect(await getProjectSpend(projectId)).toMatchObject({ spentCents: 10_000, unlistedCents: 3_000 });
  });

  it('lists its own orders, and those with a live link', async () => {
    const { owner, projectId, order, admin } = await withOrders();
    const [live, completed, refunded, waiting] = [
      await order(100),
      await order(100),
      await order(100),
      await order(100),
    ];
    const elsewhere = await order(100, await makeProject(owner));
    for (const id of [live, completed, refunded, elsewhere]) {
      await updateOrder(admin, id, { linkUrl: `https://news.example.com/${id}` });
    }
    await updateOrder(admin, completed, { status: 'Completed' });
    await updateOrder(admin, refunded, { status: 'Refunded' });
    await updateOrder(admin, waiting, { status: 'Processing' });
    expect((await listOrders(owner, { projectId, limit: 100 })).rows.map(({ id }) => id)).toEqual([
      waiting,
      refunded,
      completed,
      live,
    ]);
    expect(await getProjectOrderStats(projectId)).toMatchObject({
      total: { total: 4 },
      awaiting: { total: 1 },
      liveLinks: { total: 2 },
    });
    const links = await listLiveLinks(projectId, { limit: 10, offset: 0 });
    expect(links.rows.map(({ orderId, linkUrl, status }) => [orderId, linkUrl, status])).toEqual([
      [completed, `https://news.example.com/${completed}`, 'Completed'],
      [live, `https://news.example.com/${live}`, 'Live'],
    ]);
    expect(await listLiveLinks(projectId, { limit: 1, offset: 1 })).toMatchObject({
      rows: [{ orderId: live }],
      total: 2,
    });
    await deleteOrder(admin, completed);
    expect(await getProjectOrderStats(projectId)).toMatchObject({
      total: { total: 3 },
      awaiting: { total: 1 },
      links: { total: 1 },
      liveLinks: { total: 1 },
    });
    // Counted as live is what the newest check did not miss.
    await db().update(linkWatches).set({ verdict: 'broken' }).where(eq(linkWatches.orderId, live));
    expect(await getProjectOrderStats(projectId)).toMatchObject({ links: { total: 1 }, liveLinks: { total: 0 } });
  });
});
