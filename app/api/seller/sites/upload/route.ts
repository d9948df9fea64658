import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { importSites, maxImportBytes } from '@/lib/sites/import/import-sites';

/** Imports the CSV file in the form's field `file` as the seller's own sites, to be reviewed. */
export const POST = route({ access: 'seller' }, ({ actor, request }) =>
  receiveFile(request, { field: 'file', maxBytes: maxImportBytes }, (file, name) =>
    importSites(actor, { file, name, audience: 'seller', signal: request.signal }),
  ),
);
