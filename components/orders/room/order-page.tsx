import type { ComponentProps, ReactNode } from 'react';
import { OrderSteps } from '@/components/orders/order-steps';
import { PageHeader } from '@/components/ui/page-header';
import { describeNextStep } from './next-step';
import { Room } from './room';

type OrderPageProps = Pick<ComponentProps<typeof OrderSteps>, 'orderId' | 'side' | 'facts'> & {
  /** The badge of the state, beside the number. */
  badge: ReactNode;
  /** The buttons of the header. */
  links: ReactNode;
  room: Omit<ComponentProps<typeof Room>, 'now' | 'nextStep' | 'actions'>;
  /** What the next step depends on. */
  next: Parameters<typeof describeNextStep>[1];
  /** What the user can do now. */
  actions: ReactNode;
  /** The cards beside the room. */
  children: ReactNode;
};

/** Renders the page of an order for one side: its steps, the room, and cards with its facts. */
export function OrderPage({ badge, links, room, next, actions, children, ...steps }: OrderPageProps) {
  const { orderId, side } = steps;
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            Order #{orderId} {badge}
          </span>
        }
        actions={links}
      />
      <OrderSteps {...steps} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Room {...room} key={orderId} now={Date.now()} nextStep={describeNextStep(side, next)} actions={actions} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
      </div>
    </>
  );
}
