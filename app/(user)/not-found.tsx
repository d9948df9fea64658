import { NotFoundPage } from '@/components/shell/not-found-page';
import { requestsPath, userNav } from '@/components/shell/user-nav';
import { portals } from '@/lib/auth/portals';

export const metadata = { title: 'Page not found' };

export default function UserNotFound() {
  return <NotFoundPage home={portals.user.home} lists={userNav.filter(({ href }) => href !== requestsPath)} />;
}
