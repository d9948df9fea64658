import { Alert } from '@/components/ui/alert';
import { FactList } from '@/components/ui/fact-list';
import { TimeAgo } from '@/components/ui/time-ago';
import type { RestoreReport } from '@/lib/backup/check';
import { tableLabel } from './words';

const count = (value: number) => value.toLocaleString('en-US');

const books = {
  keep: 'Stay as they are: no money has moved since, and the audit log keeps its newer lines.',
  replace: 'Come from the archive: this installation has none of its own.',
};

/** What the check of an archive found: whether it fits here, and what would change. */
export function CheckReport({ report }: { report: RestoreReport }) {
  const { refusal, madeAt, madeBy, books: mode, changes, unchanged, files, missingFiles } = report;
  return (
    <>
      {refusal === null ? (
        <Alert tone="success">
          The archive is whole, was encrypted with a key of this installation, and fits here.
        </Alert>
      ) : (
        <Alert tone="error">{refusal}</Alert>
      )}
      <FactList
        facts={[
          ['Made', <TimeAgo key="made" at={madeAt} />],
          ['By', madeBy],
          ['Delivered files', files === 0 ? 'None in the archive' : count(files)],
          ...(mode ? [['Books and audit log', books[mode]] satisfies [string, string]] : []),
        ]}
      />
      {missingFiles > 0 ? (
        <Alert tone="warning">
          {count(missingFiles)} delivered files were not in the store when this backup was made, so it does not hold
          them.
        </Alert>
      ) : null}
      {refusal === null && changes.length === 0 ? <p className="text-muted">Nothing would change.</p> : null}
      {changes.length > 0 ? (
        <div className="rounded-lg border border-line">
          <table className="w-full text-sm">
            <caption className="sr-only">What would change</caption>
            <thead className="text-left text-muted text-xs">
              <tr>
                <th scope="col" className="px-3 py-2">
                  Would change
                </th>
                <th scope="col" className="px-3 py-2 text-right">
                  Rows now
                </th>
                <th scope="col" className="px-3 py-2 text-right">
                  Rows then
                </th>
              </tr>
            </thead>
            <tbody className="tabular-nums">
              {changes.map(({ name, rowsNow, rowsThen }) => (
                <tr key={name} className="border-line border-t">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    {tableLabel(name)}
                  </th>
                  <td className="px-3 py-1.5 text-right">{count(rowsNow)}</td>
                  <td className="px-3 py-1.5 text-right text-ink">{count(rowsThen)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="border-line border-t px-3 py-2 text-muted text-xs">
            {count(unchanged)} other tables are the same.
          </p>
        </div>
      ) : null}
    </>
  );
}
