import Link from 'next/link';
import { notFound } from 'next/navigation';
import { ClientLines, choiceName, clientLinesStyles, commentName } from '@/components/orders/client-lines';
import { describeAnswer } from '@/components/orders/describe-client-answer';
import { Badge, type Tone } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { nullIfNotFound } from '@/lib/errors';
import type { IdCursor } from '@/lib/id-cursor';
import { formatUsd } from '@/lib/money';
import { listReportsForClient } from '@/lib/orders/client-reports/reports';
import { getClientRequest } from '@/lib/orders/requests/client-queries';
import type { RequestView } from '@/lib/orders/requests/contract';
import { listRequests } from '@/lib/orders/requests/queries';
import { AnswerForm } from './answer-form';

const shownRequests = 50;

/** Renders the home of a member with the role Client: the requests that were sent to the client, and the open reports. */
export async function ClientRequests({ actor, cursor }: { actor: Actor; cursor?: IdCursor | undefined }) {
  const [{ rows, next }, reports] = await Promise.all([
    listRequests(actor, { limit: shownRequests, offset: 0, cursor }),
    listReportsForClient(actor),
  ]);
  return (
    <>
      <PageHeader title="Requests" description="Links that wait for your approval, and the reports about them." />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Card>
          <CardHeader title="Requests" />
          <CardBody>
            {rows.length === 0 ? (
              <EmptyState icon={<Icon name="shield-check" />} title="No requests yet">
                Links that wait for your approval appear here.
              </EmptyState>
            ) : (
              <ul className="grid divide-y divide-line">
                {rows.map((request) => (
                  <RequestRow key={request.id} request={request} />
                ))}
              </ul>
            )}
            {next ? (
              <p className="mt-3 text-sm">
                <Link prefetch={false} href={`/user/requests?cursor=${next}`} className="text-accent-ink underline">
                  Older requests
                </Link>
              </p>
            ) : null}
          </CardBody>
        </Card>
        {reports.length > 0 ? (
          <Card>
            <CardHeader title="Reports" />
            <CardBody>
              <ul className="grid divide-y divide-line">
                {reports.map(({ id, url, from, to, projectDomain, hasPassword }) => (
                  <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
                    <a href={url} target="_blank" rel="noopener" className="text-accent-ink underline">
                      {`${projectDomain}, ${from} to ${to}`}
                    </a>
                    {hasPassword ? <Badge>Password</Badge> : null}
                  </li>
                ))}
              </ul>
            </CardBody>
          </Card>
        ) : null}
      </div>
    </>
  );
}

function RequestRow({ request }: { request: RequestView }) {
  const { id, projectDomain, lines, totalCents, createdAt } = request;
  const { tone, label } = describeState(request);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
      <div className="min-w-0">
        <Link prefetch={false} href={`/user/requests/${id}`} className="break-words text-accent-ink underline">
          {`${countOf(lines.length, 'link')} for ${projectDomain}`}
        </Link>
        <p className="text-muted">
          <TimeAgo at={createdAt} />
        </p>
      </div>
      <div className="flex items-center gap-3">
        {totalCents === null ? null : <Money amountMinor={totalCents} />}
        <Badge tone={tone}>{label}</Badge>
      </div>
    </li>
  );
}

function describeState({ state, mayAnswer, isAnsweredByClient }: RequestView): { tone: Tone; label: string } {
  if (mayAnswer) return { tone: 'yellow', label: 'Please answer' };
  if (state === 'approved') return { tone: 'green', label: 'Approved' };
  if (state === 'declined') return { tone: 'grey', label: 'Declined' };
  return isAnsweredByClient && state === 'open'
    ? { tone: 'blue', label: 'Answered' }
    : { tone: 'grey', label: 'Ended' };
}

/** The colors of the portal for `clientLinesStyles`. */
const styles = `${clientLinesStyles}.request-screen{--card:var(--surface);--brand:var(--accent)}`;

/** Renders a request to a member with the role Client, as the page behind its link does. */
export async function ClientRequestScreen({ actor, id }: { actor: Actor; id: string }) {
  const found = await nullIfNotFound(getClientRequest(actor, id));
  if (!found) notFound();
  const { request, isOpen, agency } = found;
  const { projectDomain, lines, totalCents } = request;
  const list = <ClientLines lines={lines} isOpen={isOpen} />;
  return (
    <div className="request-screen max-w-3xl">
      <style href="client-lines" precedence="default">
        {styles}
      </style>
      <PageHeader
        title={`Links for ${projectDomain}`}
        description={
          isOpen
            ? `${countOf(lines.length, 'link')}${totalCents === null ? '' : `, ${formatUsd(totalCents)} in total`}. Approve or strike each one, then send your answer. You can answer once.`
            : request.answeredAt === null
              ? 'This request can no longer be answered.'
              : describeAnswer(request, agency)
        }
      />
      {isOpen ? (
        <AnswerForm
          requestId={id}
          lines={lines.map(({ id: line }) => ({ id: line, choice: choiceName(line), comment: commentName(line) }))}
        >
          {list}
        </AnswerForm>
      ) : (
        list
      )}
    </div>
  );
}
