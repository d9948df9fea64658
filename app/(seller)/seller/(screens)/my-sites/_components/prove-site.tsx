'use client';

import { type ReactNode, useState } from 'react';
import { useOperation } from '@/components/form/use-operation';
import { describeProof, formatProofDay, methodNames } from '@/components/sites/ownership-state';
import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OwnershipMethod } from '@/db/schema/ownership-proofs';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { OwnershipCheck } from '@/lib/sites/ownership/contract';
import type { SiteOwnership } from '@/lib/sites/ownership/show';

type ProveSiteProps = { siteId: number; known: SiteOwnership };

const title = ({ domain }: SiteOwnership) => `Prove ${domain}`;
const description =
  'Show that you control the domain. One of these ways is enough, and it proves all your sites on the domain.';

/** Renders the dialog of the URL in which a seller proves the domain of a site. */
export function ProveSiteDialog({ closeHref, ...props }: ProveSiteProps & { closeHref: string }) {
  return (
    <RecordDialog title={title(props.known)} description={description} closeHref={closeHref}>
      <ProveSite {...props} />
    </RecordDialog>
  );
}

/** Renders the state of the proof in the editor of a site, with the button that opens the dialog above it. */
export function ProofNote(props: ProveSiteProps) {
  const { known } = props;
  const isProved = known.state === 'verified';
  return (
    <ProofAlert
      known={known}
      action={
        <Dialog
          trigger={<Button size="sm">{isProved ? 'View proof' : 'Prove your site'}</Button>}
          title={title(known)}
          description={description}
          size="lg"
        >
          <ProveSite {...props} />
        </Dialog>
      }
    />
  );
}

/** Renders the ways to prove a domain, what the last check found of each, and the check. */
function ProveSite({ siteId, known }: ProveSiteProps) {
  const { methods, proof } = known;
  const [checked, setChecked] = useState<OwnershipCheck | null>(null);
  const { pending, error, run } = useOperation({
    fallback: (status) => `The domain could not be checked (HTTP ${status}). Please try again.`,
  });
  const check = () =>
    run(async () => {
      const path = `/api/seller/sites/${siteId}/ownership/check`;
      setChecked(await apiFetch<OwnershipCheck>(path, { method: 'POST' }).catch(redirectIfSignedOut));
    });
  const problems = checked?.problems ?? proof?.problems ?? [];
  const found = checked ? (problems.length === 0 ? checked.method : null) : isHolding(known) ? proof?.method : null;
  const result = { found: found ?? null, problems };
  return (
    <>
      <DialogBody className="grid content-start gap-5">
        {error ? <Alert tone="error">{error}</Alert> : checked ? <Outcome {...{ checked, known }} /> : null}
        {checked || error ? null : <ProofAlert known={known} />}
        <Way method="dns" badge="Recommended" {...result}>
          <p>
            Best if you manage the domain’s DNS: it survives a redesign of the site. Add a TXT record. Some providers
            add the domain to the name themselves: enter only <code>_linkmarket</code> there.
          </p>
          <CopyValue label="Name of the TXT record" text={methods.dns.name} />
          <CopyValue label="Value of the TXT record" text={methods.dns.value} />
        </Way>
        <Way method="file" {...result}>
          <p>Best if you can upload files to the site. Create a text file at this address that contains this line.</p>
          <CopyValue label="Address of the file" text={methods.file.url} />
          <CopyValue label="Content of the file" text={methods.file.content} />
        </Way>
        <Way method="meta" {...result}>
          <p>
            Best for WordPress and other site builders: add this element to the head of the home page, with the setting
            or a plugin for header code.
          </p>
          <CopyValue label="Meta tag" text={methods.meta.html} />
        </Way>
        <Way method="adsTxt" {...result}>
          <p>Best if the site shows ads and already has an ads.txt file. Add this line to it.</p>
          <CopyValue label="Address of ads.txt" text={methods.adsTxt.url} />
          <CopyValue label="Line of ads.txt" text={methods.adsTxt.line} />
        </Way>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
        <Button variant="primary" pending={pending} onClick={check}>
          Check now
        </Button>
      </DialogFooter>
    </>
  );
}

const places: Record<OwnershipMethod, string> = {
  dns: 'the DNS record',
  file: 'the file',
  meta: 'the meta tag',
  adsTxt: 'the line in ads.txt',
};

const isHolding = ({ proof }: SiteOwnership) => Boolean(proof?.verifiedAt) && proof?.countsUntil === null;

type WayProps = {
  method: OwnershipMethod;
  badge?: string;
  /** The method by which the last check proved the domain. */
  found: OwnershipMethod | null;
  problems: OwnershipCheck['problems'];
  children: ReactNode;
};

/** Renders a way to prove a domain, and what the last check found of it. */
function Way({ method, badge, found, problems, children }: WayProps) {
  const problem = problems.find((one) => one.method === method);
  return (
    <section
      aria-label={methodNames[method]}
      className="grid gap-2 border-line text-muted text-sm not-first:border-t not-first:pt-4"
    >
      <h3 className="flex flex-wrap items-center gap-2 text-ink text-sm">
        {methodNames[method]}
        {badge ? <Badge tone="blue">{badge}</Badge> : null}
      </h3>
      {children}
      {found === method ? (
        <p className="flex gap-1.5 text-green-ink">
          <Icon name="circle-check" className="mt-0.5" /> Found. Leave it in place.
        </p>
      ) : null}
      {problem ? (
        <p className="wrap-anywhere flex gap-1.5 text-red-ink">
          <Icon name="circle-x" className="mt-0.5" /> {problem.message}
        </p>
      ) : null}
    </section>
  );
}

/** Renders a text to copy below its label. */
function CopyValue({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-subtle text-xs">{label}</p>
      <div className="flex items-start gap-2">
        <code className="wrap-anywhere min-w-0 flex-1 rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-ink text-xs leading-5">
          {text}
        </code>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </div>
    </div>
  );
}

/** Renders the result of a check. */
function Outcome({
  checked: { state, method, problems },
  known: { domain, proof },
}: {
  checked: OwnershipCheck;
  known: SiteOwnership;
}) {
  if (problems.length === 0) {
    return (
      <Alert tone="success" title={`${domain} is proved.`}>
        {`We found ${method ? places[method] : 'the proof'}. Leave it in place: we check again every 30 days.`}
      </Alert>
    );
  }
  if (state === 'unverified') {
    return (
      <Alert tone="warning" title="No proof was found.">
        Each way below says what the check found. DNS records and caches can take an hour to update.
      </Alert>
    );
  }
  const until = proof?.countsUntil;
  return (
    <Alert tone="warning" title="The proof was not found.">
      {`You stay a verified owner${until ? ` until ${formatProofDay(until)}` : ' for a week'}. Restore one of the ways below and check again.`}
    </Alert>
  );
}

/** Renders the state of a proof as the last check left it. */
function ProofAlert({ known: { domain, ownership, proof }, action }: { known: SiteOwnership; action?: ReactNode }) {
  const until = proof?.countsUntil;
  if (proof && until) {
    return (
      <Alert tone="warning" title="Your proof was not found in the last check." action={action}>
        {`You stay a verified owner until ${formatProofDay(until)}. Restore ${proof.method ? places[proof.method] : 'the proof'} or use another way, and check again.`}
      </Alert>
    );
  }
  if (proof?.verifiedAt) {
    return (
      <Alert tone="success" title="You are a verified owner." action={action}>
        {`${describeProof(proof)}. Leave it in place: we check again every 30 days.`} Last checked{' '}
        <TimeAgo at={proof.checkedAt} />.
      </Alert>
    );
  }
  if (ownership === 'contributor') {
    return (
      <Alert tone="warning" title={`Another seller proved ${domain}.`} action={action}>
        Buyers see you as a contributor until you prove it too.
      </Alert>
    );
  }
  if (proof && proof.problems.length > 0) {
    return (
      <Alert tone="warning" title={`${domain} is not proved.`} action={action}>
        The last check, <TimeAgo at={proof.checkedAt} />, found no proof.
      </Alert>
    );
  }
  // In the dialog, the description says the rest.
  return action ? (
    <Alert title={`Prove that you control ${domain}.`} action={action}>
      Buyers then see “Verified owner”, and can filter by it.
    </Alert>
  ) : null;
}
