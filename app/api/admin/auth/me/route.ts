import { meRoute } from '@/lib/auth/portal-routes';

export const GET = meRoute('admin');
