import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { features } from '@/db/schema/features';
import type { Actor } from '@/lib/access/actor';
import { createHighlight, deleteHighlight, listHighlights, updateHighlight } from '@/lib/settings/signup-highlights';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;

beforeEach(async () => {
  await db().delete(features);
  admin = await makeUser('Admin');
});

async function only() {
  const [row, ...others] = await listHighlights();
  if (!row || others.length > 0) throw new Error('There should be one.');
  return row;
}

describe('a sign-up highlight', () => {
  it('is listed in creation order, updated, deleted and audited', async () => {
    for (const name of ['Wallet', 'Audit']) await createHighlight(admin, { name, description: '' });
    expect((await listHighlights()).map(({ name }) => name)).toEqual(['Wallet', 'Audit']);
    const [first] = await listHighlights();
    if (!first) throw new Error('No feature.');
    await updateHighlight(admin, { id: first.id, version: first.version, name: 'One wallet', description: 'Prepaid.' });
    expect((await listHighlights())[0]).toMatchObject({ name: 'One wallet', description: 'Prepaid.' });
    await expect(deleteHighlight(admin, first)).rejects.toMatchObject({ code: 'conflict' });
    await deleteHighlight(admin, { id: first.id, version: first.version + 1 });
    await expect(deleteHighlight(admin, first)).rejects.toMatchObject({ code: 'not_found' });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, first.id));
    expect(lines.map(({ action }) => action)).toEqual(['feature.created', 'feature.changed', 'feature.deleted']);
  });

  it('has a unique name in any case, also with ten concurrent inserts', async () => {
    const adding = Array.from({ length: 10 }, (_, index) =>
      createHighlight(admin, { name: index % 2 ? 'WALLET' : 'wallet', description: '' }),
    );
    const outcomes = await Promise.allSettled(adding);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await createHighlight(admin, { name: 'Other', description: '' });
    const other = (await listHighlights()).find(({ name }) => name === 'Other');
    if (!other) throw new Error('No other.');
    await expect(updateHighlight(admin, { ...other, name: 'Wallet' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('accepts one of several concurrent edits, and rejects the others as stale', async () => {
    await createHighlight(admin, { name: 'Wallet', description: '' });
    const row = await only();
    const edits = ['A', 'B', 'C'].map((name) => updateHighlight(admin, { ...row, name }));
    const outcomes = await Promise.allSettled(edits);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
