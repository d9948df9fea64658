import type { ClientRequest } from '@/lib/orders/requests/client-contract';

/** Says what a client's answer led to. @param agency the name of the agency; may be empty */
export function describeAnswer({ state, lines }: Pick<ClientRequest, 'state' | 'lines'>, agency: string): string {
  const approved = lines.filter((line) => line.state === 'approved').length;
  if (state === 'approved')
    return `Thank you. ${approved === lines.length ? 'All links were' : `${approved} of ${lines.length} links were`} approved.`;
  if (state === 'open' && approved > 0)
    return `Thank you, your answer was saved. ${agency || 'The agency'} will confirm the order.`;
  return 'Thank you, your answer was saved. Nothing was ordered.';
}
