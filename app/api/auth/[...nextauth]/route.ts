import { nextAuthRoute } from '@/lib/auth/next-auth-route';

export const GET = nextAuthRoute('GET');
export const POST = nextAuthRoute('POST');
