import { db } from '@/db/client';
import { linkChecks } from '@/db/schema/links';

type Check = typeof linkChecks.$inferInsert;

/** Inserts a check of an order's link that found it in place. */
export async function makeLinkCheck(orderId: number, change: Partial<Check> = {}) {
  const [check] = await db()
    .insert(linkChecks)
    .values({
      orderId,
      cause: 'schedule',
      pageUrl: 'https://blog.example.org/post',
      finalUrl: 'https://blog.example.org/post/',
      targetUrl: 'https://shop.example.com/',
      verdict: 'ok',
      status: 200,
      found: true,
      rel: 'nofollow',
      anchor: 'garden spades',
      indexable: true,
      textHash: 'ab'.repeat(32),
      ...change,
    })
    .returning();
  if (!check) throw new Error('The check was not inserted.');
  return check;
}
