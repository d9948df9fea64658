import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { type ParamChanges, withParams } from './url';

type ExportLinkProps = {
  /** The filter of the list. */
  filter?: ParamChanges;
  label?: string;
} & (
  | {
      /** The path of the list; the export is below it. */
      pathname: string;
    }
  | {
      /** The address of the export. */
      address: string;
    }
);

/** Renders the link that downloads the filtered list as CSV. */
export function ExportLink({ filter = {}, label = 'Export CSV', ...of }: ExportLinkProps) {
  const address = 'address' in of ? of.address : `${of.pathname}/export`;
  return (
    <a href={withParams(address, {}, filter)} download className={buttonClass({ size: 'sm' })}>
      <Icon name="download" className="-ml-0.5" />
      {label}
    </a>
  );
}
