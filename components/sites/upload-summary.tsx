import { Alert } from '../ui/alert';

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
    <div className="grid gap-4 text-sm">
      <Alert tone="success" title={title}>
        Inserted: {number(result.inserted, '?')}, Duplicates: {number(result.duplicates, '0')}, Skipped:{' '}
        {number(result.skipped, '0')}
      </Alert>
      {unknownHeaders.length > 0 ? (
        <p className="break-words text-muted">Columns that were not used: {unknownHeaders.join(', ')}</p>
      ) : null}
      {errors.length > 0 ? (
        <section>
          <h3 className="mb-2 text-ink text-sm">
            {errors.length < (result.skipped ?? 0) ? `The first ${errors.length} skipped rows` : 'Skipped rows'}
          </h3>
          <ul className="grid gap-1.5">
            {errors.map(({ row, column, reason }) => (
              <li key={`${row} ${column}`} className="break-words text-muted">
                <span className="text-ink">
                  Row {row}
                  {column ? `, ${column}` : ''}:
                </span>{' '}
                {reason}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
