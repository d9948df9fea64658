import { z } from 'zod';
import { route } from '@/lib/auth/route';

/** Liveness: the process answers. For supervisors that restart a process, so it does not depend on the database. */
export const GET = route(
  { access: 'public', summary: 'Whether the process answers.', answer: z.object({ status: z.literal('ok') }) },
  async () => ({ status: 'ok' as const }),
);
