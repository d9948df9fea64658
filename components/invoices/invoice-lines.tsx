import type { InvoiceView } from '@/lib/invoices/views';
import { Money } from '../ui/money';

/** What was ordered, at its price in the currency it was offered in. */
export function InvoiceLines({ invoice }: { invoice: InvoiceView }) {
  const { line, number } = invoice;
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Lines of {number}</caption>
      <thead>
        <tr className="border-line-strong border-b text-left text-muted text-xs">
          <th scope="col" className="pb-2 font-normal">
            Description
          </th>
          <th scope="col" className="px-3 pb-2 text-right font-normal max-sm:hidden">
            Quantity
          </th>
          <th scope="col" className="px-3 pb-2 text-right font-normal max-sm:hidden">
            Unit price
          </th>
          <th scope="col" className="pb-2 pl-3 text-right font-normal">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        <tr className="border-line border-b align-top">
          <td className="py-3">
            <span className="wrap-anywhere block font-medium text-ink">{line.title}</span>
            {line.details.map((text) => (
              <span key={text} className="wrap-anywhere mt-0.5 block text-muted text-xs">
                {text}
              </span>
            ))}
            <span className="mt-0.5 block text-muted text-xs sm:hidden">Quantity: {line.quantity}</span>
          </td>
          <td className="px-3 py-3 text-right tabular-nums max-sm:hidden">{line.quantity}</td>
          <td className="px-3 py-3 text-right max-sm:hidden">
            {line.unitPriceMinor === null ? '–' : <Money amountMinor={line.unitPriceMinor} currency={line.currency} />}
          </td>
          <td className="py-3 pl-3 text-right text-ink">
            <Money amountMinor={line.amountMinor} currency={line.currency} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
