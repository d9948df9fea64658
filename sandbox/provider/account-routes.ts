import { z } from 'zod';
import { json, type Reply, seeOther } from '@/sandbox/http/reply';
import { acceptsHtml, type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import type { Movement } from './account';
import type { ProviderConsole } from './console';

const blankIsNull = (value: unknown) => (value === '' ? null : value);
const daysAgo = z.coerce.number().int().min(0).max(80).default(0);
const payout = z.object({
  amount: z.preprocess(blankIsNull, z.union([z.null(), z.coerce.number().int().min(1)])).default(null),
  daysAgo,
});
const returned = z.object({ daysAgo });
const charged = z.object({ amount: z.coerce.number().int().min(1).max(99_999_999), daysAgo });

/** Controls of the account: payouts, fees, and payments of other shops. */
export function accountRoutes({ gateway, account }: Pick<ProviderConsole, 'gateway' | 'account'>): Route[] {
  const base = `/controls/${gateway.name}/account`;
  const post = (path: string, run: (fields: unknown) => Movement | null): Route => [
    'POST',
    `${base}/${path}`,
    async (request: GatewayRequest): Promise<Reply> => {
      let created: Movement | null;
      try {
        created = run(readFields(request));
      } catch (error) {
        if (error instanceof z.ZodError) return json(400, { error: { message: z.prettifyError(error) } });
        throw error;
      }
      await gateway.store.save();
      if (acceptsHtml(request)) return seeOther(`/#${gateway.name}`);
      if (!created) return json(409, { error: { message: 'There is no balance to move' } });
      return json(200, { movement: created, balance: account.balance() });
    },
  ];
  return [
    ['GET', base, () => json(200, { balance: account.balance(), movements: account.movements() })],
    post('pay-out', (fields) => {
      const movement = payout.parse(fields);
      return account.payOut(movement.amount, movement.daysAgo);
    }),
    post('fail-payout', (fields) => account.failPayout(returned.parse(fields).daysAgo)),
    post('charge-elsewhere', (fields) => {
      const movement = charged.parse(fields);
      return account.chargeElsewhere(movement.amount, movement.daysAgo);
    }),
    post('charge-fee', (fields) => {
      const movement = charged.parse(fields);
      return account.chargeFee(movement.amount, movement.daysAgo);
    }),
  ];
}
