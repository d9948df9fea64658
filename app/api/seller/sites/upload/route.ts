import { createUploadRoute } from '@/lib/sites/import/upload-route';

/** The rows become the seller's own sites, to be reviewed. */
export const POST = createUploadRoute('seller', 'seller');
