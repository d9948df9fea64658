import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { approvePayout } from '@/lib/payouts/approve';
import {
  adminPayoutResponse,
  adminPayoutView,
  approvePayoutBody,
  markFailedBody,
  markPaidBody,
  payoutIdParams,
} from '@/lib/payouts/contract';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { payoutMethodDetailsResponse } from '@/lib/payouts/methods/contract';
import { viewMethodDetails } from '@/lib/payouts/methods/show';
import { cancelUnclaimedPayout } from '@/lib/payouts/paypal/staff-actions';
import { getPayout } from '@/lib/payouts/queries';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  approve: {
    POST: route(
      {
        access: 'ManagePayouts',
        recentAuthentication: true,
        params: payoutIdParams,
        summary: 'Approves a requested payout. Above the limit of the rules, the approvals of two persons are needed.',
        response: adminPayoutResponse,
        errors: ['not_found', 'forbidden', 'conflict'],
        body: approvePayoutBody,
      },
      async ({ actor, params, body }) => {
        await approvePayout(actor, params.id, body.version);
        deliverAfterResponse();
        return adminPayoutView(await getPayout(params.id));
      },
    ),
  },
  cancel: {
    POST: route(
      {
        access: 'ManagePayouts',
        recentAuthentication: true,
        params: payoutIdParams,
        summary: 'Cancels a payout that its recipient has not claimed at PayPal.',
        response: adminPayoutResponse,
        errors: ['not_found', 'forbidden', 'conflict', 'not_configured', 'provider_failed'],
      },
      async ({ actor, params }) => {
        await cancelUnclaimedPayout(actor, params.id);
        deliverAfterResponse();
        return adminPayoutView(await getPayout(params.id));
      },
    ),
  },
  failed: {
    POST: route(
      {
        access: 'ManagePayouts',
        recentAuthentication: true,
        params: payoutIdParams,
        summary: 'Records that a payout was declined, failed, or was returned after it was paid.',
        response: adminPayoutResponse,
        errors: ['not_found', 'forbidden', 'conflict'],
        body: markFailedBody,
      },
      async ({ actor, params, body }) => {
        await markPayoutFailed(actor, params.id, body);
        deliverAfterResponse();
        return adminPayoutView(await getPayout(params.id));
      },
    ),
  },
  method: {
    GET: route(
      {
        access: 'ManagePayouts',
        recentAuthentication: true,
        params: payoutIdParams,
        summary: 'Returns the details of the method that a payout goes to. The audit log records each request.',
        response: payoutMethodDetailsResponse,
        errors: ['not_found'],
      },
      ({ actor, params }) => viewMethodDetails(actor, params.id),
    ),
  },
  paid: {
    POST: route(
      {
        access: 'ManagePayouts',
        recentAuthentication: true,
        params: payoutIdParams,
        summary: 'Records that an approved payout was paid.',
        response: adminPayoutResponse,
        errors: ['not_found', 'forbidden', 'conflict'],
        body: markPaidBody,
      },
      async ({ actor, params, body }) => {
        await markPayoutPaid(actor, params.id, body);
        deliverAfterResponse();
        return adminPayoutView(await getPayout(params.id));
      },
    ),
  },
});
