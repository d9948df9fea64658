'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useOperation } from '@/components/form/use-operation';
import { Alert, FormError } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button, buttonClass } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import {
  checkTelegramAction,
  connectSlackAction,
  createTelegramCodeAction,
  disconnectChatAction,
  testChatAction,
} from '@/lib/developers/webhooks/chats/actions';
import type { ChatOverview, ChatView } from '@/lib/developers/webhooks/chats/connect';
import { actionFailure, confirmedAction, securityCall } from './security-call';

const services = [
  { channel: 'slack', label: 'Slack', Connect: ConnectSlack },
  { channel: 'telegram', label: 'Telegram', Connect: ConnectTelegram },
] as const;

/** Renders the chats that receive the user's notifications: connect, test and disconnect. */
export function ChatsCard({ chats, isOn, hasTelegram }: ChatOverview) {
  return (
    <Card aria-labelledby="chats">
      <CardHeader
        title={
          <span id="chats" className="scroll-mt-20">
            Slack and Telegram
          </span>
        }
        description="Receive the notifications of the bell as messages."
      />
      {isOn ? null : (
        <CardBody>
          <Alert tone="warning" title="Messages are turned off">
            Nothing is sent until an admin turns webhooks on again. You can still disconnect.
          </Alert>
        </CardBody>
      )}
      <ul className="divide-y divide-line">
        {services.map(({ channel, label, Connect }) => {
          const chat = chats.find((one) => one.channel === channel);
          const isAvailable = isOn && (channel === 'slack' || hasTelegram);
          return (
            <li key={channel} className="flex flex-wrap items-center gap-3 px-4 py-3 sm:px-5">
              <div className="min-w-48 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 font-medium text-ink text-sm">
                  {label}
                  {chat ? (
                    <Badge tone={chat.isEnabled ? 'green' : 'red'}>{chat.isEnabled ? 'Connected' : 'Turned off'}</Badge>
                  ) : null}
                </p>
                <State chat={chat} isMissing={channel === 'telegram' && !hasTelegram} />
              </div>
              <div className="flex flex-wrap gap-2">
                {chat?.isEnabled && isOn ? <SendTest channel={channel} /> : null}
                {isAvailable && !chat?.isEnabled ? <Connect /> : null}
                {chat ? (
                  <ConfirmAction
                    trigger={<Button size="sm">Disconnect</Button>}
                    title={`Disconnect ${label}?`}
                    description="Your notifications stay in the bell."
                    confirmLabel="Disconnect"
                    action={() => confirmedAction(() => disconnectChatAction({ channel }))}
                    done={`${label} was disconnected.`}
                  />
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function State({ chat, isMissing }: { chat: ChatView | undefined; isMissing: boolean }) {
  const look = 'wrap-anywhere text-muted text-xs';
  if (!chat) return <p className={look}>{isMissing ? 'Not offered by this site yet.' : 'Not connected.'}</p>;
  if (!chat.isEnabled) return <p className={look}>{chat.lastError || 'It was turned off.'} Connect it again.</p>;
  return (
    <p className={look}>
      {chat.name ? `${chat.name}, since ` : 'Since '}
      <TimeAgo at={chat.connectedAt} />
      {chat.lastError ? `. The last message failed: ${chat.lastError}` : ''}
    </p>
  );
}

function SendTest({ channel }: Pick<ChatView, 'channel'>) {
  const { pending, run } = useOperation({ fallback: actionFailure, onError: (message) => toast.error(message) });
  const send = () =>
    run(async () => {
      const { ok, message } = await securityCall(() => testChatAction({ channel }));
      if (ok) toast.success(message);
      else toast.error(message);
    });
  return (
    <Button size="sm" pending={pending} onClick={() => void send()}>
      Send test
    </Button>
  );
}

function ConnectSlack() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const form = useApiForm({
    submit: (data) => securityCall(() => connectSlackAction({ url: getFormText(data, 'url') })),
    onSuccess: () => {
      setOpen(false);
      toast.success('Slack is connected. A message is in your channel.');
      router.refresh();
    },
    fallback: actionFailure,
  });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" aria-label="Connect Slack">
          Connect
        </Button>
      }
      title="Connect Slack"
      description="Create an incoming webhook in Slack for a channel, and enter its address."
    >
      <DialogForm form={form} submitLabel="Connect">
        <TextField
          name="url"
          label="Webhook address"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.slack.com/services/…"
          hint="In Slack: Apps, Incoming Webhooks, Add to Slack. It is stored encrypted and not shown again."
          error={form.fields.url}
        />
      </DialogForm>
    </Dialog>
  );
}

function ConnectTelegram() {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [link, setLink] = useState<{ bot: string; code: string; url: string } | null>(null);
  const { pending, error, setError, run } = useOperation({ fallback: actionFailure });
  const setOpen = (open: boolean) => {
    setIsOpen(open);
    setLink(null);
    setError(null);
  };
  const create = () => run(async () => setLink(await securityCall(() => createTelegramCodeAction({}))));
  const check = () =>
    run(async () => {
      const { isConnected } = await securityCall(() => checkTelegramAction({}));
      if (!isConnected) return setError('The code has not arrived yet. Send it to the bot and try again.');
      setOpen(false);
      toast.success('Telegram is connected.');
      router.refresh();
    });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" aria-label="Connect Telegram">
          Connect
        </Button>
      }
      title="Connect Telegram"
      description={
        link
          ? 'Open the bot on the device with your Telegram, and press Start.'
          : 'You send a code to our bot, which then writes to you.'
      }
    >
      <DialogBody className="grid content-start gap-4">
        <FormError error={error} />
        {link ? (
          <>
            <a href={link.url} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'primary' })}>
              Open @{link.bot}
            </a>
            <p className="text-muted text-sm">Or send this message to @{link.bot}:</p>
            <div className="flex items-start gap-2">
              <code className="wrap-anywhere min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-ink text-xs">
                /start {link.code}
              </code>
              <CopyButton text={`/start ${link.code}`} label="Copy message" />
            </div>
            <p className="text-muted text-sm">It works once, for 15 minutes. Do not give it to others.</p>
          </>
        ) : (
          <p className="text-muted text-sm">The code connects the private chat that sends it.</p>
        )}
      </DialogBody>
      <DialogFooter>
        {link ? (
          <Button variant="primary" pending={pending} onClick={() => void check()}>
            I sent it
          </Button>
        ) : (
          <Button variant="primary" pending={pending} onClick={() => void create()}>
            Create code
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
