'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { DeliveryView, EndpointView } from '@/lib/developers/webhooks/contract';
import { EndpointDialog, type EventChoice, SecretStep } from './endpoint-dialog';

/** Sends a request, shows the message that it returns and refreshes the page. */
function useRequest() {
  const router = useRouter();
  const [isPending, setPending] = useState(false);
  const run = async (request: () => Promise<() => void>) => {
    setPending(true);
    try {
      (await request())();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || `The request failed (HTTP ${cause.status}).`);
    } finally {
      setPending(false);
      router.refresh();
    }
  };
  return { isPending, run };
}

type EndpointActionsProps = {
  api: string;
  endpoint: EndpointView;
  choices: readonly EventChoice[];
  /** Where deleting leads, for the page of the endpoint itself. */
  listHref?: string;
};

/** Renders the menu of an endpoint: test, edit, on and off, rotate, delete. */
export function EndpointActions({ api, endpoint, choices, listHref }: EndpointActionsProps) {
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  const { isPending, run } = useRequest();
  const [secret, setSecret] = useState<string | null>(null);
  const path = `${api}/${endpoint.id}`;
  const { host } = new URL(endpoint.url);
  const test = () =>
    run(async () => {
      const sent = await apiFetch<DeliveryView>(`${path}/test`, { method: 'POST' });
      if (sent.state === 'delivered')
        return () => toast.success(`Test delivered: ${host} answered ${sent.lastStatus}.`);
      if (sent.state === 'pending') return () => toast('The endpoint is busy. The test is sent next.');
      return () => toast.error(`Test failed. ${sent.lastError}`);
    });
  const turn = () =>
    run(async () => {
      await apiFetch(path, { method: 'PATCH', body: { isEnabled: !endpoint.isEnabled } });
      return () => toast.success(endpoint.isEnabled ? 'Endpoint turned off.' : 'Endpoint turned on.');
    });
  const rotate = async () => {
    setSecret((await apiFetch<{ secret: string }>(`${path}/rotate`, { method: 'POST' })).secret);
  };
  return (
    <>
      <ActionMenu
        name={endpoint.url}
        pending={isPending}
        actions={[
          { label: 'Send test', icon: <Icon name="send" />, onSelect: () => void test() },
          { label: 'Edit', icon: <Icon name="pencil" />, onSelect: () => setEditing(true) },
          {
            label: endpoint.isEnabled ? 'Turn off' : 'Turn on',
            icon: <Icon name="power" />,
            onSelect: () => void turn(),
          },
          {
            label: 'Rotate secret',
            icon: <Icon name="key-round" />,
            confirm: {
              title: `Rotate the secret of ${host}?`,
              description: 'For 24 hours, messages are signed with both secrets. Change your program in that time.',
              confirmLabel: 'Rotate secret',
              tone: 'primary',
              action: rotate,
            },
          },
          {
            label: 'Delete',
            icon: <Icon name="trash" />,
            tone: 'danger',
            confirm: {
              title: `Delete the endpoint at ${host}?`,
              description: 'Its log and its secret are deleted. No more events are sent to it.',
              confirmLabel: 'Delete endpoint',
              action: async () => {
                await apiFetch(path, { method: 'DELETE' });
                if (listHref) router.push(listHref);
              },
              done: 'Endpoint deleted.',
            },
          },
        ]}
      />
      <EndpointDialog api={api} endpoint={endpoint} choices={choices} open={isEditing} onOpenChange={setEditing} />
      <Dialog
        open={secret !== null}
        onOpenChange={(open) => {
          if (open) return;
          setSecret(null);
          router.refresh();
        }}
        title="New signing secret"
      >
        {secret ? <SecretStep secret={secret} onDone={() => setSecret(null)} /> : null}
      </Dialog>
    </>
  );
}

type SendAgainProps = {
  /** The request that sends the event and answers with the delivery. */
  path: string;
  body?: Record<string, string>;
  label: string;
  /** What is sent, for screen readers. */
  name: string;
};

/** Renders a button that sends a delivery or an event again and shows the result. */
export function SendAgain({ path, body, label, name }: SendAgainProps) {
  const { isPending, run } = useRequest();
  const send = () =>
    run(async () => {
      const sent = await apiFetch<DeliveryView>(path, { method: 'POST', body });
      if (sent.state === 'delivered')
        return () => toast.success(`Delivered: the endpoint answered ${sent.lastStatus}.`);
      if (sent.attempts === 0 || sent.lastError === '') return () => toast('It is sent next.');
      return () => toast.error(`Not delivered. ${sent.lastError}`);
    });
  return (
    <Button size="sm" pending={isPending} onClick={() => void send()} aria-label={`${label}: ${name}`}>
      {label}
    </Button>
  );
}
