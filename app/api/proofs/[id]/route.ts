import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { findProof, proofResponse } from '@/lib/links/passport/proofs';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

export const GET = route(
  {
    access: 'public',
    summary: 'Returns a link passport: the signed statement of what a check of a link found.',
    description:
      'The signature is Ed25519 over the UTF-8 bytes of `statement`. The key `keyId` is published at /.well-known/linkmarket-keys.',
    params: z.object({ id: z.string() }),
    response: proofResponse,
    errors: ['not_found', 'rate_limited'],
  },
  async ({ params: { id }, ip }) => {
    await consumeLimit('proof', { account: '', address: ip });
    const proof = await findProof(id);
    if (!proof) throw new AppError('not_found', 'There is no passport with this id.');
    return proof;
  },
);
