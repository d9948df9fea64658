import { createTemplateRoute } from '@/lib/sites/import/template-route';

export const GET = createTemplateRoute('ManageSites', 'staff');
