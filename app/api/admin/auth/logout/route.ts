import { logoutRoute } from '@/lib/auth/portal-routes';

export const POST = logoutRoute();
