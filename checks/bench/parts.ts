import type { Lifetime } from '@/scripts/process/lifetime';
import { catalogue } from './catalogue';
import { cores } from './cores';
import { figures } from './figures';
import { growth } from './growth';
import { imports } from './import';
import { judging } from './judging';
import { ledger } from './ledger';
import { lighthouse } from './lighthouse';
import { linkImport } from './link-import';
import { linked } from './linked';
import { links } from './links';
import { pages } from './pages';
import { scale } from './scale';
import { soak } from './soak';
import { start } from './start';
import { webhooks } from './webhooks';

/** Each part starts its servers, measures, writes its section of a page of docs, and records its bars. */
export const parts: Record<string, (lifetime: Lifetime) => Promise<void>> = {
  ledger,
  catalogue,
  cores,
  figures,
  growth,
  pages,
  lighthouse,
  import: imports,
  'link-import': linkImport,
  start,
  scale,
  soak,
  linked,
  links,
  judging,
  webhooks,
};
