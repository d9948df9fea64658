import { NotFoundScreen } from '@/components/shell/not-found-screen';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata = { title: 'Page not found' };

export default async function NotFound() {
  const { siteName, logo } = await getBranding();
  return <NotFoundScreen brand={{ siteName, logo }} />;
}
