import { joinRoutes } from '@/lib/auth/route';
import { deleteNameRoute } from '@/lib/taxonomy/names';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  niche: { DELETE: deleteNameRoute('niche') },
  type: { DELETE: deleteNameRoute('type') },
});
