import { loginRoute } from '@/lib/auth/portal-routes';

export const POST = loginRoute('admin');
