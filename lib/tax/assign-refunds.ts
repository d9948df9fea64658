/** A charge or a refund of an order: the ledger's key of its net transfer, and the net amount in USD cents. */
type Movement = { kind: 'charge' | 'refund'; key: string; netCents: number };

/** The part of a charge that a refund returns. */
export type Assigned = { chargeKey: string; refundKey: string; netCents: number };

/**
 * Assigns refunds to the charges before them: that of a paid change to its charge, and every other to those that were
 * not returned yet, the oldest first. Paid changes come last, because the newest may be open: its price returns apart.
 * @param movements of one order, in their order
 */
export function assignRefunds(movements: readonly Movement[]): Assigned[] {
  const assigned: Assigned[] = [];
  for (const [index, refund] of movements.entries()) {
    if (refund.kind === 'charge') continue;
    const before = movements
      .slice(0, index)
      .filter(({ kind }) => kind === 'charge')
      .sort((one, other) => Number(isChange(one)) - Number(isChange(other)));
    const own = before.filter(({ key }) => refund.key === `${key}:refund`);
    let left = refund.netCents;
    for (const charge of own.length > 0 ? own : before) {
      const returned = assigned.reduce((sum, one) => sum + (one.chargeKey === charge.key ? one.netCents : 0), 0);
      const netCents = Math.min(left, charge.netCents - returned);
      if (netCents > 0) assigned.push({ chargeKey: charge.key, refundKey: refund.key, netCents });
      left -= Math.max(netCents, 0);
    }
  }
  return assigned;
}

const isChange = ({ key }: Movement): boolean => key.startsWith('change:');
