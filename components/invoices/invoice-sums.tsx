import type { ReactNode } from 'react';
import type { InvoiceView } from '@/lib/invoices/views';
import { Money } from '../ui/money';

/** What a document adds up to, in USD: wallets hold nothing else. */
export function InvoiceSums({ invoice }: { invoice: InvoiceView }) {
  const { kind, line, usdMicrosPerUnit, subtotalCents, taxCents, totalCents } = invoice;
  return (
    <dl data-print-keep="" className="ml-auto grid w-full max-w-sm gap-y-1.5 pt-4 text-sm">
      {line.currency !== 'USD' && usdMicrosPerUnit !== null ? (
        <Sum label="Exchange rate">{`1 ${line.currency} = ${rate.format(usdMicrosPerUnit / 1_000_000)} USD`}</Sum>
      ) : null}
      <Sum label="Subtotal">
        <Money amountMinor={subtotalCents} />
      </Sum>
      <Sum label="Tax (0%)">
        <Money amountMinor={taxCents} />
      </Sum>
      <div className="mt-1.5 flex items-baseline justify-between gap-4 border-line-strong border-t pt-3 font-medium text-ink">
        <dt>{kind === 'invoice' ? 'Total, paid from the wallet' : 'Total, returned to the wallet'}</dt>
        <dd className="text-base">
          <Money amountMinor={totalCents} />
        </dd>
      </div>
    </dl>
  );
}

const rate = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="text-ink tabular-nums">{children}</dd>
    </div>
  );
}
