import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { packageResponse, packageView } from '@/lib/packages/contract';
import { listOfferedPackages } from '@/lib/packages/packages';

/** Lists the packages on sale, cheapest first. */
export const GET = route(
  { access: 'session', summary: 'Lists the packages on sale, cheapest first.', response: z.array(packageResponse) },
  async () => (await listOfferedPackages()).map(packageView),
);
