import { adminLinks } from '@/components/shell/admin-nav';
import { NotFoundPage } from '@/components/shell/not-found-page';
import { portals } from '@/lib/auth/portals';

/** The Feature Manager is no list: its path begins the path of every screen. */
const lists = adminLinks.filter(({ href }) => href !== '/dashboard/features');

export const metadata = { title: 'Page not found' };

export default function AdminNotFound() {
  return <NotFoundPage home={portals.admin.home} lists={lists} />;
}
