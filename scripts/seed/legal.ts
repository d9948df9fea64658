import type { Executor } from '@/db/client';
import { legalConsents, legalDocuments } from '@/db/schema/legal';
import { settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import { legalKey } from '@/lib/settings/legal/documents';
import { daysBefore } from './days';
import type { People } from './people';

const terms = `# What we do

We sell placements of links on websites of publishers. Each order names the site, the price and what we deliver.

# Orders and money

- You pay orders from your wallet. The price of an order is fixed when you place it.
- An order that is declined, expired or canceled is refunded to your wallet in full.
- If a link is lost during its guarantee, we refund the part that has not ripened.

# Content

You are responsible for the pages that your links point to. We decline orders that publishers do not accept.`;

/** Seeds two versions of the terms and one of the privacy policy, and the consents of the demo's users. */
export async function seedLegal(tx: Executor, people: People, now: Date): Promise<void> {
  const changedDaysAgo = 200;
  await tx.insert(legalDocuments).values([
    {
      kind: 'terms',
      version: 1,
      text: terms.replace('\n- If a link is lost during its guarantee, we refund the part that has not ripened.', ''),
      publishedBy: people.admin.id,
      publishedAt: daysBefore(now, 428),
    },
    {
      kind: 'terms',
      version: 2,
      text: terms,
      publishedBy: people.admin.id,
      publishedAt: daysBefore(now, changedDaysAgo),
    },
    {
      kind: 'privacy',
      version: 1,
      text: `# What we store

Your name, your email address, your orders and your payments. We keep them as long as the law requires.

# Who receives it

Publishers receive the brief of an order, but not your name. Payment providers receive what a payment requires.

# Your rights

Write to support@example.com to receive, correct or delete your data. This is a demo: all people in it are fictional.`,
      publishedBy: people.admin.id,
      publishedAt: daysBefore(now, 428),
    },
  ]);
  await tx.insert(settings).values({ key: legalKey, value: { terms: 2, privacy: 1 }, updatedBy: people.admin.id });
  const members = await tx.select({ id: users.id, role: users.role, createdAt: users.createdAt }).from(users);
  await tx.insert(legalConsents).values(
    members
      .filter(({ role }) => role !== 'Admin')
      .flatMap(({ id: userId, createdAt: agreedAt }) => [
        {
          userId,
          kind: 'terms' as const,
          version: agreedAt < daysBefore(now, changedDaysAgo) ? 1 : 2,
          agreedAt,
        },
        { userId, kind: 'privacy' as const, version: 1, agreedAt },
      ]),
  );
  // Who tries the demo signs in without a question.
  await tx
    .insert(legalConsents)
    .values(
      [people.buyer, people.seller].map(({ id: userId }) => ({
        ...{ userId, kind: 'terms' as const, version: 2 },
        agreedAt: daysBefore(now, changedDaysAgo - 1),
      })),
    )
    .onConflictDoNothing();
}
