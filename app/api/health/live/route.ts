import { z } from 'zod';
import { route } from '@/lib/auth/route';

/** Liveness: the process responds. For supervisors that restart a process; independent of the database. */
export const GET = route(
  {
    access: 'public',
    summary: 'Returns whether the process responds.',
    response: z.object({ status: z.literal('ok') }),
  },
  async () => ({ status: 'ok' as const }),
);
