import { UserNotFound } from '@/components/shell/user-menu';

export const metadata = { title: 'Page not found' };

export default UserNotFound;
