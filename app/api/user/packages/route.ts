import { z } from 'zod';
import { route } from '@/lib/http/route';
import { packageAnswer } from '@/lib/packages/answers';
import { listOfferedPackages } from '@/lib/packages/queries';
import { packageView } from '@/lib/packages/views';

/** What can be ordered now, the cheapest first. */
export const GET = route(
  { access: 'session', summary: 'What can be ordered now, the cheapest first.', answer: z.array(packageAnswer) },
  async () => (await listOfferedPackages()).map(packageView),
);
