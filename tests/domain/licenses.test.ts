import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { createLicenseBody, licenseView, updateLicenseBody } from '@/lib/licenses/contract';
import { createLicense, deleteLicense, getLicense, listLicenses, updateLicense } from '@/lib/licenses/licenses';
import { deletePackage } from '@/lib/packages/packages';
import { makeUser } from '@/tests/factories/make-user';

let admin: Actor;
let packageId = 0;
beforeAll(async () => {
  admin = await makeUser('Admin');
  const [made] = await db().insert(packages).values({ name: 'Starter', priceCents: 1_000 }).returning();
  packageId = made?.id ?? 0;
});

const add = (body: Record<string, unknown> = {}) =>
  createLicense(admin, createLicenseBody.parse({ name: 'Plug-in', key: `KEY-${newId()}`, ...body }));
const edit = (id: number, body: Record<string, unknown>) => updateLicense(admin, id, updateLicenseBody.parse(body));

describe('a license', () => {
  it('is active by default, for a package and a user, or for neither', async () => {
    const person = await makeUser('User', { name: 'Ida' });
    const given = await add({ packageId: String(packageId), userId: person.userId });
    expect(licenseView(given)).toMatchObject({
      status: 'active',
      packageId,
      packageName: 'Starter',
      userId: person.userId,
      userName: 'Ida',
      version: 1,
    });
    expect(licenseView(await add({ packageId: '', userId: '' }))).toMatchObject({ packageId: null, userId: null });
  });

  it('has a unique key in any case', async () => {
    const { key } = await add({ key: `Mixed-${newId()}` });
    const taken = { code: 'conflict', details: { fields: { key: expect.any(String) } } };
    await expect(add({ key: key.toUpperCase() })).rejects.toMatchObject(taken);
    const other = await add();
    await expect(edit(other.id, { key: ` ${key} ` })).rejects.toMatchObject(taken);
  });

  it('assigns a key to one of twenty concurrent inserts', async () => {
    const key = `AT-ONCE-${newId()}`;
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => add({ key })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listLicenses({ q: key, limit: 25, offset: 0 })).total).toBe(1);
  });

  it('can be deactivated and activated, and rejects a stale edit', async () => {
    const { id } = await add();
    expect(await edit(id, { status: 'inactive' })).toMatchObject({ status: 'inactive', version: 2 });
    expect(await edit(id, { status: 'inactive' })).toMatchObject({ version: 2 });
    expect(await edit(id, { status: 'active' })).toMatchObject({ status: 'active', version: 3 });
    await expect(edit(id, { name: 'Late', version: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('rejects unknown references, and keeps those deleted later', async () => {
    await expect(add({ userId: newId() })).rejects.toMatchObject({
      details: { fields: { userId: expect.any(String) } },
    });
    await expect(add({ packageId: 999_999 })).rejects.toMatchObject({ code: 'invalid_input' });
    const [gone] = await db().insert(packages).values({ name: 'Gone', priceCents: 1 }).returning();
    const { id } = await add({ packageId: gone?.id });
    await deletePackage(admin, gone?.id ?? 0);
    expect(await edit(id, { name: 'Still there' })).toMatchObject({ name: 'Still there', packageName: 'Gone' });
    await expect(add({ packageId: gone?.id })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is found by name, key, package and user', async () => {
    const mark = newId();
    const person = await makeUser('User', { name: `Person ${mark}` });
    const made = await add({ name: `Name ${mark}`, key: `key_${mark}`, userId: person.userId, status: 'inactive' });
    const find = async (q: string, status?: 'active' | 'inactive') =>
      (await listLicenses({ q, status, limit: 25, offset: 0 })).rows.map(({ id }) => id);
    for (const q of [`name ${mark}`, `KEY_${mark}`, `person ${mark}`, person.email])
      expect(await find(q)).toEqual([made.id]);
    expect(await find(mark, 'active')).toEqual([]);
    expect(await find('key%')).toEqual([]);
  });

  it('is deleted permanently, and the audit log never contains a whole key', async () => {
    const { id, key } = await add({ key: `SECRET-${newId()}` });
    await edit(id, { key: `${key}-2` });
    await deleteLicense(admin, id);
    await expect(getLicense(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteLicense(admin, id)).rejects.toMatchObject({ code: 'not_found' });
    const lines = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, String(id)));
    const ofIt = lines.filter(({ entityType }) => entityType === 'license');
    expect(ofIt.map(({ action }) => action)).toEqual(['license.created', 'license.updated', 'license.deleted']);
    expect(JSON.stringify(ofIt)).not.toContain(key);
    expect(await add({ key })).toMatchObject({ key });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ key: '  ' }, 'key'],
    [{ key: 'two\nlines' }, 'key'],
    [{ status: 'paused' }, 'status'],
    [{ packageId: '1; drop' }, 'packageId'],
  ])('is rejected as %j', (body, field) => {
    const parsed = createLicenseBody.safeParse({ name: 'Plug-in', key: 'k', ...body });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  });
});
