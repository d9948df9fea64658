import { ChartNoAxesCombined, CreditCard, type LucideIcon, Smartphone, Wallet } from 'lucide-react';

const payments: { name: string; kind: string; Icon: LucideIcon }[] = [
  { name: 'Stripe', kind: 'Cards', Icon: CreditCard },
  { name: 'PayPal', kind: 'Wallet', Icon: Wallet },
  { name: 'WeChat Pay', kind: 'Mobile', Icon: Smartphone },
];

/** What the customer sign-in advertises (spec 000, section 1): metrics, payments, and its two claims. */
export function BrandPanel() {
  return (
    <div className="grid gap-10">
      <div>
        <p className="text-balance font-medium text-3xl text-ink tracking-tight">
          Choose the sites your links stand on.
        </p>
        <p className="mt-3 max-w-md text-base text-muted">
          Order guest posts and backlinks from one prepaid wallet, and follow each of them until it is live.
        </p>
      </div>
      <div className="grid gap-3">
        <p className="flex items-center gap-2 font-medium text-ink">
          <ChartNoAxesCombined aria-hidden="true" className="size-4 text-accent-ink" />
          DA/DR, traffic and keyword metrics
        </p>
        <p className="max-w-md text-muted">
          Every site is listed with its domain authority and rating, its monthly visits and the keywords it ranks for.
        </p>
      </div>
      <div className="grid gap-3">
        <p className="font-medium text-ink">Payments by</p>
        <ul className="grid grid-cols-3 gap-3">
          {payments.map(({ name, kind, Icon }) => (
            <li key={name} className="rounded-lg border border-line bg-surface px-4 py-3">
              <Icon aria-hidden="true" className="size-4 text-subtle" />
              <span className="mt-3 block font-medium text-ink">{name}</span>
              <span className="block text-muted text-xs">{kind}</span>
            </li>
          ))}
        </ul>
      </div>
      <Claims />
    </div>
  );
}

/** The same in few words, for screens without room for the panel. */
export function BrandLine() {
  return (
    <ul className="grid gap-1.5 border-line border-t pt-6 text-xs lg:hidden">
      <li>DA/DR, traffic and keyword metrics</li>
      <li>Payments by {payments.map(({ name }) => name).join(', ')}</li>
      <li>Users in 20+ countries</li>
      <li>Projects created in under 60 seconds</li>
    </ul>
  );
}

function Claims() {
  return (
    <ul className="grid grid-cols-2 gap-3 border-line border-t pt-6 text-muted">
      <li>
        Users in <span className="block font-medium text-2xl text-ink tracking-tight">20+ countries</span>
      </li>
      <li>
        Projects created in <span className="block font-medium text-2xl text-ink tracking-tight">under 60 seconds</span>
      </li>
    </ul>
  );
}
