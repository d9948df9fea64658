import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { orders } from '@/db/schema/orders';
import { createOrder } from '@/lib/orders/create';
import { createProject } from '@/lib/projects/create';
import { deleteProject } from '@/lib/projects/delete';
import { listProjectChoices, listProjects } from '@/lib/projects/queries';
import { createProjectBody, listProjectsQuery } from '@/lib/projects/schemas';
import { fundWallet } from '../factories/fund-wallet';
import { makeSite } from '../factories/make-site';
import { makeUser } from '../factories/make-user';

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
  it('is brought into shape', () => {
    expect(project).toEqual({
      ...typed,
      domain: 'shop.example.com',
      targetUrl: 'https://shop.example.com/spades',
      keywords: 'spade, rake',
    });
  });

  it.each(Object.keys(typed))('needs %s', (name) => {
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
  ])('refuses %s "%s"', (name, value) => {
    const parsed = createProjectBody.safeParse({ ...typed, [name]: value });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });

  it('belongs to who made it, newest first', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const first = await createProject(one, project);
    const second = await createProject(one, { ...project, domain: 'two.example.com' });
    await createProject(other, project);
    expect((await listProjects(one, all)).rows.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await listProjects(other, all)).total).toBe(1);
    expect((await listProjects(one, { limit: 1, offset: 1 })).rows.map(({ id }) => id)).toEqual([first.id]);
    expect(await listProjects(one, { limit: 1, offset: 2 })).toEqual({ rows: [], total: 2 });
    expect(await listProjectChoices(one)).toEqual([
      { id: second.id, domain: 'two.example.com' },
      { id: first.id, domain: 'shop.example.com' },
    ]);
  });

  it('is deleted by its owner only, once, and the audit log tells', async () => {
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

  it('takes no order once deleted, and its orders keep its words', async () => {
    const owner = await makeUser();
    await fundWallet(owner.userId, 20_000);
    const siteIds = [await makeSite((await makeUser('Seller')).userId, 5_000)];
    const { id: projectId } = await createProject(owner, project);
    await createOrder(owner, { kind: 'custom', projectId, siteIds });
    await deleteProject(owner, projectId);
    await expect(createOrder(owner, { kind: 'custom', projectId, siteIds })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [order] = await db().select().from(orders).where(eq(orders.userId, owner.userId));
    expect(order).toMatchObject({ projectDomain: 'shop.example.com', projectKeywords: 'spade, rake' });
  });
});
