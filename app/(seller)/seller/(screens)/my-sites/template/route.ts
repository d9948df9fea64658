import { createTemplateRoute } from '@/lib/sites/import/routes';

export const GET = createTemplateRoute('seller', 'seller');
