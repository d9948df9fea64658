import { joinRoutes, route } from '@/lib/auth/route';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import {
  creditLineBody,
  decidedLineResponse,
  lineParams,
  returnLineBody,
} from '@/lib/payments/bank-transfers/contract';
import { creditLine } from '@/lib/payments/bank-transfers/credit';
import { returnLine } from '@/lib/payments/bank-transfers/resolve';
import { takeBackLine } from '@/lib/payments/bank-transfers/take-back';

const declared = {
  access: 'ManageWallets',
  recentAuthentication: true,
  response: decidedLineResponse,
  errors: ['not_found', 'conflict'],
  params: lineParams,
} as const;

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  credit: {
    POST: route(
      { ...declared, summary: 'Credits what arrived with a bank transfer to a buyer.', body: creditLineBody },
      async ({ actor, params, body }) => {
        const { status } = await creditLine(actor, params.id, body);
        deliverAfterResponse();
        return { status };
      },
    ),
  },
  return: {
    POST: route(
      {
        ...declared,
        summary: 'Closes a bank transfer without a credit, or takes its credit back.',
        body: returnLineBody,
      },
      async ({ actor, params, body: { outcome, ...body } }) => {
        if (outcome === 'taken_back') await takeBackLine(actor, params.id, body);
        else await returnLine(actor, params.id, { outcome, note: body.note });
        deliverAfterResponse();
        return { status: 'returned' as const };
      },
    ),
  },
});
