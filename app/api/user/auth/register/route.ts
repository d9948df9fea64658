import { registerRoute } from '@/lib/auth/register-route';

export const POST = registerRoute();
