import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { type DocumentFormat, documentPath } from '@/lib/invoices/contract';

const labels: Record<DocumentFormat, string> = {
  pdf: 'Download PDF',
  'ubl.xml': 'UBL',
  'facturx.pdf': 'Factur-X',
};

type DownloadLinksProps = {
  /** The number of the document. */
  number: string;
  /** Whether the document has all that UBL and Factur-X need. */
  hasStructuredFormats: boolean;
};

/** Renders links to the files of a document. */
export function DownloadLinks({ number, hasStructuredFormats }: DownloadLinksProps) {
  const formats = hasStructuredFormats ? (['pdf', 'ubl.xml', 'facturx.pdf'] as const) : (['pdf'] as const);
  return formats.map((format) => (
    <a
      key={format}
      href={documentPath(number, format)}
      download=""
      aria-label={`${labels[format]} of ${number}`}
      className={buttonClass({})}
    >
      <Icon name="download" />
      {labels[format]}
    </a>
  ));
}
