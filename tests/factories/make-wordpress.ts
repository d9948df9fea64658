import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { siteWordpress } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { sealSecret } from '@/lib/platform/secrets';
import { wordpressSlot } from '@/lib/sites/wordpress/client';

/**
 * Connects a site below example.com, whose seller proves it, with its WordPress in the sandbox, as an author. Its articles
 * stay drafts.
 */
export async function makeWordPress({ userId: ownerId }: Pick<Actor, 'userId'>, siteId: number): Promise<void> {
  const [site] = await db().select({ url: sites.url, domain: sites.domain }).from(sites).where(eq(sites.id, siteId));
  const host = new URL(site?.url ?? '').hostname;
  await db()
    .insert(ownershipProofs)
    .values({
      sellerId: ownerId,
      domain: site?.domain ?? host,
      method: 'dns',
      verifiedAt: new Date(),
      checkedAt: new Date(),
    })
    .onConflictDoNothing();
  const back = 'http://127.0.0.1/';
  const response = await fetch(
    new URL(`/websites/${host}/wp-admin/authorize-application.php`, process.env.PUBLISHER_BASE_URL),
    {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        ...{
          app_name: `Test ${randomUUID()}`,
          app_id: '00000000-0000-4000-8000-000000000000',
          success_url: back,
          reject_url: back,
        },
        ...{ role: 'author', answer: 'approve' },
      }),
    },
  );
  const password = new URL(response.headers.get('location') ?? '').searchParams.get('password') ?? '';
  await db()
    .insert(siteWordpress)
    .values({
      ...{ siteId, ownerId, host, apiRoot: `https://${host}/wp-json/`, username: 'author', authorId: 3 },
      ...{ roles: ['author'], passwordUuid: 'unknown' },
      sealedPassword: sealSecret(wordpressSlot(siteId), password),
    });
}
