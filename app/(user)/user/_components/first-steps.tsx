import Link from 'next/link';
import { type FirstStep, FirstStepsCard } from '@/components/dashboard/first-steps-card';
import { newProjectPath } from '@/components/shell/user-nav';
import { Card, CardHeader } from '@/components/ui/card';
import { Icon, type IconName } from '@/components/ui/icon';
import type { AccountRight } from '@/lib/access/account-roles';
import type { BuyerEvent } from '@/lib/dashboard/buyer';
import type { HasRight } from './tiles';

/** The parts of ordering that an admin can turn off. */
type EnabledFeatures = { marketplace: boolean; packages: boolean };

const actions: {
  label: string;
  href: string;
  icon: IconName;
  needs?: keyof EnabledFeatures;
  right?: AccountRight;
  /** Whether it is for members who see all projects. */
  isForAll?: true;
}[] = [
  { label: 'Choose sites in the marketplace', href: '/user/marketplace', icon: 'store', needs: 'marketplace' },
  { label: 'Order a package', href: '/user/orders?new=package', icon: 'package', needs: 'packages' },
  { label: 'Add funds to the wallet', href: '/user/wallet', icon: 'wallet', right: 'account:wallet' },
  { label: 'Create a project', href: newProjectPath, icon: 'folder-plus', isForAll: true },
  { label: 'Track your orders', href: '/user/orders', icon: 'receipt-text' },
];

type QuickActionsProps = {
  open: EnabledFeatures;
  has: HasRight;
  /** Whether the viewer sees all projects of the account, and may create one. */
  seesAll: boolean;
};

/** Renders what the viewer may do next. */
export function QuickActions({ open, has, seesAll }: QuickActionsProps) {
  const offered = actions.filter(
    ({ needs, right = 'account:orders', isForAll }) =>
      (needs === undefined || open[needs]) && has(right) && (seesAll || !isForAll),
  );
  return (
    <Card>
      <CardHeader title="Quick actions" />
      <ul className="p-2">
        {offered.map(({ label, href, icon }) => (
          <li key={href}>
            <Link
              prefetch={false}
              href={href}
              className="flex h-10 items-center gap-3 rounded-md px-2 text-ink transition-colors hover:bg-sunken focus-visible:-outline-offset-2 sm:px-3"
            >
              <Icon name={icon} className="text-subtle" />
              {label}
              <Icon name="chevron-right" className="ml-auto text-subtle" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type FirstStepsProps = {
  /** Null if loading failed; the steps are then hidden. */
  projects: { total: number } | null;
  orders: { all: { total: number } } | null;
  transactions: readonly BuyerEvent[];
  open: EnabledFeatures;
};

/** Displays the steps to a first order and marks the completed ones. Hidden after the first order. */
export function FirstSteps({ projects, orders, transactions, open }: FirstStepsProps) {
  if (projects === null || orders === null || orders.all.total > 0) return null;
  const steps: FirstStep[] = [
    {
      title: 'Create a project',
      why: 'Add the website you want links for, and its keywords.',
      done: projects.total > 0,
      href: newProjectPath,
      action: 'Create a project',
    },
    {
      title: 'Add funds',
      why: 'Orders are paid from your wallet.',
      done: transactions.some((event) => event.kind === 'transaction' && event.pending === null),
      href: '/user/wallet',
      action: 'Add funds',
    },
    { title: 'Order your first link', done: false, ...getOrderStep(open) },
  ];
  return <FirstStepsCard steps={steps} />;
}

/** Returns the enabled way to order. If both are disabled, returns the marketplace, which displays that. */
function getOrderStep({ marketplace, packages }: EnabledFeatures): Pick<FirstStep, 'why' | 'href' | 'action'> {
  if (packages && !marketplace) {
    return { why: 'Choose a package of placements.', href: '/user/orders?new=package', action: 'Order a package' };
  }
  return { why: 'Choose a site by DR, DA and traffic.', href: '/user/marketplace', action: 'Go to the marketplace' };
}
