import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import type { Actor } from '@/lib/access/actor';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { createAnnouncement } from '@/lib/notifications/announcements';
import { deleteProject, listProjectChoices } from '@/lib/projects/projects';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { getMarketplaceData } from '@/lib/sites/preferences/marketplace';
import { saveFilterInput } from '@/lib/sites/preferences/schemas';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { saveFilter } from '@/lib/users/saved-filters';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';

/** The combined statement of a page returns the same as its separate queries, for one user. */
let ann: Actor;
let bob: Actor;

beforeEach(async () => {
  [ann, bob] = await Promise.all([makeUser(), makeUser()]);
});

describe("the marketplace's data", () => {
  it("contains the taxonomy, the catalogue version and the user's projects, newest first", async () => {
    await makeProject(ann, { domain: 'older.example.com' });
    const gone = await makeProject(ann, { domain: 'gone.example.com' });
    await deleteProject(ann, gone);
    await makeProject(ann, { domain: 'newer “quoted” \\ example.com' });
    const { niches, postTypes, version, projects } = await getMarketplaceData(ann);
    expect({ niches, postTypes }).toEqual(await getTaxonomy());
    expect(version).toBe(await getCatalogueVersion());
    expect(projects).toEqual(await listProjectChoices(ann));
    expect(projects.map(({ domain }) => domain)).toEqual(['newer “quoted” \\ example.com', 'older.example.com']);
    expect((await getMarketplaceData(bob)).projects).toEqual([]);
  });

  it('contains the saved filters by name', async () => {
    for (const name of ['Tech', 'Fashion', 'Pets'])
      await saveFilter(ann, saveFilterInput.parse({ name, query: 'minDr=40', overwrite: false }));
    const { savedFilters } = (await getMarketplaceData(ann)).preferences;
    expect(savedFilters.map(({ name }) => name)).toEqual(['Fashion', 'Pets', 'Tech']);
    expect((await getMarketplaceData(bob)).preferences.savedFilters).toEqual([]);
  });
});

describe('the layout of the customer area', () => {
  const alone = { balanceCents: 0, mayTopUp: true, isLimited: false, unread: 0, carts: [], requests: 0 };

  it("contains the user's own wallet balance and unread count", async () => {
    await db().delete(announcements);
    await fundWallet(ann.userId, 12_345);
    expect(await getBuyerLayout(ann)).toEqual({ ...alone, balanceCents: 12_345 });
    expect(await getBuyerLayout(bob)).toEqual(alone);
    const words = { title: 'Maintenance', message: 'Tonight at ten.', type: 'warning' as const };
    await createAnnouncement(await makeUser('Admin'), { ...words, audience: 'customers' });
    await createAnnouncement(await makeUser('Admin'), { ...words, audience: 'sellers' });
    expect(await getBuyerLayout(ann)).toEqual({ ...alone, balanceCents: 12_345, unread: 1 });
    expect(await getBuyerLayout(await makeUser('Seller'))).toEqual(alone);
  });
});
