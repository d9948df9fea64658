import type { PaymentSummary } from '@/sandbox/provider/console';
import { consolePage } from './console';
import { markup } from './markup';
import { sessionTable } from './session-table';

/** Renders all payments of all providers. */
export function sessionsPage(sessions: readonly PaymentSummary[]): string {
  const content = markup`<section>
<div class="head"><h1>Payments</h1><a class="button" href="/sessions">Refresh</a></div>
<div class="panel">${sessionTable(sessions)}</div>
</section>`;
  return consolePage('Payments', '/sessions', content);
}
