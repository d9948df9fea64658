import { createUploadRoute } from '@/lib/sites/import/upload-route';

export const POST = createUploadRoute('ManageSites', 'staff');
