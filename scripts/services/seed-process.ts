import { once } from 'node:events';
import { z } from 'zod';

/**
 * Seeds the demo. Started by `startServices` as a separate process, because it reads the app's environment. It loads
 * while the database is created, and writes the demo data when it receives that environment. Does nothing when the data
 * exists.
 */
async function main(): Promise<void> {
  // Keeps the process alive until the message arrives.
  process.channel?.ref();
  const [[sent], { seedDemo }, { closeDb }] = await Promise.all([
    once(process, 'message'),
    import('@/scripts/seed/seed-demo'),
    import('@/db/client'),
  ]);
  process.channel?.unref();
  Object.assign(process.env, z.record(z.string(), z.string()).parse(sent));
  try {
    if (await seedDemo()) process.stdout.write('Demo data written.\n');
  } finally {
    await closeDb();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
