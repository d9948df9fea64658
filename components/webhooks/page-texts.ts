import type { Scope } from '@/lib/developers/webhooks/rights';

export const webhooksTitle = 'Webhooks';
export const webhooksDescription: Record<Scope, string> = {
  own: 'Send signed events about your orders and payments to your own programs.',
  installation: 'Send signed events of the whole marketplace to your own programs.',
};
