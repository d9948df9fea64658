import { deleteNameRoute } from '@/lib/taxonomy/delete-route';

export const DELETE = deleteNameRoute('type');
