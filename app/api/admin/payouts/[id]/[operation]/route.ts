import type { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { joinRoutes, route } from '@/lib/auth/route';
import type { ErrorCode } from '@/lib/errors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approvePayout } from '@/lib/payouts/approve';
import {
  adminPayoutResponse,
  adminPayoutView,
  approvePayoutBody,
  markPaidBody,
  payoutIdParams,
  payoutReasonBody,
} from '@/lib/payouts/contract';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { payoutMethodDetailsResponse } from '@/lib/payouts/methods/contract';
import { viewMethodDetails } from '@/lib/payouts/methods/show';
import { cancelUnclaimedPayout } from '@/lib/payouts/paypal/staff-actions';
import { getPayout } from '@/lib/payouts/queries';
import { requestPayoutReturn } from '@/lib/payouts/return';

const one = { access: 'ManagePayouts', recentAuthentication: true, params: payoutIdParams } as const;

/** Declares a change of a payout, after which the payout is returned. */
const change = <Body extends z.ZodType>(
  declared: { summary: string; body?: Body; errors?: readonly ErrorCode[] },
  apply: (actor: Actor, id: string, input: z.output<Body>) => Promise<unknown>,
) => ({
  POST: route(
    { ...one, response: adminPayoutResponse, errors: ['not_found', 'forbidden', 'conflict'], ...declared },
    async ({ actor, params, body }) => {
      await apply(actor, params.id, body);
      deliverAfterResponse();
      return adminPayoutView(await getPayout(params.id));
    },
  ),
});

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: change(
    {
      summary: 'Approves a requested payout. Above the limit of the rules, the approvals of two persons are needed.',
      body: approvePayoutBody,
    },
    (actor, id, { version }) => approvePayout(actor, id, version),
  ),
  cancel: change(
    {
      summary: 'Cancels a payout that its recipient has not claimed at PayPal.',
      errors: ['not_found', 'forbidden', 'conflict', 'not_configured', 'provider_failed'],
    },
    cancelUnclaimedPayout,
  ),
  failed: change(
    {
      summary: 'Declines a requested payout, or records that an approved one, which was not sent, is not paid.',
      body: payoutReasonBody,
    },
    markPayoutFailed,
  ),
  method: {
    GET: route(
      {
        ...one,
        summary: 'Returns the details of the method that a payout goes to. The audit log records each request.',
        response: payoutMethodDetailsResponse,
        errors: ['not_found'],
      },
      ({ actor, params }) => viewMethodDetails(actor, params.id),
    ),
  },
  paid: change({ summary: 'Records that an approved payout was paid.', body: markPaidBody }, markPayoutPaid),
  return: change(
    {
      summary:
        'Requests that a payout that was sent or paid is returned to the seller’s balance. A second person approves it.',
      body: payoutReasonBody,
    },
    requestPayoutReturn,
  ),
});
