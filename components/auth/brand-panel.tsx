import { CreditCard, type LucideIcon, Smartphone, Wallet } from 'lucide-react';
import type { ListedFigures } from '@/lib/sites/listed-figures';
import { MetricFigures } from './metric-figures';
import { PanelHeadline } from './panel-headline';

const payments: { name: string; kind: string; icon: LucideIcon }[] = [
  { name: 'Stripe', kind: 'Cards', icon: CreditCard },
  { name: 'PayPal', kind: 'Wallet', icon: Wallet },
  { name: 'WeChat Pay', kind: 'Mobile', icon: Smartphone },
];

/** What the customer sign-in advertises (spec 000, section 1): metrics, payments, and its two claims. */
export function BrandPanel({ figures }: { figures: ListedFigures }) {
  return (
    <div className="grid gap-9">
      <PanelHeadline title="Choose the sites your links stand on.">
        Order guest posts and backlinks from one prepaid wallet, and follow each of them until it is live.
      </PanelHeadline>
      <div className="grid gap-3">
        <p className="font-medium text-ink">DA/DR, traffic and keyword metrics</p>
        <MetricFigures figures={figures} />
      </div>
      <div className="grid gap-3">
        <p className="font-medium text-ink">Payments by</p>
        <ul className="grid grid-cols-3 gap-3">
          {payments.map(({ name, kind, icon: Icon }) => (
            <li key={name} className="rounded-lg border border-line bg-surface px-4 py-3">
              <Icon className="size-4 text-subtle" />
              <span className="mt-3 block font-medium text-ink">{name}</span>
              <span className="block text-muted text-xs">{kind}</span>
            </li>
          ))}
        </ul>
      </div>
      <ul className="grid grid-cols-2 gap-3 border-line border-t pt-6 text-muted">
        <li>
          Users in <span className="block font-medium text-2xl text-ink tracking-tight">20+ countries</span>
        </li>
        <li>
          Projects created in{' '}
          <span className="block font-medium text-2xl text-ink tracking-tight">under 60 seconds</span>
        </li>
      </ul>
    </div>
  );
}
