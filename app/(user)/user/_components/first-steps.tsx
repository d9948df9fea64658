import { type FirstStep, FirstStepsCard } from '@/components/dashboard/first-steps-card';
import type { BuyerEvent } from '@/lib/dashboard/buyer';
import type { EnabledFeatures } from './quick-actions';

type FirstStepsProps = {
  /** Null if loading failed; the steps are then hidden. */
  projects: Promise<{ total: number } | null>;
  orders: Promise<{ all: { total: number } } | null>;
  transactions: Promise<BuyerEvent[]>;
  open: EnabledFeatures;
};

/** Displays the steps to a first order and marks the completed ones. Hidden after the first order. */
export async function FirstSteps(props: FirstStepsProps) {
  const [projects, orders, transactions] = await Promise.all([props.projects, props.orders, props.transactions]);
  if (projects === null || orders === null || orders.all.total > 0) return null;
  const steps: FirstStep[] = [
    {
      title: 'Create a project',
      why: 'Add the website you want links for, and its keywords.',
      done: projects.total > 0,
      href: '/user/projects?new=1',
      action: 'Create a project',
    },
    {
      title: 'Add funds',
      why: 'Orders are paid from your wallet.',
      done: transactions.some((event) => event.kind === 'transaction' && event.pending === null),
      href: '/user/wallet',
      action: 'Add funds',
    },
    { title: 'Order your first link', done: false, ...getOrderStep(props.open) },
  ];
  return <FirstStepsCard steps={steps} />;
}

/** Returns the enabled way to order. If both are disabled, returns the marketplace, which displays that. */
function getOrderStep({ marketplace, packages }: EnabledFeatures): Pick<FirstStep, 'why' | 'href' | 'action'> {
  if (packages && !marketplace) {
    return { why: 'Choose a package of placements.', href: '/user/orders?new=package', action: 'Order a package' };
  }
  return {
    why: 'Choose a site by DR, DA and traffic.',
    href: '/user/marketplace',
    action: 'Go to the marketplace',
  };
}
