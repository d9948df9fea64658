'use client';

import type { ComponentProps } from 'react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import type { PlacementState } from '@/db/schema/placements';
import { apiFetch } from '@/lib/browser/api-client';
import { formatUsd } from '@/lib/money';
import type { AdminOrderView } from '@/lib/orders/contract';

type Placement = NonNullable<AdminOrderView['placement']>;
type ActingOrder = Pick<AdminOrderView, 'id' | 'chargedCents' | 'taxCents' | 'earnsCents'> & { placement: Placement };

type PlacementAction = {
  /** The `action` of POST /api/admin/orders/{id}/placement. */
  action: string;
  label: string;
  states: readonly PlacementState[];
  /** A further condition. */
  isPossible?: (placement: Placement) => boolean;
  /** What it does, in the dialog. */
  describe: (order: ActingOrder) => string;
  fields?: readonly { name: 'url' | 'reason'; label: string; hint?: string; isRequired: boolean }[];
  done: string;
};

const beforeDelivery = ['offered', 'accepted', 'in_revision'] as const;
const isExtensionOpen = ({ extension }: Placement) =>
  extension !== null && extension.grantedAt === null && extension.refusedAt === null;

/** What staff can do for either side, in the order of a placement's steps. */
const placementActions: readonly PlacementAction[] = [
  {
    action: 'accept',
    label: 'Accept for the seller',
    states: ['offered'],
    describe: () => 'The seller then publishes the order by its due day.',
    done: 'Order accepted.',
  },
  {
    action: 'decline',
    label: 'Decline',
    states: ['offered'],
    describe: ({ chargedCents, taxCents }) =>
      `${formatUsd(chargedCents + taxCents)} returns to the buyer’s wallet, and the seller earns nothing.`,
    fields: [{ name: 'reason', label: 'Reason', hint: 'Shown to the buyer.', isRequired: true }],
    done: 'Order declined and refunded.',
  },
  {
    action: 'deliver',
    label: 'Deliver for the seller',
    states: ['accepted', 'in_revision'],
    describe: () => 'The buyer then reviews the page.',
    fields: [
      {
        name: 'url',
        label: 'URL of the page',
        hint: 'It can be on any domain, and is checked first. This takes up to 15 seconds.',
        isRequired: true,
      },
      {
        name: 'reason',
        label: 'Reason',
        hint: 'Only for a page whose link is not in order. Shown to the buyer and the seller.',
        isRequired: false,
      },
    ],
    done: 'Delivery saved.',
  },
  {
    action: 'approve',
    label: 'Approve for the buyer',
    states: ['delivered'],
    describe: ({ earnsCents = 0 }) => `The order becomes Live, and the seller earns ${formatUsd(earnsCents)}.`,
    done: 'Delivery approved.',
  },
  {
    action: 'grantExtension',
    label: 'Grant more days',
    states: ['accepted', 'in_revision'],
    isPossible: isExtensionOpen,
    describe: ({ placement: { extension } }) => `The delivery is due ${extension?.days ?? 0} days later.`,
    done: 'Days granted.',
  },
  {
    action: 'refuseExtension',
    label: 'Refuse more days',
    states: ['accepted', 'in_revision'],
    isPossible: isExtensionOpen,
    describe: () => 'The due day stays.',
    done: 'Days refused.',
  },
  {
    action: 'cancel',
    label: 'Cancel order',
    states: [...beforeDelivery, 'delivered'],
    describe: ({ chargedCents, taxCents }) =>
      `${formatUsd(chargedCents + taxCents)} returns to the buyer’s wallet, and the seller earns nothing.`,
    fields: [{ name: 'reason', label: 'Reason', hint: 'Shown to the buyer and the seller.', isRequired: false }],
    done: 'Order canceled and refunded.',
  },
  {
    action: 'takeOver',
    label: 'Take over',
    states: [...beforeDelivery, 'delivered'],
    describe: ({ chargedCents }) =>
      `Staff fulfill the order from now on. The seller can no longer deliver it and earns nothing; ${formatUsd(chargedCents)} stays with you until you refund it.`,
    fields: [{ name: 'reason', label: 'Reason', hint: 'Shown to the buyer and the seller.', isRequired: false }],
    done: 'Order taken over.',
  },
];

/** Renders buttons for what staff can do now on an order that a seller fulfills, if there is anything to do. */
export function PlacementActions({ order }: { order: ActingOrder }) {
  const { placement } = order;
  return placementActions
    .filter(({ states, isPossible }) => states.includes(placement.state) && (isPossible?.(placement) ?? true))
    .map((one, index) => <ActionButton key={one.action} one={one} order={order} isFirst={index === 0} />);
}

type ActionButtonProps = { one: PlacementAction; order: ActingOrder; isFirst: boolean };

function ActionButton({ one, order, isFirst }: ActionButtonProps) {
  const { action, label, fields = [], done } = one;
  const textOf = (data: FormData, name: string) => getFormText(data, name).trim();
  return (
    <FormDialog
      trigger={
        <Button size="sm" variant={isFirst ? 'primary' : undefined}>
          {label}
        </Button>
      }
      title={`${label}: order #${order.id}`}
      description={one.describe(order)}
      size="sm"
      fields={fields.map(({ name, isRequired, ...shown }) => ({
        ...shown,
        name,
        required: isRequired,
        maxLength: name === 'url' ? 2048 : 500,
        inputMode: name === 'url' ? 'url' : 'text',
      }))}
      validate={(data): FieldErrors =>
        Object.fromEntries(
          fields
            .filter(({ name, isRequired }) => isRequired && textOf(data, name) === '')
            .map(({ name }) => [name, `Enter the ${name}.`]),
        )
      }
      submitLabel={label}
      submit={(data) =>
        apiFetch(`/api/admin/orders/${order.id}/placement`, {
          method: 'POST',
          body: {
            action,
            ...Object.fromEntries(
              fields.map(({ name }) => [name, textOf(data, name)]).filter(([, text]) => text !== ''),
            ),
            version: order.placement.version,
          },
        })
      }
      done={done}
      fallback={(status) => `The request failed (HTTP ${status}). Please try again.`}
    />
  );
}

type PlacementSectionProps = {
  order: ComponentProps<typeof PlacementActions>['order'];
  /** Actions would discard what was typed. */
  isUnsaved: boolean;
};

/** Shows the state of the placement, and what staff can do for either side. */
export function PlacementSection({ order, isUnsaved }: PlacementSectionProps) {
  return (
    <section aria-labelledby="placement-heading" className="grid gap-3">
      <h3 id="placement-heading" className="text-ink text-sm">
        Fulfilled by a seller
      </h3>
      {isUnsaved ? (
        <p className="text-muted text-sm">Save or discard your changes to act for the buyer or the seller.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <PlacementActions order={order} />
        </div>
      )}
    </section>
  );
}
