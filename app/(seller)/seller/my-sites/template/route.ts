import { templateRoute } from '@/lib/sites/import/template-route';

export const GET = templateRoute('seller', 'seller');
