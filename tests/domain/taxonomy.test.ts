import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { taxonomyNameBody } from '@/lib/taxonomy/contract';
import { createTaxonomyName, deleteTaxonomyName } from '@/lib/taxonomy/names';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { makeUser } from '@/tests/factories/make-user';

const named = (type: string, name: string) => taxonomyNameBody.parse({ type, name });

describe.each([
  ['niche', 'niches'],
  ['type', 'postTypes'],
] as const)('a %s', (type, names) => {
  const list = async () => (await getTaxonomy())[names];

  it('is added once, in any case; blank input is ignored', async () => {
    const admin = await makeUser('Admin');
    const before = await list();
    const adding = ['Bee Keeping', ' bee keeping ', 'BEE KEEPING'].map((name) =>
      createTaxonomyName(admin, named(type, name)),
    );
    expect((await Promise.all(adding)).filter(Boolean)).toHaveLength(1);
    expect(await createTaxonomyName(admin, named(type, '   '))).toBe(false);
    const after = await list();
    expect(after).toHaveLength(before.length + 1);
    expect(after.map((name) => name.toLowerCase())).toContain('bee keeping');
  });

  it('is deleted, audited, and then not found', async () => {
    const admin = await makeUser('Admin');
    await createTaxonomyName(admin, named(type, 'R&D / Tech'));
    await deleteTaxonomyName(admin, named(type, 'R&D / Tech'));
    expect(await list()).not.toContain('R&D / Tech');
    await expect(deleteTaxonomyName(admin, named(type, 'R&D / Tech'))).rejects.toMatchObject({ code: 'not_found' });
    const lines = await db()
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(and(eq(auditLogs.entityId, 'R&D / Tech'), eq(auditLogs.userId, admin.userId)));
    expect(lines).toHaveLength(2);
  });
});

it('appears as the last tab when it is a new post type', async () => {
  const admin = await makeUser('Admin');
  await createTaxonomyName(admin, named('type', 'A first by name'));
  expect((await getTaxonomy()).postTypes.at(-1)).toBe('A first by name');
});
