import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';

/** The fallback for paths without a handler: responds in the API's error format instead of with a page. */
const nothing = route(
  { access: 'public', summary: 'Responds to requests for unknown paths.', errors: ['not_found'] },
  async () => {
    throw new AppError('not_found', 'No endpoint exists at this path.');
  },
);

export const GET = nothing;
export const POST = nothing;
export const PUT = nothing;
export const PATCH = nothing;
export const DELETE = nothing;
export const OPTIONS = nothing;
