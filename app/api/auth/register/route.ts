import { registerRoute } from '@/lib/auth/register';

export const POST = registerRoute();
