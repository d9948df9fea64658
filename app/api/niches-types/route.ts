import { route } from '@/lib/http/route';
import { listNiches, listPostTypes } from '@/lib/taxonomy/queries';

/** Both names of the contract for the post types: `types` and `postTypes`. */
export const GET = route({ access: 'session' }, async () => {
  const [niches, types] = await Promise.all([listNiches(), listPostTypes()]);
  return { niches, types, postTypes: types };
});
