import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';

/** Creates a buyer's project. @returns its id */
export async function makeProject(owner: Actor, values: Partial<typeof projects.$inferInsert> = {}): Promise<string> {
  const id = newId();
  await db()
    .insert(projects)
    .values({
      id,
      accountId: owner.accountId,
      domain: 'shop.example.com',
      description: 'A shop for garden tools',
      niche: 'General',
      postType: 'Guest posts',
      targetUrl: 'https://shop.example.com/spades',
      keywords: 'spade, rake, hoe',
      country: 'USA',
      ...values,
    });
  return id;
}
