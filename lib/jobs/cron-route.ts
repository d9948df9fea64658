import { z } from 'zod';
import { bearerToken } from '@/lib/auth/current-actor';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { isEqualConstantTime } from '@/lib/platform/secrets';
import { jobs, runJobs } from './jobs';

const jobsResponse = z.object({
  jobs: z.array(z.object({ name: z.string(), ok: z.boolean(), figures: z.record(z.string(), z.number()) })),
});

/** Serves /api/jobs/run, which runs every job once for an external cron. Requires CRON_SECRET; 404 if it is not set. */
export const createCronRoute = () =>
  route(
    {
      access: 'public',
      summary: "Runs every job once, for a platform's cron service.",
      response: jobsResponse,
      errors: ['unauthenticated', 'not_found'],
      proof: 'cron secret',
    },
    async ({ request }) => {
      const { CRON_SECRET } = env();
      if (!CRON_SECRET) throw new AppError('not_found', 'No endpoint exists at this path.');
      if (!isEqualConstantTime(bearerToken(request.headers.get('authorization')) ?? '', CRON_SECRET)) {
        throw new AppError('unauthenticated', 'The cron secret is missing or incorrect.');
      }
      return { jobs: await runJobs(jobs) };
    },
  );
