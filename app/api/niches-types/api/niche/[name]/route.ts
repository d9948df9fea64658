import { deleteNameRoute } from '@/lib/taxonomy/delete';

export const DELETE = deleteNameRoute('niche');
