import { type Column, moneyColumn } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { SettlementOutcome, SettlementType } from '@/db/schema/settlement';
import { providerNames } from '@/lib/payments/providers/names';
import type { SettlementLine } from '@/lib/payments/settlement/queries';

const typeNames: Readonly<Record<SettlementType, string>> = {
  charge: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  payout: 'Payout',
  payout_failure: 'Returned payout',
  conversion: 'Conversion',
  seller_payout: 'Payout to a seller',
  seller_payout_return: 'Returned payout to a seller',
  seller_payout_fee: 'Fee of payouts to sellers',
  other: 'Other',
};
export const outcomeNames: Readonly<Record<SettlementOutcome, string>> = {
  open: 'Open',
  booked: 'Booked',
  not_ours: 'Not ours',
};
const tones = { open: 'yellow', booked: 'green', not_ours: 'grey' } as const;

const Outcome = ({ line }: { line: SettlementLine }) => (
  <span className="grid justify-items-start gap-1">
    <Badge tone={tones[line.outcome]} dot>
      {outcomeNames[line.outcome]}
    </Badge>
    {line.reason === null ? null : <span className="wrap-anywhere text-muted text-xs">{line.reason}</span>}
  </span>
);

export const lineColumns: Column<SettlementLine>[] = [
  { header: 'Time', cell: ({ occurredAt }) => <TimeAgo at={occurredAt} className="whitespace-nowrap text-muted" /> },
  {
    header: 'Line',
    phone: 'title',
    cell: (line) => (
      <span className="block min-w-0">
        <span className="block text-ink">
          {providerNames[line.provider]} · {typeNames[line.type]}
        </span>
        <span className="wrap-anywhere block font-mono text-muted text-xs">{line.reference}</span>
      </span>
    ),
    className: 'w-1/4 min-w-48',
  },
  moneyColumn('Gross', ({ grossMinor, currency }) => [grossMinor, currency], 'text-ink', 'labeled'),
  moneyColumn('Fee', ({ feeMinor, currency }) => [feeMinor, currency], 'text-ink', 'labeled'),
  moneyColumn('Net', ({ netMinor, currency }) => [netMinor, currency], 'text-ink'),
  { header: 'Outcome', phone: 'line', cell: (line) => <Outcome line={line} />, className: 'w-1/4 min-w-40' },
];
