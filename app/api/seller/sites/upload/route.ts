import { createUploadRoute } from '@/lib/sites/import/routes';

/** Imports rows as the seller's own sites, which then await review. */
export const POST = createUploadRoute('seller', 'seller');
