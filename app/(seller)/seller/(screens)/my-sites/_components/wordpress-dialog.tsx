'use client';

import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { Button, ButtonLink } from '@/components/ui/button';
import { FactList } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { ConnectResult, WordPressView } from '@/lib/sites/wordpress/contract';

type WordPressDialogProps = {
  site: { id: number; name: string };
  view: WordPressView;
  /** The outcome with which WordPress returned. */
  result: ConnectResult | undefined;
  proveHref: string;
  closeHref: string;
};

const outcomes: Record<ConnectResult, { tone: 'success' | 'warning' | 'error'; title: string; text: string }> = {
  connected: { tone: 'success', title: 'Connected.', text: 'Choose how articles are published.' },
  declined: { tone: 'warning', title: 'Not connected.', text: 'The connection was not approved in WordPress.' },
  expired: {
    tone: 'warning',
    title: 'This connection is no longer valid.',
    text: 'It is valid once, for 15 minutes, and for the account that began it. Begin again.',
  },
  other_site: {
    tone: 'error',
    title: 'Not connected: another site answered.',
    text: 'WordPress returned the address of another site. Revoke the password there, and sign in to the WordPress of this site.',
  },
  administrator: {
    tone: 'warning',
    title: 'Not connected: the user is an administrator.',
    text: 'The password of an administrator could change the whole site, so it was not stored. Create a user with the role Author in WordPress (Users → Add New), sign in as that user, and connect again.',
  },
  contributor: {
    tone: 'warning',
    title: 'Not connected: the user may not publish.',
    text: 'A contributor cannot publish posts or upload images. Give the user the role Author, and connect again.',
  },
  refused: {
    tone: 'error',
    title: 'Not connected: WordPress refused the new password.',
    text: 'The server may remove the Authorization header, or a security plugin may close the REST API. Ask your host to pass the header on, and revoke the new password in WordPress (Users → Profile).',
  },
  unavailable: {
    tone: 'error',
    title: 'Not connected: WordPress did not answer.',
    text: 'Revoke the new password in WordPress (Users → Profile), and try again in a few minutes.',
  },
  limited: { tone: 'warning', title: 'Not connected.', text: 'Too many attempts. Try again in ten minutes.' },
};

/** Renders the dialog of the URL in which a seller connects a site with WordPress. */
export function WordPressDialog({ site, view, result, proveHref, closeHref }: WordPressDialogProps) {
  const outcome = result && outcomes[result];
  const isConnected = view.state === 'connected';
  return (
    <RecordDialog
      title={`WordPress of ${site.name}`}
      description="Publish the articles of orders from their pages, and restore lost links with one press."
      closeHref={closeHref}
    >
      <DialogBody className="grid content-start gap-4 text-sm">
        {outcome ? (
          <Alert tone={outcome.tone} title={outcome.title}>
            {outcome.text}
          </Alert>
        ) : null}
        {view.state === 'revoked' ? (
          <Alert tone="warning" title="WordPress no longer accepts the password.">
            It was revoked there. Connect the site again.
          </Alert>
        ) : null}
        {view.isProved ? null : (
          <Alert
            tone="warning"
            title="Prove your site first."
            action={
              <ButtonLink href={proveHref} scroll={false} size="sm">
                Prove your site
              </ButtonLink>
            }
          >
            {isConnected
              ? 'The proof of your domain is no longer valid. Nothing is published until you prove it again.'
              : 'Only a domain that you proved can be connected.'}
          </Alert>
        )}
        {isConnected ? <Connected siteId={site.id} view={view} /> : null}
        {view.isProved && !isConnected ? <Introduction /> : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
        {isConnected ? <Disconnect siteId={site.id} host={view.host ?? ''} /> : null}
        {view.isProved && !isConnected ? <Connect siteId={site.id} isAgain={view.state === 'revoked'} /> : null}
      </DialogFooter>
    </RecordDialog>
  );
}

function Introduction() {
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-muted">
      <li>WordPress asks you to approve. You need no plugin, and we never see your own password.</li>
      <li>Sign in there as a user with the role Author or Editor. Administrators are refused.</li>
      <li>WordPress creates an application password for us, which you can revoke there or here at any time.</li>
    </ul>
  );
}

function Connect({ siteId, isAgain }: { siteId: number; isAgain: boolean }) {
  const { pending, run } = useOperation({
    fallback: (status) => `The connection could not be begun (HTTP ${status}). Please try again.`,
    onError: (message) => toast.error(message),
  });
  const connect = () =>
    run(async () => {
      const path = `/api/seller/sites/${siteId}/wordpress/connect`;
      const { url } = await apiFetch<{ url: string }>(path, { method: 'POST' }).catch(redirectIfSignedOut);
      window.location.assign(url);
      // Pending until the browser has left: a refresh would be broken off.
      await new Promise(() => undefined);
    });
  return (
    <Button variant="primary" pending={pending} icon={<Icon name="external-link" />} onClick={connect}>
      {isAgain ? 'Connect again' : 'Connect with WordPress'}
    </Button>
  );
}

const settings = [
  {
    value: 'draft',
    label: 'Leave a draft',
    text: 'You publish it in WordPress. The order is delivered once it is live.',
  },
  { value: 'schedule', label: 'Schedule', text: 'It appears on the day that you choose. The order is delivered then.' },
  {
    value: 'live',
    label: 'Publish at once',
    text: 'The order is delivered at once, or on the first day of the brief.',
  },
] as const;

function Connected({ siteId, view }: { siteId: number; view: WordPressView }) {
  const { pending, error, run } = useOperation({
    fallback: (status) => `The setting could not be saved (HTTP ${status}). Please try again.`,
  });
  const save = (publish: string) =>
    run(async () => {
      const path = `/api/seller/sites/${siteId}/wordpress`;
      await apiFetch(path, { method: 'PUT', body: { publish } }).catch(redirectIfSignedOut);
      toast.success('Setting saved.');
    });
  return (
    <>
      <FactList
        facts={[
          ['Site', view.host ?? ''],
          ['User', `${view.username} (${view.roles.join(', ')})`],
          ['Connected', view.connectedAt ? <TimeAgo key="connected" at={view.connectedAt} /> : '–'],
          ['Last used', view.lastUsedAt ? <TimeAgo key="used" at={view.lastUsedAt} /> : '–'],
        ]}
      />
      {view.lastError ? (
        <Alert tone="warning" title="The last request failed.">
          {view.lastError}
        </Alert>
      ) : null}
      {error ? <Alert tone="error">{error}</Alert> : null}
      <fieldset className="grid gap-2" disabled={pending}>
        <legend className="mb-2 font-medium text-ink">How articles are published</legend>
        {settings.map(({ value, label, text }) => (
          <label key={value} className="flex cursor-pointer items-start gap-2.5">
            <input
              type="radio"
              name="publish"
              value={value}
              checked={view.publish === value}
              onChange={() => save(value)}
              className="mt-1 accent-accent"
            />
            <span>
              <span className="block text-ink">{label}</span>
              <span className="block text-muted text-xs">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

function Disconnect({ siteId, host }: { siteId: number; host: string }) {
  return (
    <ConfirmAction
      trigger={<Button variant="danger">Disconnect</Button>}
      title={`Disconnect ${host}?`}
      description="The password is revoked in WordPress. Published posts stay, but links can no longer be restored from here."
      confirmLabel="Disconnect"
      action={async () => {
        const path = `/api/seller/sites/${siteId}/wordpress`;
        const { message, isRevoked } = await apiFetch<{ message: string; isRevoked: boolean }>(path, {
          method: 'DELETE',
        }).catch(redirectIfSignedOut);
        toast[isRevoked ? 'success' : 'warning'](message);
      }}
    />
  );
}
