'use client';

import { useState } from 'react';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { ClientPrices, readClientPrices } from '@/components/orders/client-prices';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { CopyButton } from '@/components/ui/copy-button';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { RequestView } from '@/lib/orders/requests/contract';

type Link = NonNullable<RequestView['link']>;

const states: Record<Link['state'], { tone: Tone; label: string }> = {
  open: { tone: 'green', label: 'Open' },
  answered: { tone: 'blue', label: 'Answered' },
  ended: { tone: 'grey', label: 'Ended' },
  revoked: { tone: 'grey', label: 'Revoked' },
};

const priceNames = {
  '': 'As last time for this project',
  none: 'No prices',
  markup: 'What you pay, and a percentage',
  fixed: 'A fixed price a link',
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

type ClientLinkProps = {
  requestId: string;
  link: Link | null;
  /** Whether the request can be sent to the client: it is open, and the client has not answered it. */
  isSendable: boolean;
};

/** Creates, shows and revokes the link with which a client without an account answers a request. */
export function ClientLink({ requestId, link, isSendable }: ClientLinkProps) {
  const [url, setUrl] = useState<string | null>(null);
  const path = `/api/user/requests/${requestId}/link`;
  const isOpen = link?.state === 'open';
  return (
    <Card aria-label="Link for the client">
      <CardHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            Link for the client {link ? <Badge tone={states[link.state].tone}>{states[link.state].label}</Badge> : null}
          </span>
        }
        description="Your client ticks or strikes each line without an account. The ticked lines are ordered at once."
      />
      <CardBody className="grid gap-3 text-sm">
        {link && isOpen ? (
          <p className="text-muted">
            Ends on <time dateTime={link.expiresAt}>{day.format(new Date(link.expiresAt))}</time>.
          </p>
        ) : null}
        {url && isOpen ? (
          <p className="flex items-center gap-2">
            <code className="min-w-0 flex-1 wrap-anywhere rounded-md bg-sunken px-2.5 py-1.5 text-xs">{url}</code>
            <CopyButton text={url} label="Copy the link for the client" />
          </p>
        ) : isOpen && isSendable ? (
          <p className="text-muted">The address was shown once. Create a new link if you need it again.</p>
        ) : null}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isSendable ? (
            <FormDialog
              trigger={<Button>{isOpen ? 'Create a new link' : 'Create link'}</Button>}
              title="Link for the client"
              description={
                isOpen
                  ? 'The link before stops working. Copy the new one here: it is shown once.'
                  : 'Copy the link here after it is created: it is shown once.'
              }
              submitLabel="Create link"
              submit={async (data) => {
                const created = await apiFetch<{ url: string }>(path, {
                  method: 'POST',
                  body: readOptions(data),
                }).catch(redirectIfSignedOut);
                setUrl(created.url);
              }}
              done="The link is ready to copy."
            >
              {(errors) => (
                <>
                  <TextField
                    name="expiresAt"
                    type="date"
                    label="Ends on"
                    hint="Leave it empty for 14 days."
                    error={errors.expiresAt}
                  />
                  <ClientPrices names={priceNames} hint="The client sees the sum only." errors={errors} />
                </>
              )}
            </FormDialog>
          ) : null}
          {isOpen && isSendable ? (
            <ConfirmAction
              trigger={<Button>Revoke</Button>}
              title="Revoke the link for the client?"
              description="It stops working at once. The request stays open."
              confirmLabel="Revoke"
              action={() => apiFetch(path, { method: 'DELETE' }).catch(redirectIfSignedOut)}
              done="The link was revoked."
            />
          ) : null}
        </div>
      </CardBody>
    </Card>
  );
}

function readOptions(data: FormData) {
  const until = getFormText(data, 'expiresAt');
  return { ...(until && { expiresAt: `${until}T23:59:59Z` }), ...readClientPrices(data) };
}
