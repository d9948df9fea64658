import { eq, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { recordAudit } from '@/lib/platform/audit/record';
import { seedAhrefsKey } from './ahrefs-key';
import { seedDesk } from './desk';
import { seedHistory } from './history';
import { seedLegal } from './legal';
import { seedOwnership, seedPublishedOwnership } from './ownership';
import { demoEmails, seedPeople } from './people';
import { seedPresence } from './presence';
import { seedProjects } from './projects';
import { seedPublishedPages } from './published-pages';
import { createRandom } from './random';
import { seedReference } from './reference';
import { seedSandboxPayments } from './sandbox-payments';
import { seedSites } from './sites';
import { seedTeam } from './team';
import { seedTokens } from './tokens';
import { publishReceiver, seedWebhooks } from './webhooks';

/** The last entry that the seed writes. The audit log is append-only, so records that users delete later are not seeded again. */
const seededAction = 'demo.seeded';

/**
 * Seeds an empty installation with the demo: users, sites, packages, projects and some weeks of orders. Concurrent calls
 * wait for each other, a repeat does nothing, and an interrupted seed is continued by the next call.
 * @returns whether it wrote anything
 * @throws Error in production, because the passwords of the demo are public
 */
export async function seedDemo(now = new Date()): Promise<boolean> {
  if (env().APP_ENV === 'production') throw new Error('Demo data cannot be written in production.');
  const lock = await db().$client.reserve();
  try {
    // A concurrent seed may take longer than the statement_timeout of a request.
    await lock`set statement_timeout = 0`;
    await lock`select pg_advisory_lock(${advisoryLock('seed')})`;
    await seedSandboxPayments(env());
    const done = await db()
      .select({ id: auditLogs.id })
      .from(auditLogs)
      .where(eq(auditLogs.action, seededAction))
      .limit(1);
    if (done.length > 0) {
      // A sandbox that lost its state would serve no page, and every link would be broken.
      await seedPublishedPages();
      await seedPublishedOwnership();
      await publishReceiver();
      return false;
    }
    await seedInventory(now);
    // The history dates back its entries of the audit log, which a seal would no longer match.
    await lock`select pg_advisory_lock(${advisoryLock('sealing')})`;
    await seedHistory(now);
    await seedDesk(now);
    await seedTeam(now);
    await seedPresence(now);
    await lock`select pg_advisory_unlock(${advisoryLock('sealing')})`;
    await seedPublishedPages({ replaces: true });
    await seedPublishedOwnership();
    await seedWebhooks(now);
    await recordAudit(db(), systemActor('Demo', 'script'), {
      action: seededAction,
      details: 'The demo data was created.',
      entityType: 'system',
      entityId: 'demo',
    });
    return true;
  } finally {
    await lock`select pg_advisory_unlock_all()`;
    await lock`reset statement_timeout`;
    lock.release();
  }
}

/** Seeds everything without a history, in one transaction. */
async function seedInventory(now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    const known = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, demoEmails.buyer));
    if (known.length > 0) return;
    const people = await seedPeople(tx, now);
    await seedReference(tx, now);
    await seedLegal(tx, people, now);
    await seedSites(tx, createRandom(20_250_116), people, now);
    await seedOwnership(tx, people, now);
    await seedProjects(tx, people, now);
    await seedTokens(tx, people, now);
    await seedAhrefsKey(tx);
  });
}
