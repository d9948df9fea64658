import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { importSites, maxImportBytes } from '@/lib/sites/import/import-sites';

/** Imports the CSV file in the form's field `file`; the caller owns its sites. */
export const POST = route({ access: 'ManageSites' }, ({ actor, request }) =>
  receiveFile(request, { field: 'file', maxBytes: maxImportBytes }, (file, name) =>
    importSites(actor, { file, name, audience: 'staff', signal: request.signal }),
  ),
);
