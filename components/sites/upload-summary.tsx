import { Alert } from '@/components/ui/alert';
import { ImportProblems } from './import-problems';
import { NewNiches } from './new-niches';

/** The response of the two upload endpoints. */
export type UploadResult = {
  inserted?: number;
  duplicates?: number;
  skipped?: number;
  /** The first skipped rows, with the reasons. */
  errors?: { row: number; column: string; reason: string }[];
  /** Columns that were ignored. */
  unknownHeaders?: string[];
  /** Niches that wait for review. */
  newNiches?: string[];
};

const number = (value: number | undefined, missing: string) => value?.toLocaleString('en-US') ?? missing;

/** The result of an upload. A number missing in the response is shown as '?' or '0'. */
export function UploadSummary({ title, result }: { title: string; result: UploadResult }) {
  const { errors = [], unknownHeaders = [] } = result;
  return (
    <>
      <Alert tone="success" title={title}>
        Inserted: {number(result.inserted, '?')}, Duplicates: {number(result.duplicates, '0')}, Skipped:{' '}
        {number(result.skipped, '0')}
      </Alert>
      {unknownHeaders.length > 0 ? (
        <p className="wrap-anywhere text-muted text-sm">Unused columns: {unknownHeaders.join(', ')}</p>
      ) : null}
      <NewNiches names={result.newNiches} />
      {errors.length > 0 ? <ImportProblems errors={errors} total={result.skipped ?? errors.length} /> : null}
    </>
  );
}
