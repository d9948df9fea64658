import { after } from 'next/server';
import { describeFailure } from './describe-failure';

/** Work for when the answer is on its way; a failure is logged like any other, without the query's parameters. */
export function afterAnswer(what: string, work: () => Promise<unknown>): void {
  after(async () => {
    try {
      await work();
    } catch (thrown) {
      console.error(JSON.stringify({ level: 'error', after: what, ...describeFailure(thrown) }));
    }
  });
}
