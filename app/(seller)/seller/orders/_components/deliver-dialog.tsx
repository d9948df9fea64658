'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { TextareaField, TextField } from '@/components/form/fields';
import { relNames } from '@/components/orders/brief-card';
import { Alert, FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import type { DeliveryCheckView } from '@/lib/orders/placements/check-delivery';

type DeliverProps = {
  order: SellerOrderView;
  /** The address of the post in WordPress, which is filled in; null without a live one. */
  postUrl: string | null;
};

/** Checks the page of an order, shows what the check found, and delivers it. */
export function Deliver({ order, postUrl }: DeliverProps) {
  const [open, setOpen] = useState(false);
  // The dialog stays open during a delivery: it shows why one is refused.
  const [isDelivering, setDelivering] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => setOpen(next || isDelivering)}
      trigger={
        <Button variant="primary" icon={<Icon name="link-2" />}>
          Deliver
        </Button>
      }
      title={`Deliver order #${order.id}`}
      description="We check the page first. The buyer then approves it or asks for a change, and sees the same result."
    >
      <DeliverForm {...{ order, postUrl }} onDelivering={setDelivering} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

type Running = 'check' | 'delivery' | null;

type DeliverFormProps = DeliverProps & {
  /** Called when a delivery begins and ends. */
  onDelivering: (isDelivering: boolean) => void;
  onDone: () => void;
};

function DeliverForm({ order, postUrl, onDelivering, onDone }: DeliverFormProps) {
  const router = useRouter();
  const [url, setUrl] = useState(postUrl ?? order.deliveredUrl ?? '');
  const [check, setCheck] = useState<DeliveryCheckView | null>(null);
  /** Null until "Deliver anyway" is chosen. */
  const [reason, setReason] = useState<string | null>(null);
  const [running, setRunning] = useState<Running>(null);
  const [errors, setErrors] = useState<{ url?: string; reason?: string; form?: string }>({});
  // Two clicks before the button is disabled are one.
  const isBusy = useRef(false);
  const result = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (check) result.current?.focus();
  }, [check]);

  const send = <T,>(body: object): Promise<T> =>
    apiFetch<T>(`/api/seller/orders/${order.id}/deliver`, { method: 'POST', body }).catch(redirectIfSignedOut);
  const ask = async () => {
    const answer = await send<{ check: DeliveryCheckView }>({ url: url.trim(), dryRun: true });
    setReason(null);
    setCheck(answer.check);
  };
  const deliver = async () => {
    try {
      await send({ url: url.trim(), version: order.version, ...(reason !== null && { reason: reason.trim() }) });
    } catch (cause) {
      // The page changed since it was checked.
      if (cause instanceof ApiError && cause.code === 'link_not_in_order') return ask();
      throw cause;
    }
    onDone();
    toast.success(`Order #${order.id} delivered.`);
    router.refresh();
  };
  const run = async (name: Running, work: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(name);
    onDelivering(name === 'delivery');
    setErrors({});
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const { fields, message, status } = cause;
      const hasField = fields.url !== undefined || fields.reason !== undefined;
      const failure =
        status === 0 ? 'No connection to the server. Try again.' : 'The page couldn’t be checked. Try again.';
      setErrors({ url: fields.url, reason: fields.reason, ...(!hasField && { form: message || failure }) });
    } finally {
      isBusy.current = false;
      setRunning(null);
      onDelivering(false);
    }
  };
  const startCheck = () => {
    if (url.trim() === '') setErrors({ url: 'Enter the URL of the page.' });
    else {
      setCheck(null);
      void run('check', ask);
    }
  };
  const startDelivery = () => {
    if (reason?.trim() === '') setErrors({ reason: 'Enter a reason.' });
    else void run('delivery', deliver);
  };
  const canDeliver = check?.delivery === 'allowed' || (check?.delivery === 'with_reason' && reason !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canDeliver) startDelivery();
    else startCheck();
  };

  return (
    <form className="contents" noValidate onSubmit={submit}>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <FormError error={errors.form ?? null} />
        <TextField
          name="url"
          label="URL of the page"
          required
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={`https://${formatUrl(order.website)}/article`}
          hint={`A page on ${formatUrl(order.website)}.`}
          value={url}
          error={errors.url}
          readOnly={running !== null}
          onChange={(event) => {
            setUrl(event.target.value);
            // The result is about another page.
            setCheck(null);
            setReason(null);
            setErrors({});
          }}
        />
        {running ? (
          <Alert title={running === 'check' ? 'Checking the page…' : 'Checking the page again…'}>
            {running === 'check'
              ? 'This takes up to 15 seconds.'
              : 'It is delivered if the result is the same. This takes up to 15 seconds.'}
          </Alert>
        ) : null}
        {check ? (
          <div ref={result} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 outline-none">
            <CheckedPage check={check} />
          </div>
        ) : null}
        {check?.delivery === 'with_reason' && reason !== null ? (
          <TextareaField
            name="reason"
            label="Reason"
            required
            autoFocus
            rows={3}
            maxLength={500}
            hint="The buyer reads it beside the result of the check."
            value={reason}
            error={errors.reason}
            onChange={(event) => {
              setReason(event.target.value);
              setErrors({});
            }}
          />
        ) : null}
      </DialogBody>
      <DialogFooter className="flex-wrap">
        <DialogClose>
          <Button disabled={running === 'delivery'}>Cancel</Button>
        </DialogClose>
        {check?.delivery === 'with_reason' && reason === null ? (
          <Button disabled={running !== null} onClick={() => setReason('')}>
            Deliver anyway
          </Button>
        ) : null}
        {canDeliver ? (
          <Button type="submit" variant="primary" pending={running !== null}>
            {check.delivery === 'allowed' ? 'Deliver' : 'Deliver with this reason'}
          </Button>
        ) : (
          <Button type="submit" variant="primary" pending={running !== null}>
            {check ? 'Check again' : 'Check the page'}
          </Button>
        )}
      </DialogFooter>
    </form>
  );
}

/** Shows what the check of a page found, and what was expected. */
function CheckedPage({ check }: { check: DeliveryCheckView }) {
  const { delivery, verdict, texts, url, finalUrl } = check;
  const words = texts.join(' ');
  if (delivery === 'refused')
    return (
      <Alert tone="error" title="The page can’t be opened">
        <p>{words}</p>
        <p className="mt-1">
          It can’t be delivered like this. Publish the page so that every visitor sees it, then check again.
        </p>
      </Alert>
    );
  if (verdict === null) return <Alert tone="success" title="This order has no link to check" />;
  return (
    <>
      {delivery === 'allowed' ? (
        <Alert tone="success" title="The link is in order">
          {words}
        </Alert>
      ) : (
        <Alert tone="warning" title={verdict === 'unknown' ? 'The check can’t tell' : 'The link is not in order'}>
          <p>{words}</p>
          <p className="mt-1">
            Correct the page and check again. If it is right as it is, deliver it anyway and tell the buyer why.
          </p>
        </Alert>
      )}
      <ExpectedAndFound check={check} />
      {finalUrl === url ? null : <p className="wrap-anywhere text-muted text-xs">The page leads to {finalUrl}</p>}
    </>
  );
}

function ExpectedAndFound({ check: { expected, found, verdict } }: { check: DeliveryCheckView }) {
  const rows = [
    ['Link to', expected.targetUrl, found ? expected.targetUrl : verdict === 'unknown' ? 'Unknown' : 'Not found'],
    ['Attribute', relNames[expected.rel] ?? expected.rel, found ? found.rel || 'None (dofollow)' : '–'],
    ['Anchor text', expected.anchor || 'Any', found ? found.anchor || 'None' : '–'],
  ];
  return (
    <table className="w-full table-fixed text-left text-sm">
      <caption className="sr-only">The link as ordered, and as found</caption>
      <thead className="text-muted text-xs">
        <tr>
          <th scope="col" className="w-24 pb-1 font-normal">
            <span className="sr-only">Part</span>
          </th>
          <th scope="col" className="pr-3 pb-1 font-normal">
            Expected
          </th>
          <th scope="col" className="pb-1 font-normal">
            Found
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([part, wanted, seen]) => (
          <tr key={part} className="border-line border-t align-top">
            <th scope="row" className="py-1.5 pr-3 font-normal text-muted">
              {part}
            </th>
            <td className="wrap-anywhere py-1.5 pr-3 text-ink">{wanted}</td>
            <td className="wrap-anywhere py-1.5 text-ink">{seen}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
