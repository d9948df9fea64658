import { RecordDialog, RecordNotFound } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { DialogBody } from '@/components/ui/dialog';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ChainProof } from '@/lib/audit/prove-chain';
import { getAuditLog, getSeal } from '@/lib/audit/queries';
import { auditLogView, formatAction } from '@/lib/audit/views';
import { VerifyButtons } from './chain-controls';

type AuditDetailProps = {
  /** The URL parameter as received; '' if absent. */
  id: string;
  mayOpenOrders: boolean;
  closeHref: string;
};

/** Renders the dialog of the entry in the URL, with all its fields and changes. */
export async function AuditDetail({ id, mayOpenOrders, closeHref }: AuditDetailProps) {
  if (id === '') return null;
  const row = /^\d{1,15}$/.test(id) ? await getAuditLog(Number(id)) : null;
  if (!row)
    return <RecordNotFound key={id} title="Entry not found" text="This entry does not exist." closeHref={closeHref} />;
  const entry = auditLogView(row);
  const seal = await getSeal(row.id);
  const facts: Fact[] = [
    ['When', <TimeAgo key="when" at={entry.timestamp} />],
    ['Exact time', new Date(entry.timestamp).toISOString().replace('T', ' ').replace('Z', ' UTC')],
    ['User', `${entry.user} (${entry.role})`],
    ['Record', `${formatAction(entry.entityType)} ${entry.entityId}`],
    ['Amount', entry.amount === null ? 'None' : <Money key="amount" amountMinor={Math.round(entry.amount * 100)} />],
    ['Source', row.ip ? `${entry.source}, from ${row.ip}` : entry.source],
    ['Seal', seal ? `${seal.position.toLocaleString('en-US')}: ${seal.hash}` : 'Waiting for its seal'],
    ...(seal ? [['Seal key', seal.keyId] satisfies Fact] : []),
    ...(row.requestId ? [['Request', row.requestId] satisfies Fact] : []),
  ];
  return (
    <RecordDialog key={id} title={formatAction(entry.action)} description={entry.details} closeHref={closeHref}>
      <DialogBody className="grid content-start gap-6">
        <FactList facts={facts} />
        <ChangeTable before={entry.before} after={entry.after} />
        {mayOpenOrders && entry.entityType === 'order' ? (
          <ButtonLink
            href={`/dashboard/features/orders?order=${entry.entityId}`}
            size="sm"
            className="justify-self-start"
          >
            Open order #{entry.entityId}
          </ButtonLink>
        ) : null}
      </DialogBody>
    </RecordDialog>
  );
}

type ChangeTableProps = { before: Record<string, unknown> | null; after: Record<string, unknown> | null };

/** Compares the values before and after a change, field by field. Renders nothing if no field changed. */
function ChangeTable({ before, after }: ChangeTableProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">Changes</caption>
        <thead className="bg-sunken text-left text-muted text-xs">
          <tr>
            <th scope="col" className="w-1/4 px-3 py-2">
              Field
            </th>
            <th scope="col" className="px-3 py-2">
              Before
            </th>
            <th scope="col" className="px-3 py-2">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="break-words px-3 py-2 text-left font-normal text-muted">
                {fieldName(name)}
              </th>
              <td className="wrap-anywhere px-3 py-2">{valueText(before?.[name])}</td>
              <td className="wrap-anywhere px-3 py-2 text-ink">{valueText(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Formats "linkUrl" as "Link url". */
function fieldName(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Displays the result of the last verification of the log, with buttons to run another. */
export function ChainProofCard({ last, progress }: { last: ChainProof | null; progress: number | null }) {
  return (
    <Card className="mt-6 max-w-xl" aria-labelledby="verification-heading">
      <CardHeader
        title={<span id="verification-heading">Verification</span>}
        description={
          last ? (
            <>
              Last run <TimeAgo at={last.ranAt} />
              {last.from === 0
                ? ', over all entries'
                : `, over the entries after seal ${last.from.toLocaleString('en-US')}`}
              .
            </>
          ) : (
            'The audit log hasn’t been verified yet.'
          )
        }
      />
      <CardBody className="grid gap-4">
        {last && !last.isSound ? (
          <Alert tone="error" title="The audit log has faults.">
            <ul className="grid gap-1">
              {last.faults.slice(0, 5).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
            Run <code>npm run audit:verify -- --all</code> on the server for the whole report.
          </Alert>
        ) : null}
        {last ? (
          <p className="text-sm">
            {last.wholeAt ? (
              <>
                All entries were last verified without a fault <TimeAgo at={last.wholeAt} />.
              </>
            ) : (
              'All entries have never been verified without a fault.'
            )}
          </p>
        ) : null}
        <VerifyButtons progress={progress} />
      </CardBody>
    </Card>
  );
}
