import { MissingPage } from '@/components/shell/missing-page';

export const metadata = { title: 'Page not found' };

export default MissingPage;
