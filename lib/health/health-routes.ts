import { z } from 'zod';
import { AppError } from '../errors';
import { route } from '../http/route';
import { readiness } from './readiness';

const ok = z.literal('ok');

/** /api/health/live: the process answers. Whoever restarts processes asks this: a new one would not mend a database. */
export const liveRoute = route(
  { access: 'public', summary: 'Whether the process answers.', answer: z.object({ status: ok }) },
  async () => ({ status: 'ok' as const }),
);

/** /api/health: it can do all its work. Whoever sends people here, or watches, asks this. */
export const readyRoute = route(
  {
    access: 'public',
    summary: 'Whether the process is ready: database, migrations, content store, and not about to end.',
    answer: z.object({
      status: ok,
      checks: z.object({ process: ok, database: ok, migrations: ok, contentStore: ok }),
    }),
  },
  async () => {
    const checks = await readiness();
    const failing = Object.entries(checks).filter(([, isOk]) => !isOk);
    if (failing.length > 0) {
      throw new AppError('unavailable', `Not ready: ${failing.map(([name]) => name).join(', ')}.`, {
        fields: Object.fromEntries(failing.map(([name]) => [name, 'failing'])),
        retryAfterSeconds: 5,
      });
    }
    const status = 'ok' as const;
    return { status, checks: { process: status, database: status, migrations: status, contentStore: status } };
  },
);
