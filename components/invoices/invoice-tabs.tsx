import { Tabs } from '@/components/ui/tabs';
import type { InvoiceView } from '@/lib/invoices/views';

type InvoiceTabsProps = {
  invoices: readonly InvoiceView[];
  shown: InvoiceView;
  hrefOf: (number: string) => string;
};

/** Tabs for the documents of one order; renders nothing for a single document. */
export function InvoiceTabs({ invoices, shown, hrefOf }: InvoiceTabsProps) {
  if (invoices.length < 2) return null;
  return (
    <div className="mb-4">
      <Tabs
        label="Documents of this order"
        tabs={invoices.map(({ number }) => ({
          href: hrefOf(number),
          label: number,
          current: number === shown.number,
        }))}
      />
    </div>
  );
}
