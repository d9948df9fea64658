import { Check } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { Card } from '@/components/ui/card';
import type { BuyerEvent } from '@/lib/dashboard/buyer';
import type { EnabledFeatures } from './quick-actions';

type FirstStepsProps = {
  /** Null if loading failed; the steps are then hidden. */
  projects: Promise<{ total: number } | null>;
  orders: Promise<{ all: { total: number } } | null>;
  transactions: Promise<BuyerEvent[]>;
  open: EnabledFeatures;
};

type Step = { title: string; why: string; done: boolean; href: string; action: string };

/** Displays the steps to a first order and marks the completed ones. Hidden after the first order. */
export async function FirstSteps(props: FirstStepsProps) {
  const [projects, orders, transactions] = await Promise.all([props.projects, props.orders, props.transactions]);
  if (projects === null || orders === null || orders.all.total > 0) return null;
  const steps: Step[] = [
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
  const next = steps.find((step) => !step.done);
  const done = steps.filter((step) => step.done).length;
  return (
    <Card className="mb-4 p-4 sm:p-5" aria-labelledby="first-steps">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="first-steps" className="text-ink text-sm">
          First steps
        </h2>
        <p className="text-muted text-xs tabular-nums">
          {done} of {steps.length} done
        </p>
      </div>
      <ol className="mt-4 grid gap-4 md:grid-cols-3">
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <StepMark number={index + 1} done={step.done} current={step === next} />
            <div className="min-w-0">
              <p className={step.done ? 'text-muted' : 'font-medium text-ink'}>
                {step.title}
                {step.done ? <span className="sr-only"> (done)</span> : null}
              </p>
              <p className="mt-0.5 text-muted text-xs">{step.why}</p>
              {step === next ? (
                <ButtonLink href={step.href} size="sm" variant="primary" className="mt-3">
                  {step.action}
                </ButtonLink>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Returns the enabled way to order. If both are disabled, returns the marketplace, which displays that. */
function getOrderStep({ marketplace, packages }: EnabledFeatures): Pick<Step, 'why' | 'href' | 'action'> {
  if (packages && !marketplace) {
    return { why: 'Choose a package of placements.', href: '/user/orders?new=package', action: 'Order a package' };
  }
  return {
    why: 'Choose a site by DR, DA and traffic.',
    href: '/user/marketplace',
    action: 'Go to the marketplace',
  };
}

function StepMark({ number, done, current }: { number: number; done: boolean; current: boolean }) {
  const look = done
    ? 'border-green-line bg-green-soft text-green-ink'
    : current
      ? 'border-accent bg-accent-soft text-accent-ink'
      : 'border-line-strong text-subtle';
  return (
    <span
      aria-hidden="true"
      className={`grid size-6 shrink-0 place-items-center rounded-full border font-medium text-xs tabular-nums ${look}`}
    >
      {done ? <Check className="size-3.5" /> : number}
    </span>
  );
}
