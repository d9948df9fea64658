import { closeDb } from '@/db/client';
import { env } from '@/lib/env';
import { ensureFirstAdmin } from '@/lib/users/ensure-first-admin';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/** `npm run admin:create`: creates the first admin on platforms that do not run `npm start`, such as Vercel. */
runCommand(async (lifetime) => {
  await useEnvironment(lifetime);
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = env();
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) throw new Error('Set ADMIN_EMAIL and ADMIN_PASSWORD for the first admin.');
  const result = await lifetime.own(ensureFirstAdmin(ADMIN_EMAIL, ADMIN_PASSWORD), () => closeDb());
  const done =
    result === 'created' ? `The first admin is ${ADMIN_EMAIL}.` : 'An admin already exists; nothing was changed.';
  process.stdout.write(`${done}\n`);
  await lifetime.end(0);
});
