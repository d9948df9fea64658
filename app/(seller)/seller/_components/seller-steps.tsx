import { type FirstStep, FirstStepsCard } from '@/components/dashboard/first-steps-card';
import type { SellerSteps as TakenSteps } from '@/lib/dashboard/seller-figures';

type SellerStepsProps = {
  steps: TakenSteps;
  hasPayouts: boolean;
};

/** Renders the steps of a new seller to the first accepted order; nothing once all are done. */
export function SellerSteps({ steps, hasPayouts }: SellerStepsProps) {
  const payoutMethod: FirstStep = {
    title: 'Set a payout method',
    why: 'Choose where your earnings are sent.',
    done: steps.hasPayoutMethod,
    href: '/seller/payouts',
    action: 'Set a payout method',
  };
  const shown: FirstStep[] = [
    {
      title: 'Verify your email',
      why: 'We email you about orders and payouts.',
      done: steps.hasVerifiedEmail,
      href: '/verify-email',
      action: 'Verify your email',
    },
    {
      title: 'List your sites',
      why: 'Add one site, or import a CSV file.',
      done: steps.hasSite,
      href: '/seller/my-sites',
      action: 'Add or import sites',
    },
    {
      title: 'Get a site approved',
      why: 'Staff review every site before buyers see it.',
      done: steps.hasApprovedSite,
      href: '/seller/my-sites',
      action: 'View your sites',
    },
    ...(hasPayouts ? [payoutMethod] : []),
    {
      title: 'Accept your first order',
      why: 'New orders wait for your answer.',
      done: steps.hasAccepted,
      href: '/seller/orders?tab=new',
      action: 'View new orders',
    },
  ];
  return <FirstStepsCard steps={shown} isAnyOrder />;
}
