import { AdminNotFound } from '@/components/shell/admin-sidebar';

export const metadata = { title: 'Page not found' };

export default AdminNotFound;
