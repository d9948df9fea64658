import { createUploadRoute } from '@/lib/sites/import/routes';

export const POST = createUploadRoute('ManageSites', 'staff');
