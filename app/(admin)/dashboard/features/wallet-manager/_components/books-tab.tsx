import { BookCheck } from 'lucide-react';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import { computePositions } from '@/lib/ledger/position';
import { getLastProof } from '@/lib/ledger/prove-books';
import { CheckList } from './check-list';
import { PositionSides } from './position-sides';
import { ProveBooks } from './prove-books';

/** "Prove the books": what the last run found, and the way to another. */
export async function BooksTab() {
  const last = await getLastProof();
  if (!last) {
    return (
      <Card>
        <EmptyState icon={<BookCheck />} title="The books were not proven here yet" action={<ProveBooks />}>
          The proof adds up every transfer there ever was and compares it with every balance. It changes nothing.
        </EmptyState>
      </Card>
    );
  }
  const { report, ranAt, ranBy } = last;
  const broken = report.checks.filter((check) => check.broken > 0).length;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <CardHeader
          title={report.isSound ? 'The books are sound' : 'The books do not add up'}
          description={
            <>
              Last run <TimeAgo at={ranAt} /> by {ranBy}
            </>
          }
          actions={<ProveBooks />}
        />
        <CardBody className="grid gap-8">
          {report.isSound ? null : (
            <Alert tone="error" title={`${broken} of ${report.checks.length} checks found rows that are wrong.`}>
              The list of checks names one row of each; <code>npm run books:verify</code> prints the same on the server.
            </Alert>
          )}
          {computePositions(report).map((position) => (
            <PositionSides key={position.currency} position={position} />
          ))}
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="What was checked" description="Over every row of the ledger, at one moment." />
        <CardBody>
          <CheckList checks={report.checks} />
        </CardBody>
      </Card>
    </div>
  );
}
