import { ChevronRight, FolderPlus, type LucideIcon, Package, ReceiptText, Store, Wallet } from 'lucide-react';
import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';

/** The parts of ordering that an admin can turn off. */
export type EnabledFeatures = { marketplace: boolean; packages: boolean };

const actions: { label: string; href: string; icon: LucideIcon; needs?: keyof EnabledFeatures }[] = [
  { label: 'Choose sites in the marketplace', href: '/user/marketplace', icon: Store, needs: 'marketplace' },
  { label: 'Order a package', href: '/user/orders?new=package', icon: Package, needs: 'packages' },
  { label: 'Add funds to the wallet', href: '/user/wallet', icon: Wallet },
  { label: 'Create a project', href: '/user/projects?new=1', icon: FolderPlus },
  { label: 'Track your orders', href: '/user/orders', icon: ReceiptText },
];

export function QuickActions({ open }: { open: EnabledFeatures }) {
  const offered = actions.filter(({ needs }) => needs === undefined || open[needs]);
  return (
    <Card>
      <CardHeader title="Quick actions" />
      <ul className="p-2">
        {offered.map(({ label, href, icon: Icon }) => (
          <li key={href}>
            <Link
              prefetch={false}
              href={href}
              className="flex h-10 items-center gap-3 rounded-md px-2 text-ink transition-colors hover:bg-sunken focus-visible:-outline-offset-2 sm:px-3"
            >
              <Icon className="size-4 text-subtle" />
              {label}
              <ChevronRight className="ml-auto size-4 text-subtle" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
