import { eq, sql } from 'drizzle-orm';
import { systemActor } from '../lib/access/actor';
import { env } from '../lib/env';
import { recordAudit } from '../lib/platform/audit/record';
import { advisoryLock } from './advisory-locks';
import { db } from './client';
import { auditLogs } from './schema/audit';
import { users } from './schema/users';
import { seedHistory } from './seed/history';
import { demoEmails, seedPeople } from './seed/people';
import { seedProjects } from './seed/projects';
import { createRandom } from './seed/random';
import { seedReference } from './seed/reference';
import { seedSandboxPayments } from './seed/sandbox-payments';
import { seedSites } from './seed/sites';

/** The last thing a seeding writes; the audit log forgets nothing, so what people delete later does not come back. */
const seededAction = 'demo.seeded';

/**
 * Fills an empty installation with the demo: people, sites, packages, projects and some weeks of orders. Once: several
 * at the same moment queue, a repeat does nothing, and one that was cut short is carried on by the next.
 * @returns whether it wrote anything
 * @throws Error in production: the demo's passwords are printed in the README
 */
export async function seedDemo(now = new Date()): Promise<boolean> {
  if (env().APP_ENV === 'production') throw new Error('The demo data is not for production.');
  const lock = await db().$client.reserve();
  try {
    // Whoever is before us may take longer than a request's statement may wait.
    await lock`set statement_timeout = 0`;
    await lock`select pg_advisory_lock(${advisoryLock('seed')})`;
    await seedSandboxPayments(env());
    const done = await db()
      .select({ id: auditLogs.id })
      .from(auditLogs)
      .where(eq(auditLogs.action, seededAction))
      .limit(1);
    if (done.length > 0) return false;
    await seedInventory(now);
    await seedHistory(now);
    await recordAudit(db(), systemActor('Demo', 'script'), {
      action: seededAction,
      details: 'The demo data was written.',
      entityType: 'system',
      entityId: 'demo',
    });
    return true;
  } finally {
    await lock`select pg_advisory_unlock(${advisoryLock('seed')})`;
    await lock`reset statement_timeout`;
    lock.release();
  }
}

/** Everything that has no history, all or nothing. */
async function seedInventory(now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    const known = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, demoEmails.buyer));
    if (known.length > 0) return;
    const people = await seedPeople(tx, now);
    await seedReference(tx);
    await seedSites(tx, createRandom(20_250_116), people, now);
    await seedProjects(tx, people, now);
  });
}
