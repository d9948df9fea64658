import type { Executor } from '../../../db/client';
import { ratesToPriceBy } from '../../settings/exchange-rates';
import { readKnownNames } from './known-names';
import type { ImportAudience } from './map-header';
import type { RowContext } from './read-row';
import type { Survey } from './survey';

/** Everything besides the row itself that decides how a row is read. */
export async function readRowContext(
  executor: Executor,
  survey: Survey,
  audience: ImportAudience,
): Promise<RowContext> {
  return { survey, audience, known: await readKnownNames(executor), rates: await ratesToPriceBy(executor) };
}
