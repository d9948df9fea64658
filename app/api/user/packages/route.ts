import { route } from '@/lib/http/route';
import { listOfferedPackages } from '@/lib/packages/queries';
import { packageView } from '@/lib/packages/views';

/** What can be ordered now, the cheapest first. */
export const GET = route({ access: 'session' }, async () => (await listOfferedPackages()).map(packageView));
