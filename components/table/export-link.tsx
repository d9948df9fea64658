import { Download } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { type ParamChanges, withParams } from './url';

type ExportLinkProps = {
  /** The path of the list; the export is below it. */
  pathname: string;
  /** The filter of the list. */
  filter?: ParamChanges;
  label?: string;
};

/** Renders the link that downloads the filtered list as CSV. */
export function ExportLink({ pathname, filter = {}, label = 'Export CSV' }: ExportLinkProps) {
  return (
    <a href={withParams(`${pathname}/export`, {}, filter)} download className={buttonClass({ size: 'sm' })}>
      <Download className="-ml-0.5 size-4" />
      {label}
    </a>
  );
}
