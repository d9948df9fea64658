import { uploadRoute } from '@/lib/sites/import/upload-route';

export const POST = uploadRoute('ManageSites', 'staff');
