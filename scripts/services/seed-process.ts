import { once } from 'node:events';
import { z } from 'zod';

/**
 * Started by `startServices`, as a process of its own because it reads the app's environment: loads while the database is
 * being made, and writes the demo data when it is sent that environment. It does nothing when the data is there.
 */
async function main(): Promise<void> {
  // Whoever waits for nothing but a message would end.
  process.channel?.ref();
  const [[sent], { seedDemo }, { closeDb }] = await Promise.all([
    once(process, 'message'),
    import('../seed/seed-demo'),
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
