import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { checkBackup } from '@/lib/backup/check';
import { restoreBackup } from '@/lib/backup/restore';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTopup } from '@/tests/factories/make-topup';
import { makeUser } from '@/tests/factories/make-user';
import { archiveOf, everything, makeBackup, uploadArchive, withBackups } from '@/tests/setup/backups';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

const { second } = withBackups();
let admin: Actor;
beforeEach(async () => {
  admin = await makeUser('Admin');
});

/** A buyer is on the provider's checkout page. */
async function beginTopup(userId: string, status: 'created' | 'pending') {
  const providerReference = status === 'pending' ? `cs_${newId()}` : null;
  await makeTopup({ userId }, { mode: 'sandbox', amountCents: 2_500, providerReference, status });
}

describe('a restore', () => {
  it('is refused after money moved, and in an installation with its own books', async () => {
    const id = await makeBackup(admin);
    await fundWallet((await makeUser()).userId, 100);
    expect(await checkBackup(admin, { id })).toMatchObject({ refusal: expect.stringContaining('Money has moved') });
    const before = await everything();
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await everything()).toEqual(before);

    const archive = await archiveOf(admin, id);
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      await fundWallet(owner.userId, 100);
      const { id: uploaded } = await uploadArchive(owner, archive);
      expect(await checkBackup(owner, { id: uploaded })).toMatchObject({
        refusal: expect.stringContaining('its own books'),
      });
      await expect(restoreBackup(owner, { id: uploaded })).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  it('is refused while a top-up is open, because its payment would be lost', async () => {
    const id = await makeBackup(admin);
    const buyer = await makeUser();
    await beginTopup(buyer.userId, 'pending');
    expect(await checkBackup(admin, { id })).toMatchObject({ refusal: expect.stringContaining('started a top-up') });
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await db().select().from(topups).where(eq(topups.accountId, buyer.userId))).toMatchObject([
      { status: 'pending' },
    ]);
    // A top-up that the archive contains is restored with it.
    await restoreBackup(admin, { id: await makeBackup(admin) });

    const archive = await archiveOf(admin, await makeBackup(admin));
    const there = await second();
    await there.run(async () => {
      const owner = await makeUser('Admin');
      const { id: uploaded } = await uploadArchive(owner, archive);
      await beginTopup(owner.userId, 'created');
      await expect(restoreBackup(owner, { id: uploaded })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('adding money'),
      });
      await db().update(topups).set({ status: 'expired' });
      await restoreBackup(owner, { id: uploaded });
    });
  });

  it('checks the actor again after reading the archive, and serializes concurrent restores', async () => {
    const id = await makeBackup(admin);
    const fallen = await makeUser('Admin');
    await db().update(users).set({ role: 'User' }).where(eq(users.id, fallen.userId));
    await expect(restoreBackup(fallen, { id })).rejects.toMatchObject({ code: 'forbidden' });
    const newest = await makeBackup(admin);
    const results = await Promise.allSettled([
      restoreBackup(admin, { id: newest }),
      restoreBackup(admin, { id: newest }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await db().select().from(users).where(eq(users.id, fallen.userId))).toMatchObject([{ role: 'User' }]);
    await expectSoundBooks();
  });

  it("keeps the actor's access", async () => {
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, admin.userId));
    const id = await makeBackup(admin);
    await db().update(users).set({ status: 'Active' }).where(eq(users.id, admin.userId));
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is Suspended'),
    });
    expect(await db().select().from(users).where(eq(users.id, admin.userId))).toMatchObject([{ status: 'Active' }]);
  });

  it('by staff leaves users with more permissions unchanged', async () => {
    const staff = await makeStaff('ManageBackups');
    const other = await makeUser('Admin');
    const id = await makeBackup(admin);
    for (const change of [
      { passwordHash: 'a new one' },
      { email: `${newId()}@example.com` },
      { totpSecret: 'sealed', totpEnabledAt: new Date() },
    ]) {
      await db().update(users).set(change).where(eq(users.id, other.userId));
      await expect(restoreBackup(staff, { id })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('who has more permissions than you'),
      });
      expect(await db().select().from(users).where(eq(users.id, other.userId))).toMatchObject([change]);
      await restoreBackup(admin, { id });
    }
    // An admin created later would be deleted.
    const late = await makeUser('Admin');
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await db().update(users).set({ role: 'User' }).where(eq(users.id, late.userId));
    await restoreBackup(staff, { id });
  });

  it('grants no one more permissions than the actor has', async () => {
    const staff = await makeStaff('ManageBackups');
    const fallen = await makeUser('Admin');
    const id = await makeBackup(admin);
    await db().update(users).set({ role: 'User' }).where(eq(users.id, fallen.userId));
    const before = await everything();
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(fallen.email),
    });
    expect(await everything()).toEqual(before);
    // The actor's own permissions may be granted, and an admin may grant all.
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, fallen.userId));
    await expect(restoreBackup(staff, { id })).rejects.toMatchObject({ code: 'forbidden' });
    await restoreBackup(admin, { id });
    expect(await db().select().from(users).where(eq(users.id, fallen.userId))).toMatchObject([{ role: 'Admin' }]);
    await restoreBackup(staff, { id: await makeBackup(admin) });
  });
});
