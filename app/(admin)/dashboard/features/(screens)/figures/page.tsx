import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { readFigureOrder } from '@/lib/sites/domain-figures/figure-order';
import { FigureOrderForm } from './_components/figure-order-form';

const texts = screenTexts('/dashboard/features/figures');

export const metadata = { title: texts.title };

export default async function FiguresPage() {
  await requirePage('admin', 'ManageSettings');
  return (
    <>
      <PageHeader {...texts} />
      <FigureOrderForm {...(await readFigureOrder())} />
    </>
  );
}
