import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { checkReadiness } from '@/lib/platform/lifecycle/readiness';

const ok = z.literal('ok');

/** Readiness: all dependencies are available. For load balancers and monitoring. */
export const GET = route(
  {
    access: 'public',
    summary:
      'Returns whether the process is ready: database, migrations and content store are available and no shutdown is pending.',
    response: z.object({
      status: ok,
      checks: z.object({ process: ok, database: ok, migrations: ok, contentStore: ok }),
    }),
  },
  async () => {
    const checks = await checkReadiness();
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
