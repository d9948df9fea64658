import { z } from 'zod';
import { columnChoices, noChoices } from './column-choices';

/**
 * What an upload address is asked for. `import`, as the contract has it, is what it does by itself; `check` tells what
 * an import would do; `rejected` answers the rows it would skip, as CSV. All three read the same file the same way.
 */
export const uploadQuery = z.object({
  mode: z.enum(['import', 'check', 'rejected'], 'Use import, check or rejected.').default('import'),
  columns: columnChoices.default(noChoices),
});
