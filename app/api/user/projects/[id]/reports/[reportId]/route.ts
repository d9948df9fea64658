import { route } from '@/lib/auth/route';
import { reportIdParams } from '@/lib/orders/client-reports/contract';
import { revokeReport } from '@/lib/orders/client-reports/reports';

export const DELETE = route(
  {
    access: 'account:orders',
    scope: 'orders:write',
    params: reportIdParams,
    summary: 'Revokes a client report: its address stops working.',
    errors: ['not_found'],
  },
  ({ actor, params: { id, reportId } }) => revokeReport(actor, id, reportId),
);
