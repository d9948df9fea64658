import { oneParam, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Button, ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Input } from '@/components/ui/controls';
import { CopyButton } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { statusNames } from '@/lib/orders/client-reports/columns';
import type { ReportView } from '@/lib/orders/client-reports/contract';
import { findReportMail } from '@/lib/orders/client-reports/monthly-mail';
import { getRememberedBrand, listReports } from '@/lib/orders/client-reports/reports';
import { listReportRows } from '@/lib/orders/client-reports/rows';
import type { ProjectView } from '@/lib/projects/contract';
import { MonthlyMailForm, NoteForm, ReportForm, RevokeReport } from './report-forms';

/** Links whose reference and note can be edited at a time; a shorter period has the others. */
const maxEdited = 50;

const toDay = (at: Date) => at.toISOString().slice(0, 10);

/** Reads the period of the address; last month by default. */
function readPeriod(searchParams: SearchParams): { from: string; to: string } {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const read = (name: string, otherwise: Date) => {
    const text = oneParam(searchParams, name);
    const isDay = /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && toDay(new Date(text)) === text;
    return isDay ? text : toDay(otherwise);
  };
  const [from, to] = [
    read('from', new Date(Date.UTC(year, month - 1, 1))),
    read('to', new Date(Date.UTC(year, month, 0))),
  ];
  return from <= to ? { from, to } : { from: to, to: from };
}

type ReportsTabProps = { actor: Actor; project: ProjectView; searchParams: SearchParams };

/** Renders the client reports of a project: a new one, those shared before, the monthly mail, and what each link says. */
export async function ReportsTab({ actor, project, searchParams }: ReportsTabProps) {
  const { from, to } = readPeriod(searchParams);
  const period = { projectId: project.id, fromDay: from, toDay: to };
  const [reports, brand, mail, { rows: edited, isCut }] = await Promise.all([
    listReports(actor, project.id),
    getRememberedBrand(actor),
    findReportMail(actor, project.id),
    listReportRows({ ...period, prices: 'none', markupPercent: null, fixedCents: null }, maxEdited),
  ]);
  if (actor.viewing) return <ReportList projectId={project.id} reports={reports} isViewing />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ReportForm key={`${from} ${to}`} projectId={project.id} from={from} to={to} brand={brand} />
      <ReportList projectId={project.id} reports={reports} />
      <Card>
        <CardHeader
          title="References and notes"
          description="What reports say about each link of the period, besides what was checked."
        />
        <CardBody className="grid gap-4">
          <form className="flex flex-wrap items-end gap-2">
            <input type="hidden" name="tab" value="reports" />
            <Field label="Links from">
              {(control) => <Input {...control} type="date" name="from" defaultValue={from} />}
            </Field>
            <Field label="Links to">
              {(control) => <Input {...control} type="date" name="to" defaultValue={to} />}
            </Field>
            <Button type="submit">Show</Button>
          </form>
          {edited.length === 0 ? <p className="text-muted text-sm">No links in this period.</p> : null}
          {edited.map(({ orderId, address, domain, status, reference, note }) => (
            <NoteForm
              key={orderId}
              orderId={orderId}
              link={address || domain || `Order #${orderId}`}
              status={statusNames[status]}
              reference={reference}
              note={note}
            />
          ))}
          {isCut ? (
            <p className="text-muted text-sm">{`The newest ${maxEdited} of the period. Choose a shorter one for the others.`}</p>
          ) : null}
        </CardBody>
      </Card>
      <MonthlyMailForm
        projectId={project.id}
        brand={mail ? { name: mail.brandName, color: mail.brandColor, hasLogo: mail.brandLogoId !== null } : brand}
        mail={
          mail && {
            recipients: mail.recipients,
            prices: mail.prices,
            markupPercent: mail.markupPercent,
            fixedCents: mail.fixedCents,
            hasPassword: mail.hasPassword,
            nextDay: mail.dueAt && toDay(mail.dueAt),
          }
        }
      />
    </div>
  );
}

const states = { open: 'Open', expired: 'Expired', revoked: 'Revoked' } as const;

type ReportListProps = { projectId: string; reports: readonly ReportView[]; isViewing?: boolean };

/** Renders the reports that were shared. A view by staff has no links to them. */
function ReportList({ projectId, reports, isViewing }: ReportListProps) {
  return (
    <Card>
      <CardHeader title="Shared reports" />
      <CardBody className="grid gap-3">
        {reports.length === 0 ? <p className="text-muted text-sm">No reports yet.</p> : null}
        <ul className="grid divide-y divide-line">
          {reports.map(({ id, url, from, to, state, brand, hasPassword, createdAt, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
              <div className="grid min-w-0 gap-0.5">
                <span className="wrap-anywhere text-ink">{`${from} to ${to}, ${brand.name}`}</span>
                <span className="text-muted text-xs">
                  created <TimeAgo at={createdAt} />
                  {hasPassword ? ' · with a password' : ''}
                  {expiresAt ? ` · ends ${expiresAt.slice(0, 10)}` : ''}
                </span>
              </div>
              <span className="flex items-center gap-2">
                <Badge>{states[state]}</Badge>
                {state === 'open' && !isViewing ? (
                  <>
                    <CopyButton text={url} label={`Copy the link of the report ${from} to ${to}`} />
                    <ButtonLink href={url} size="sm" target="_blank" prefetch={false}>
                      Open
                    </ButtonLink>
                    <RevokeReport projectId={projectId} reportId={id} period={`${from} to ${to}`} />
                  </>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}
