'use client';

import { type FormEvent, useState } from 'react';
import { TextField } from '@/components/form/text-field';
import { OrderFailureAlert } from '@/components/orders/order-failure-alert';
import { OrderSum } from '@/components/orders/order-sum';
import { useSendOrder } from '@/components/orders/use-send-order';
import { ProjectField } from '@/components/projects/project-field';
import { type ProjectOption, useProjectChoice } from '@/components/projects/use-project-choice';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { convertToUsdCents } from '@/lib/money';
import { maxQuantity, quantityComplaint, readQuantity } from '@/lib/orders/quantity';
import { NoPackages } from './no-packages';
import { packageAddress } from './orders-address';
import { ordersWords } from './orders-words';
import { type OfferedPackage, PackageChoice } from './package-choice';
import { useAfterOrder } from './use-after-order';

export type NewOrderFormProps = {
  userId: string;
  /** USD cents. */
  balanceCents: number;
  packages: readonly OfferedPackage[];
  projects: readonly ProjectOption[];
  niches: readonly string[];
  postTypes: readonly string[];
  /** What the address asks for; `isGone`: a package that is no longer on sale. */
  wanted: { packageId: number | null; isGone: boolean; quantity: number; projectId: string };
};

/** What New Order asks for. The server reads the price again and takes no more than is shown here. */
export function NewOrderForm({ userId, balanceCents, packages, niches, postTypes, ...begin }: NewOrderFormProps) {
  const project = useProjectChoice(begin.projects, begin.wanted.projectId);
  const only = packages.length === 1 ? (packages[0]?.id ?? null) : null;
  const [packageId, setPackageId] = useState(begin.wanted.packageId ?? only);
  const [typed, setTyped] = useState(String(begin.wanted.quantity));
  const [isTried, setIsTried] = useState(false);
  const after = useAfterOrder();
  const order = useSendOrder({ userId, words: ordersWords, onDone: after.done, onStale: after.stale });
  if (packages.length === 0) return <NoPackages />;

  const chosen = packages.find(({ id }) => id === packageId);
  const quantity = readQuantity(typed);
  const complaint = quantityComplaint(quantity);
  const totalCents =
    chosen && !complaint ? convertToUsdCents(chosen.priceCents * quantity, chosen.usdMicrosPerUnit) : 0;

  const send = async () => {
    setIsTried(true);
    if (!chosen || complaint || project.complaint) return;
    const choice = { packageId: chosen.id, quantity, projectId: project.projectId };
    await order.send({ kind: 'package', ...choice, shownTotalCents: totalCents }, packageAddress(choice));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The form of a new project lies inside this one for React, though not on the screen.
    if (event.target === event.currentTarget && !order.pending) void send();
  };

  return (
    <form noValidate className="contents" onSubmit={submit}>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {order.failure ? <OrderFailureAlert failure={order.failure} onRetry={send} /> : null}
        {begin.wanted.isGone && !order.failure ? (
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
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-5 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <TextField
            name="quantity"
            label="Quantity"
            required
            type="number"
            inputMode="numeric"
            min={1}
            max={maxQuantity}
            step={1}
            autoComplete="off"
            value={typed}
            {...(complaint && { error: complaint })}
            onChange={(event) => {
              setTyped(event.target.value);
              order.forget();
            }}
            // What is no number becomes 1, where it can be seen.
            onBlur={() => setTyped(String(quantity))}
          />
          <ProjectField
            choice={project}
            niches={niches}
            postTypes={postTypes}
            error={isTried ? (project.complaint ?? undefined) : undefined}
            onChange={order.forget}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <div className="mr-auto">
          <OrderSum
            label={chosen ? `${quantity} × ${chosen.name}` : 'No package yet'}
            totalCents={totalCents}
            balanceCents={balanceCents}
          />
        </div>
        <DialogClose>
          <Button disabled={order.pending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={order.pending}>
          {ordersWords.submit}
        </Button>
      </DialogFooter>
    </form>
  );
}
