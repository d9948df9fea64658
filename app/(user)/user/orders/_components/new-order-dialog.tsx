'use client';

import { type FormEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { TextField } from '@/components/form/fields';
import { addTax } from '@/components/orders/add-tax';
import { uploadingMessage } from '@/components/orders/brief-fields';
import { type OrderFacts, OrderForm } from '@/components/orders/order-form';
import { OrderTotal } from '@/components/orders/order-total';
import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { DialogBody } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { FieldError } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { type Currency, convertToUsdCents, walletCurrency } from '@/lib/money';
import { maxQuantity, parseQuantity, validateQuantity } from '@/lib/orders/order/amounts';
import { packageUrl } from './orders-url';
import { findPlacedOrder, usePlaceOrder } from './use-after-order';

/** Renders New Order, which selects a package, a quantity and a project. */
export function NewOrderDialog({ closeHref, ...form }: NewOrderFormProps & { closeHref: string }) {
  return (
    <RecordDialog
      title="New Order"
      description="A package of placements, paid from your wallet."
      closeHref={closeHref}
      focusAfter={findPlacedOrder}
    >
      <NewOrderForm {...form} />
    </RecordDialog>
  );
}

type NewOrderFormProps = OrderFacts & {
  packages: readonly OfferedPackage[];
  /** The initial values from the URL. `isUnavailable`: the package is no longer on sale. */
  wanted: { packageId: number | null; isUnavailable: boolean; quantity: number; projectId: string };
};

/** Renders the form of New Order. The server recalculates the price and never charges more than the displayed total. */
function NewOrderForm({ packages, wanted, ...facts }: NewOrderFormProps) {
  const only = packages.length === 1 ? (packages[0]?.id ?? null) : null;
  const [packageId, setPackageId] = useState(wanted.packageId ?? only);
  const [typed, setTyped] = useState(String(wanted.quantity));
  const [isTried, setIsTried] = useState(false);
  const { userId, projects, balanceCents, mayTopUp } = facts;
  const form = usePlaceOrder({ userId, way: 'package', projects, projectId: wanted.projectId });
  const { project, briefs, order, body } = form;
  if (packages.length === 0) return <NoPackages />;

  const chosen = packages.find(({ id }) => id === packageId);
  const quantity = parseQuantity(typed);
  const complaint = validateQuantity(quantity);
  const netCents = chosen && !complaint ? convertToUsdCents(chosen.priceCents * quantity, chosen.usdMicrosPerUnit) : 0;
  const total = addTax([netCents], facts.tax);
  const { totalCents } = total;

  const send = async () => {
    // Rendered before the focus moves to the first invalid field.
    flushSync(() => setIsTried(true));
    if (!chosen || complaint || project.complaint)
      return body.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    if (briefs.isUploading) return order.refuse(uploadingMessage);
    const choice = { packageId: chosen.id, quantity, projectId: project.projectId };
    const request = { kind: 'package' as const, ...choice, shownTotalCents: totalCents, ...briefs.request() };
    await order.send(request, packageUrl(choice));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React events bubble through portals, so the new-project form's submit event reaches this form.
    if (event.target === event.currentTarget && !order.pending) void send();
  };

  const items = chosen && `${quantity} × ${chosen.name}`;
  return (
    <form noValidate className="contents" onSubmit={submit}>
      <OrderForm
        {...form}
        {...{ facts, send, totalCents, items }}
        siteId={null}
        isSubmit
        projectError={isTried ? (project.complaint ?? undefined) : undefined}
        above={
          <>
            {wanted.isUnavailable && !order.failure ? (
              <Alert tone="warning">The package you chose is no longer on sale. Choose another one.</Alert>
            ) : null}
            <PackageChoice
              packages={packages}
              value={packageId}
              error={isTried && !chosen ? 'Choose a package.' : undefined}
              onChange={(id) => {
                setPackageId(id);
                order.forget();
              }}
            />
          </>
        }
        beside={
          <TextField
            name="quantity"
            label="Quantity"
            required
            type="number"
            min={1}
            max={maxQuantity}
            step={1}
            value={typed}
            {...(complaint && { error: complaint })}
            onChange={(event) => {
              setTyped(event.target.value);
              order.forget();
            }}
            // Displays 1 in place of an invalid number.
            onBlur={() => setTyped(String(quantity))}
          />
        }
        summary={
          <div className="mr-auto">
            <OrderTotal label={items ?? 'No package selected'} {...{ total, balanceCents, mayTopUp }} />
          </div>
        }
      />
    </form>
  );
}

/** Renders the empty state of New Order. */
function NoPackages() {
  return (
    <DialogBody>
      <EmptyState
        icon={<Icon name="package" />}
        title="No packages are on sale right now"
        action={
          <ButtonLink href="/user/orders?new=custom" scroll={false}>
            Build Custom
          </ButtonLink>
        }
      >
        Choose individual sites instead.
      </EmptyState>
    </DialogBody>
  );
}

type OfferedPackage = {
  id: number;
  name: string;
  description: string;
  /** The price of one package, in minor units of `currency`. */
  priceCents: number;
  currency: Currency;
  /** The wallet's charge for one package, in USD cents. */
  usdCents: number;
  usdMicrosPerUnit: number;
};

type PackageChoiceProps = {
  packages: readonly OfferedPackage[];
  /** The id of the selected package. */
  value: number | null;
  error: string | undefined;
  onChange: (id: number) => void;
};

/** Renders a radio group of the packages on sale. */
function PackageChoice({ packages, value, error, onChange }: PackageChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className="grid min-w-0 gap-1.5" {...(error && { 'aria-describedby': errorId })}>
      <legend className="mb-1.5 font-medium text-ink text-sm">
        Package
        <span aria-hidden="true" className="text-red-ink">
          {' *'}
        </span>
      </legend>
      {packages.map((one) => (
        <label
          key={one.id}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-4 py-3 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="packageId"
            value={one.id}
            required
            aria-invalid={error ? true : undefined}
            checked={one.id === value}
            onChange={() => onChange(one.id)}
            className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
          />
          <span className="mr-auto min-w-0">
            <span className="wrap-anywhere line-clamp-2 font-medium text-ink text-sm">{one.name}</span>
            {one.description ? (
              <span className="mt-0.5 block whitespace-pre-line wrap-anywhere text-muted text-sm">
                {one.description}
              </span>
            ) : null}
          </span>
          <span className="shrink-0 text-right text-sm">
            <Money amountMinor={one.usdCents} className="font-medium text-ink" />
            {one.currency === walletCurrency ? null : (
              <Money amountMinor={one.priceCents} currency={one.currency} className="block text-muted text-xs" />
            )}
          </span>
        </label>
      ))}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
    </fieldset>
  );
}
