import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';

/** What no handler has: answered as our addresses answer, not with a page. Every other handler goes before it. */
const nothing = route({ access: 'public', summary: 'What no handler has.', errors: ['not_found'] }, async () => {
  throw new AppError('not_found', 'There is nothing at this address.');
});

export const GET = nothing;
export const POST = nothing;
export const PUT = nothing;
export const PATCH = nothing;
export const DELETE = nothing;
export const OPTIONS = nothing;
