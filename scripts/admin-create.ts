import { closeDb } from '@/db/client';
import { env } from '@/lib/env';
import { createAdmin } from '@/lib/users/first-admin';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run admin:create`: creates an admin who is independent of all others; also the first one on platforms that do not
 * run `npm start`, such as Vercel.
 */
runCommand(async (lifetime) => {
  await useEnvironment(lifetime);
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = env();
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) throw new Error('Set ADMIN_EMAIL and ADMIN_PASSWORD for the admin.');
  const result = await lifetime.own(createAdmin(ADMIN_EMAIL, ADMIN_PASSWORD), () => closeDb());
  const done =
    result === 'created' ? `The admin ${ADMIN_EMAIL} was created.` : 'This admin already exists; nothing was changed.';
  process.stdout.write(`${done}\n`);
  await lifetime.end(0);
});
