import { deleteNameRoute } from '@/lib/taxonomy/names';

export const DELETE = deleteNameRoute('niche');
