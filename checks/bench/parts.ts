import type { Lifetime } from '@/scripts/process/lifetime';
import { catalogue } from './catalogue';
import { cores } from './cores';
import { figures } from './figures';
import { growth } from './growth';
import { imports } from './import';
import { interactions } from './interactions';
import { judging } from './judging';
import { ledger } from './ledger';
import { lighthouse } from './lighthouse';
import { linkImport } from './link-import';
import { linked } from './linked';
import { links } from './links';
import { pageCpu } from './page-cpu';
import { pages } from './pages';
import { scale } from './scale';
import { soak } from './soak';
import { start } from './start';
import { webhooks } from './webhooks';

/** Each part starts its servers, measures, writes its section of a page of docs, and records its bars. */
export const parts = {
  ledger,
  catalogue,
  cores,
  figures,
  growth,
  pages,
  'page-cpu': pageCpu,
  lighthouse,
  interactions,
  import: imports,
  'link-import': linkImport,
  start,
  scale,
  soak,
  linked,
  links,
  judging,
  webhooks,
} satisfies Record<string, Part>;

type Part = (lifetime: Lifetime) => Promise<void>;

/** @throws Error with the names of all parts if there is none of this name */
export function findPart(name: string): Part {
  const found = Object.entries(parts).find(([part]) => part === name);
  if (!found) throw new Error(`There is no part ${name}. Use ${Object.keys(parts).join(', ')}.`);
  return found[1];
}
