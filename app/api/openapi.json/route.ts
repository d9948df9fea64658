import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { installedDocument } from './document';

/** The OpenAPI document for staff, which the API reference page displays. */
export const GET = route(
  {
    access: 'AdminDashboard',
    summary: 'Returns this document.',
    response: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
  async () => installedDocument(),
);
