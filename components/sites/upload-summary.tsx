import { Alert } from '../ui/alert';
import { ImportProblems } from './import-problems';

/** What the two upload addresses answer. */
export type UploadResult = {
  inserted?: number;
  duplicates?: number;
  skipped?: number;
  /** The first of the skipped rows, with what is wrong. */
  errors?: { row: number; column: string; reason: string }[];
  /** Columns that were not used. */
  unknownHeaders?: string[];
};

const number = (value: number | undefined, missing: string) => value?.toLocaleString('en-US') ?? missing;

/** What became of an uploaded file's rows; '?' and '0' stand where the answer does not say (spec 000, section 8). */
export function UploadSummary({ title, result }: { title: string; result: UploadResult }) {
  const { errors = [], unknownHeaders = [] } = result;
  return (
    <>
      <Alert tone="success" title={title}>
        Inserted: {number(result.inserted, '?')}, Duplicates: {number(result.duplicates, '0')}, Skipped:{' '}
        {number(result.skipped, '0')}
      </Alert>
      {unknownHeaders.length > 0 ? (
        <p className="wrap-anywhere text-muted text-sm">Columns that were not used: {unknownHeaders.join(', ')}</p>
      ) : null}
      {errors.length > 0 ? <ImportProblems errors={errors} total={result.skipped ?? errors.length} /> : null}
    </>
  );
}
