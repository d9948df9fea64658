import { NotFoundPage } from '@/components/shell/not-found-page';

export const metadata = { title: 'Page not found' };

export default NotFoundPage;
